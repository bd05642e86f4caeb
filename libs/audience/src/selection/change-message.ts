import { type Executor, parameter, rows, sql } from '@postrider/persistence';
import type { NewMessage } from './message-row';
import { ENQUEUED_AHEAD } from './store-messages';

/** A change of a message that has not left. */
export interface MessageChange {
  appId: string;
  /** The message as it is to be; its id, kind, audience and channel are those that it has. */
  message: Pick<NewMessage, 'id' | 'content' | 'acceptedAt' | 'expiresAt' | 'schedule'>;
  /** The message that the change was made from; another one is not overwritten. */
  revision: number;
  now: Date;
}

/**
 * Changes a scheduled message until it leaves: until its time has come, or a worker has begun to resolve its audience. Whoever
 * resolves it takes its row with the revision that they read (`resolveSlice`, `resolveDue`), so a message leaves as it was before
 * the change or as it is after it, never as a mixture.
 *
 * @returns false when nothing was changed: it has left, was cancelled, or has another revision
 */
export async function changeMessage(executor: Executor, change: MessageChange): Promise<boolean> {
  const { appId, message, revision } = change;
  const {
    sendAt = null,
    localTime = null,
    rate = null,
    ttlSeconds = 0,
    ignoreQuietHours = false,
  } = message.schedule ?? {};
  const [now, moment] = [parameter(change.now, 'timestamptz'), parameter(sendAt, 'timestamptz')];
  const changed = await rows(
    executor,
    sql`UPDATE messages
        SET content = ${JSON.stringify(message.content)}::jsonb, accepted_at = ${message.acceptedAt}, expires_at = ${message.expiresAt},
          send_at = ${moment}, local_time = ${localTime?.toISOString() ?? null}::timestamp,
          ttl_seconds = ${localTime === null ? null : ttlSeconds}::integer, rate = ${rate}::integer,
          ignore_quiet_hours = ${ignoreQuietHours}, wake_at = greatest(${moment} - ${ENQUEUED_AHEAD}, ${now}),
          revision = revision + 1
        WHERE app_id = ${appId} AND id = ${message.id} AND revision = ${revision} AND status = 'accepted'
          AND resolved_at IS NULL AND resolved_through = 0 AND send_at > ${now}
        RETURNING 1`,
  );
  return changed.length > 0;
}
