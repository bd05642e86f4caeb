import { type Executor, rows } from '../database/executor';
import type { MessageKey } from '../pages/find-cancelled-messages.query';

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
