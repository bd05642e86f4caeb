import { type Executor, rows } from '../database/executor';
import type { FallbackAttempt } from './record-fallback.query';

/** A fallback is sent again this often without anybody knowing whether its provider took it. */
const MOST_RESENT = 3;

/**
 * Makes a fallback due again of which nobody knew whether its provider took it, unless its message ended meanwhile.
 *
 * @param isRisked whether it may have been taken all the same: that is counted, and goes on only so often
 * @returns whether it is due again
 */
export async function resendFallback(
  executor: Executor,
  { appId, messageId, userId, attempt }: FallbackAttempt,
  isRisked: boolean,
  now: Date,
): Promise<boolean> {
  const due = await rows(
    executor,
    `UPDATE fallbacks f
     SET state = 'waiting', wake_at = $6, error_code = NULL, reason = NULL, inquiries = 0, resent = f.resent + $5::int,
       updated_at = $6
     FROM messages m
     WHERE f.app_id = $1 AND f.message_id = $2 AND f.user_id = $3 AND f.attempt = $4 AND f.state = 'unknown'
       AND ($5::int = 0 OR f.resent < $7) AND m.app_id = $1 AND m.id = $2 AND m.expires_at > $6 AND m.status <> 'cancelled'
     RETURNING 1`,
    [appId, messageId, userId, attempt, isRisked ? 1 : 0, now, MOST_RESENT],
  );
  return due.length > 0;
}
