import { type Executor, rows } from '../database/executor';
import type { MessageKey } from '../pages/find-cancelled-messages.query';

/** Why fallbacks wait although they are due, and until when. */
export interface FallbackHold {
  now: Date;
  until: Date;
  errorCode: string;
  reason: string;
}

/**
 * Holds a message's due fallbacks, because their provider cannot be asked now. One that would expire before that, or was
 * cancelled, is left to be seen to.
 *
 * @returns how many are held
 */
export async function postponeFallbacks(
  executor: Executor,
  { appId, messageId }: MessageKey,
  { now, until, errorCode, reason }: FallbackHold,
): Promise<number> {
  const held = await rows(
    executor,
    `UPDATE fallbacks f
     SET wake_at = least($4::timestamptz, m.expires_at), error_code = $5, reason = $6, updated_at = $3
     FROM messages m
     WHERE f.app_id = $1 AND f.message_id = $2 AND f.state = 'waiting' AND f.wake_at <= $3
       AND m.app_id = $1 AND m.id = $2 AND m.expires_at > $3 AND m.status <> 'cancelled'
     RETURNING 1`,
    [appId, messageId, now, until, errorCode, reason],
  );
  return held.length;
}
