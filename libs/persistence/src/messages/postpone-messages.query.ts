import { type Executor, rows } from '../database/executor';
import type { MessageKey } from '../messages/message-key';

/**
 * Puts off looking at those of `messages` that are still due until `wakeAt`, or shortly after its time where that is still to
 * come; for good where a message has ended.
 */
export async function postponeMessages(
  executor: Executor,
  messages: readonly MessageKey[],
  { now, wakeAt }: { now: Date; wakeAt: Date },
): Promise<void> {
  await rows(
    executor,
    `UPDATE messages m
     SET wake_at = CASE WHEN m.status = 'accepted' AND m.send_at > $3 THEN m.send_at + interval '1 second'
       WHEN m.status = 'accepted' OR (m.status = 'cancelled' AND m.resolved_at IS NULL) THEN $4::timestamptz END
     FROM unnest($1::text[], $2::uuid[]) AS due (app_id, id)
     WHERE m.app_id = due.app_id AND m.id = due.id AND m.wake_at <= $3`,
    [messages.map(({ appId }) => appId), messages.map(({ messageId }) => messageId), now, wakeAt],
  );
}
