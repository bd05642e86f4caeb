import { type Executor, rows } from '../database/executor';

/**
 * Cancels a message that has something left to stop: its resolving ends, its pages are not worked any further, and what
 * waits on pages and in inboxes is ended by the sweeper. Workers look at the status when they claim a page or a fallback, and while they
 * work a page.
 *
 * @returns false when there is nothing to stop: done, cancelled before, or no such message
 */
export async function cancelMessage(executor: Executor, appId: string, messageId: string, now: Date): Promise<boolean> {
  const cancelled = await rows(
    executor,
    `UPDATE messages
     SET status = 'cancelled', cancelled_at = $3, wake_at = $3,
       inbox_ends_at = CASE WHEN inbox_ends_at IS NOT NULL THEN $3::timestamptz END
     WHERE app_id = $1 AND id = $2 AND (status = 'accepted' OR (status = 'done' AND (inbox_ends_at > $3 OR EXISTS (
       SELECT 1 FROM fallbacks f WHERE f.app_id = $1 AND f.message_id = $2 AND f.state = 'waiting'
     ))))
     RETURNING 1`,
    [appId, messageId, now],
  );
  return cancelled.length > 0;
}
