import { type Executor, rows } from '../database/executor';
import type { MessageKey } from '../pages/find-cancelled-messages.query';

/** Whether any of a message's fallbacks waits although it is due, in somebody's hands or not. */
export async function hasDueFallbacks(
  executor: Executor,
  { appId, messageId }: MessageKey,
  now: Date,
): Promise<boolean> {
  const due = await rows(
    executor,
    `SELECT 1 FROM fallbacks WHERE app_id = $1 AND message_id = $2 AND state = 'waiting' AND wake_at <= $3 LIMIT 1`,
    [appId, messageId, now],
  );
  return due.length > 0;
}

/** Messages with fallbacks that somebody should see to, among the `limit` fallbacks that are longest due. */
export async function findDueFallbacks(executor: Executor, now: Date, limit: number): Promise<MessageKey[]> {
  return rows<MessageKey>(
    executor,
    `SELECT app_id AS "appId", message_id AS "messageId"
     FROM (SELECT app_id, message_id, wake_at FROM fallbacks WHERE wake_at <= $1 ORDER BY wake_at LIMIT $2) due
     GROUP BY app_id, message_id ORDER BY min(wake_at)`,
    [now, limit],
  );
}
