import type { FallbackState } from '@postrider/domain';
import { type Executor, rows } from '../database/executor';
import type { MessageKey } from '../pages/find-cancelled-messages.query';

/** What is to become of one locked fallback. */
export interface FallbackVerdict {
  userId: string;
  /** `sending`, unless a device confirmed the message meanwhile. */
  state: Extract<FallbackState, 'sending' | 'expired' | 'cancelled' | 'no_phone' | 'failed'>;
  phone: string | null;
  /** Why it failed, in a word. */
  errorCode?: string;
  reason: string | null;
}

/** Who claims, and until when. */
export interface FallbackClaim {
  provider: string | null;
  now: Date;
  leaseEndsAt: Date;
}

/** How one verdict ended. */
export interface ClaimedFallback {
  userId: string;
  state: FallbackState;
  /** The number of this attempt, for those that are `sending`. */
  attempt: number;
}

/**
 * Carries out verdicts on fallbacks that the transaction has locked. Confirmation is looked at here, by the newest
 * snapshot there is, in the statement that claims: what is not `sending` after it is never sent. A device confirmed when
 * its delivery reached `delivered`; under the policy `SHOWN`, when it reached `shown`.
 */
export async function claimFallbacks(
  executor: Executor,
  { appId, messageId }: MessageKey,
  verdicts: readonly FallbackVerdict[],
  { provider, now, leaseEndsAt }: FallbackClaim,
): Promise<ClaimedFallback[]> {
  return rows<ClaimedFallback>(executor, CLAIM, [
    appId,
    messageId,
    verdicts.map(({ userId }) => userId),
    verdicts.map(({ state }) => state),
    verdicts.map(({ phone }) => phone),
    verdicts.map(({ reason }) => reason),
    provider,
    now,
    leaseEndsAt,
    verdicts.map(({ errorCode }) => errorCode ?? null),
  ]);
}

/**
 * 3 and 4: the ranks of `delivered` and `shown` (`deliveryStateRank`). Scalar subqueries and `ANY` look rows up by their whole
 * key whatever is known of a day's new tables; joins might read all deliveries or fallbacks of the message for each user.
 */
const CLAIM = `
  WITH judged AS MATERIALIZED (
    SELECT v.user_id, v.phone, v.reason, v.error_code, CASE
      WHEN v.state IN ('sending', 'no_phone', 'failed') AND EXISTS (
        SELECT 1 FROM installations i
        WHERE i.app_id = $1 AND i.user_id = v.user_id AND (
          SELECT d.rank FROM deliveries d WHERE d.app_id = $1 AND d.message_id = $2 AND d.device_id = i.id
        ) >= CASE (
          SELECT f.policy FROM fallbacks f WHERE f.app_id = $1 AND f.message_id = $2 AND f.user_id = v.user_id
        ) WHEN 'SHOWN' THEN 4 ELSE 3 END
      ) THEN 'confirmed' ELSE v.state END AS state
    FROM unnest($3::text[], $4::text[], $5::text[], $6::text[], $10::text[])
      AS v (user_id, state, phone, reason, error_code)
  )
  UPDATE fallbacks f
  SET state = j.state, phone = coalesce(j.phone, f.phone),
    error_code = CASE WHEN j.state = 'failed' THEN j.error_code END,
    reason = CASE WHEN j.state IN ('sending', 'confirmed') THEN NULL ELSE j.reason END,
    wake_at = CASE WHEN j.state = 'sending' THEN $9::timestamptz END,
    attempt = f.attempt + (j.state = 'sending')::int, is_unwritten = j.state = 'sending',
    provider = CASE WHEN j.state = 'sending' THEN $7 ELSE f.provider END,
    attempted_at = CASE WHEN j.state = 'sending' THEN $8::timestamptz ELSE f.attempted_at END,
    ended_at = CASE WHEN j.state <> 'sending' THEN $8::timestamptz END,
    updated_at = $8
  FROM judged j
  WHERE f.app_id = $1 AND f.message_id = $2 AND f.user_id = ANY ($3::text[]) AND f.user_id = j.user_id
    AND f.state = 'waiting'
  RETURNING f.user_id AS "userId", f.state, f.attempt`;
