import type { FallbackState } from '@postrider/domain';
import { type Executor, rows } from '../database/executor';

/** How many of a message's fallbacks are in a state. What waits on a cancelled message counts as `cancelled`. */
export async function countFallbacks(
  executor: Executor,
  appId: string,
  messageId: string,
): Promise<{ state: FallbackState; count: number }[]> {
  return rows<{ state: FallbackState; count: number }>(
    executor,
    `SELECT CASE WHEN f.state = 'waiting' AND m.status = 'cancelled' THEN 'cancelled' ELSE f.state END AS state,
       count(*)::float8 AS count
     FROM fallbacks f JOIN messages m ON m.app_id = $1 AND m.id = $2
     WHERE f.app_id = $1 AND f.message_id = $2 GROUP BY 1`,
    [appId, messageId],
  );
}
