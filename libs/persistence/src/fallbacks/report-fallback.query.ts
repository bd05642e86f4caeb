import { FALLBACK_STATES_BEFORE, type SmsStatus } from '@postrider/domain';
import type { PhoneDigest } from '@postrider/platform';
import { type Executor, rows } from '../database/executor';
import { recordOptOuts } from './opted-out-numbers.query';
import { RECORD_SENT_FALLBACKS } from '../webhooks/record-sent-fallbacks';

/** What a provider says of one SMS, and how it names it: by our id, or by its own. */
export interface FallbackReport {
  provider: string;
  fallbackId: string | null;
  providerMessageId: string | null;
  status: SmsStatus;
  errorCode: string | null;
  reason: string | null;
}

/**
 * Records a provider's report. States only move forward (`FALLBACK_STATES_BEFORE`), so reports may come early, late, twice
 * and in any order. A report about a fallback that waits for another attempt proves that an earlier one was taken after all.
 *
 * @returns whether the report changed anything
 */
export async function reportFallback(
  executor: Executor,
  appId: string,
  { provider, fallbackId, providerMessageId, status, errorCode, reason }: FallbackReport,
  { now, digest }: { now: Date; digest: PhoneDigest },
): Promise<boolean> {
  const { inner, outer } = digest.pads();
  const named = fallbackId === null ? '$2::uuid IS NULL AND provider_message_id = $3' : 'fallback_id = $2::uuid';
  const moved = await rows(
    executor,
    `WITH recorded AS (
     UPDATE fallbacks
     SET state = $4, provider_message_id = coalesce(provider_message_id, $3::text), error_code = $5, reason = $6,
       wake_at = CASE WHEN $4 = 'sent' AND state = 'unknown' THEN wake_at END,
       sent_at = coalesce(sent_at, $7::timestamptz),
       ended_at = CASE WHEN $4 <> 'sent' THEN $7::timestamptz END, updated_at = $7
     FROM (SELECT message_id AS held_message, user_id AS held_user, sent_at IS NULL AS is_unsent FROM fallbacks
       WHERE app_id = $1 AND attempted_at IS NOT NULL AND state = ANY ($8::text[]) AND provider = $9 AND ${named}
       FOR UPDATE) AS held
     WHERE app_id = $1 AND message_id = held_message AND user_id = held_user AND state = ANY ($8::text[])
     RETURNING state, app_id, message_id, user_id, provider, phone, error_code, updated_at, sent_at,
       is_unsent AND $4 <> 'failed' AS is_unsent
     ), told AS (${RECORD_SENT_FALLBACKS}), suppressed AS (${recordOptOuts('$10', '$11')})
     SELECT 1 FROM recorded`,
    [
      appId,
      fallbackId,
      providerMessageId,
      status,
      errorCode,
      reason,
      now,
      FALLBACK_STATES_BEFORE[status],
      provider,
      inner,
      outer,
    ],
  );
  return moved.length > 0;
}
