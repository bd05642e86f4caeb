import type { FallbackState } from '@postrider/domain';
import type { PhoneDigest } from '@postrider/platform';
import { type Executor, rows } from '../database/executor';
import { recordOptOuts } from './opted-out-numbers.query';
import { RECORD_SENT_FALLBACKS } from '../webhooks/record-sent-fallbacks';
import type { MessageKey } from '../pages/find-cancelled-messages.query';

/** One attempt at one fallback. */
export interface FallbackAttempt extends MessageKey {
  userId: string;
  attempt: number;
}

/** What came of an attempt. */
export interface FallbackResult {
  state: Extract<FallbackState, 'waiting' | 'sent' | 'unknown' | 'failed'>;
  providerMessageId: string | null;
  errorCode: string | null;
  reason: string | null;
  /** When to see to it again. */
  wakeAt: Date | null;
}

/**
 * Records what came of an attempt. It counts while the attempt is the newest one. A report of the provider's that came first
 * stands; its lapse (`unknown`, or `waiting` when it was to be sent again) does not. Webhooks that ask for it hear of an SMS that the provider took.
 *
 * @returns the state the fallback is in now; null when another attempt has begun
 */
export async function recordFallback(
  executor: Executor,
  { appId, messageId, userId, attempt }: FallbackAttempt,
  { state, providerMessageId, errorCode, reason, wakeAt }: FallbackResult,
  { now, digest }: { now: Date; digest: PhoneDigest },
): Promise<FallbackState | null> {
  const { inner, outer } = digest.pads();
  const [recorded] = await rows<{ state: FallbackState }>(
    executor,
    `WITH recorded AS (
     UPDATE fallbacks
     SET state = CASE WHEN is_open THEN $5 ELSE state END,
       provider_message_id = coalesce($6, provider_message_id),
       error_code = CASE WHEN is_open THEN $7 ELSE error_code END,
       reason = CASE WHEN is_open THEN $8 ELSE reason END,
       wake_at = CASE WHEN is_open THEN $9::timestamptz ELSE wake_at END,
       sent_at = CASE WHEN $5 = 'sent' THEN coalesce(sent_at, $10::timestamptz) ELSE sent_at END,
       ended_at = CASE WHEN is_open AND $5 = 'failed' THEN $10::timestamptz ELSE ended_at END,
       is_unwritten = false, updated_at = $10
     FROM (SELECT state IN ('sending', 'unknown') OR (state = 'waiting' AND $5 = 'sent') AS is_open, sent_at IS NULL AS is_unsent FROM fallbacks
       WHERE app_id = $1 AND message_id = $2 AND user_id = $3 FOR UPDATE) AS held
     WHERE fallbacks.app_id = $1 AND fallbacks.message_id = $2 AND fallbacks.user_id = $3 AND attempt = $4
     RETURNING state, app_id, message_id, user_id, provider, phone, error_code, updated_at, sent_at, is_unsent
     ), told AS (${RECORD_SENT_FALLBACKS}), suppressed AS (${recordOptOuts('$11', '$12')})
     SELECT state FROM recorded`,
    [appId, messageId, userId, attempt, state, providerMessageId, errorCode, reason, wakeAt, now, inner, outer],
  );
  return recorded?.state ?? null;
}
