import { type Executor, rows } from '../database/executor';
import type { FallbackRecord } from '../fallbacks/list-fallbacks.query';

/** A message's fallback to one user, or null. What waits on a cancelled message reads as `cancelled`. */
export async function findFallback(
  executor: Executor,
  appId: string,
  messageId: string,
  userId: string,
): Promise<FallbackRecord | null> {
  const [found] = await rows<FallbackRecord>(
    executor,
    `SELECT f.user_id AS "userId",
       CASE WHEN f.state = 'waiting' AND m.status = 'cancelled' THEN 'cancelled' ELSE f.state END AS state, f.phone,
       f.provider, f.provider_message_id AS "providerMessageId", f.error_code AS "errorCode", f.reason, f.attempt, f.resent,
       f.due_at AS "dueAt", f.attempted_at AS "attemptedAt", f.sent_at AS "sentAt", f.ended_at AS "endedAt",
       f.updated_at AS "updatedAt"
     FROM fallbacks f JOIN messages m ON m.app_id = $1 AND m.id = $2
     WHERE f.app_id = $1 AND f.message_id = $2 AND f.user_id = $3`,
    [appId, messageId, userId],
  );
  return found ?? null;
}
