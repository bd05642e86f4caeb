import { type Executor, rows, sql } from '@postrider/persistence';
import { RESOLUTION_COLUMNS, type Resolution, resolutionOf, type ResolutionRow } from './read-resolution.query';

/** Several messages of one application, as they are at one moment. */
export interface MessagesToRead {
  appId: string;
  messageIds: readonly string[];
  now: Date;
}

/** One of them that is not wholly resolved; `early` when its time has not come. */
export type ReadMessage = { messageId: string; startsAt: Date } & (
  { kind: 'early' } | { kind: 'due'; resolution: Resolution }
);

/** As `readResolution`, of several; those that need no resolving (any more) are left out. */
export async function readResolutions(executor: Executor, messages: MessagesToRead): Promise<ReadMessage[]> {
  // Not prepared: with the ids at hand, PostgreSQL plans for the partitions that hold them and for no others.
  const found = await rows<ResolutionRow & { messageId: string }>(
    executor,
    sql`SELECT m.id AS "messageId", ${RESOLUTION_COLUMNS}, m.resolve_ceiling::text AS to
        FROM messages m JOIN applications a ON a.app_id = m.app_id
        WHERE m.app_id = ${messages.appId} AND m.id = ANY (${messages.messageIds}::uuid[]) AND m.status <> 'done'
          AND m.resolved_at IS NULL`,
  );
  return found.map((row) => {
    const { messageId, startsAt } = row;
    if (startsAt > messages.now && !row.isCancelled) return { messageId, startsAt, kind: 'early' };
    return { messageId, startsAt, kind: 'due', resolution: resolutionOf(row, messages) };
  });
}
