import { type Executor, rows } from '../database/executor';
import type { MessageKey } from '../pages/find-cancelled-messages.query';

/**
 * Ends the leases that are over: whoever was sending died, and nobody knows whether the provider took it. Such a fallback is
 * `unknown`, and is not sent again; the provider is asked about it at once.
 *
 * @returns how many there were
 */
export async function lapseFallbacks(executor: Executor, { appId, messageId }: MessageKey, now: Date): Promise<number> {
  const lapsed = await rows(
    executor,
    `UPDATE fallbacks
     SET state = 'unknown', error_code = 'interrupted', wake_at = $3, updated_at = $3,
       reason = 'The worker ended while the provider was asked, which may or may not have sent it'
     WHERE app_id = $1 AND message_id = $2 AND state = 'sending' AND wake_at <= $3
     RETURNING 1`,
    [appId, messageId, now],
  );
  return lapsed.length;
}
