import { type Executor, parameter, rows, sql } from '@postrider/persistence';
import type { NewMessage } from './message-row';
import { MESSAGE_ENQUEUED_AHEAD } from './store-messages';

/** A change of a message that has not left. */
interface MessageChange {
  appId: string;
  /** The message after the change; its id, kind, audience and channel stay. */
  message: Pick<NewMessage, 'id' | 'content' | 'acceptedAt' | 'expiresAt' | 'schedule'>;
  /** The revision that the change was made from; a message with another revision is not changed. */
  revision: number;
  /** The winner among its variants that the change was made from; a message with another one is not changed. */
  winner: string | null;
  now: Date;
}

/**
 * Changes a scheduled message until it leaves: until its time has come, or a worker has begun to resolve its audience.
 * A worker that resolves it locks its row only with the revision that it has read (`resolveSlice`, `resolveDue`), so a
 * message leaves without the change or with all of it.
 * @returns the users that it names (null: none), as they are once its row is locked: one of them may have been erased
 *   since the message was read. Undefined if nothing was changed: the message has left, was cancelled, or has another revision
 *   or another winner
 */
export async function changeMessage(
  executor: Executor,
  change: MessageChange,
): Promise<{ userIds: string[] | null } | undefined> {
  const { appId, message, revision, winner } = change;
  const {
    sendAt = null,
    localTime = null,
    rate = null,
    ttlSeconds = 0,
    ignoreQuietHours = false,
  } = message.schedule ?? {};
  const [now, moment] = [parameter(change.now, 'timestamptz'), parameter(sendAt, 'timestamptz')];
  const [changed] = await rows<{ userIds: string[] | null }>(
    executor,
    sql`UPDATE messages
        SET content = ${JSON.stringify(message.content)}::jsonb, accepted_at = ${message.acceptedAt}, expires_at = ${message.expiresAt},
          send_at = ${moment}, local_time = ${localTime?.toISOString() ?? null}::timestamp,
          ttl_seconds = ${localTime === null ? null : ttlSeconds}::integer, rate = ${rate}::integer,
          ignore_quiet_hours = ${ignoreQuietHours}, wake_at = greatest(${moment} - ${MESSAGE_ENQUEUED_AHEAD}, ${now}),
          revision = revision + 1
        WHERE app_id = ${appId} AND id = ${message.id} AND revision = ${revision} AND status = 'accepted'
          AND winner_variant IS NOT DISTINCT FROM ${winner}::text
          AND resolved_at IS NULL AND resolved_through = 0 AND send_at > ${now}
        RETURNING user_ids AS "userIds"`,
  );
  return changed;
}
