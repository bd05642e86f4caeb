import { type Executor, rows } from '../database/executor';
import type { MessageKey } from '../pages/find-cancelled-messages.query';

/** What became of leases that were over. */
export interface LapsedFallbacks {
  /** Their requests were never written: they wait again, and are due. */
  unwritten: number;
  /** The provider may have taken them: it is to be asked at once. */
  unknown: number;
}

/**
 * Ends the leases that are over: whoever was sending died. What he had not begun to write is due again; of the rest nobody
 * knows whether the provider took it.
 */
export async function lapseFallbacks(
  executor: Executor,
  { appId, messageId }: MessageKey,
  now: Date,
): Promise<LapsedFallbacks> {
  const lapsed = await rows<{ state: string }>(
    executor,
    `UPDATE fallbacks
     SET state = CASE WHEN is_unwritten THEN 'waiting' ELSE 'unknown' END, is_unwritten = false, wake_at = $3, updated_at = $3,
       error_code = CASE WHEN is_unwritten THEN NULL ELSE 'interrupted' END,
       reason = CASE WHEN NOT is_unwritten
         THEN 'The worker ended while the provider was asked, which may or may not have sent it' END
     WHERE app_id = $1 AND message_id = $2 AND state = 'sending' AND wake_at <= $3
     RETURNING state`,
    [appId, messageId, now],
  );
  const unwritten = lapsed.filter(({ state }) => state === 'waiting').length;
  return { unwritten, unknown: lapsed.length - unwritten };
}
