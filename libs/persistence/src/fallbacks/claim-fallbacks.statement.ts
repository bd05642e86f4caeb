import type { FallbackState } from '@postrider/domain';
import type { MessageKey } from '../messages/message-key';
import { parameter, type Sql, sql } from '../sql';
import { confirmingRank } from './confirming-rank';

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

/**
 * Carries out verdicts on locked fallbacks, unless a device has confirmed. Scalar subqueries and `ANY` look rows up by their
 * whole key whatever is known of a day's new tables; joins might read all deliveries or fallbacks of the message for each user.
 */
export function claimFallbacksStatement(
  { appId, messageId }: MessageKey,
  verdicts: readonly FallbackVerdict[],
  { provider, now, leaseEndsAt }: FallbackClaim,
): Sql {
  const [app, message, moment] = [parameter(appId), parameter(messageId), parameter(now)];
  const users = parameter(verdicts.map(({ userId }) => userId));
  const policy = sql`(
            SELECT f.policy FROM fallbacks f WHERE f.app_id = ${app} AND f.message_id = ${message} AND f.user_id = v.user_id
          )`;
  return sql`
    WITH decided AS MATERIALIZED (
      SELECT v.user_id, v.phone, v.reason, v.error_code, CASE
        WHEN v.state IN ('sending', 'no_phone', 'failed') AND EXISTS (
          SELECT 1 FROM installations i
          WHERE i.app_id = ${app} AND i.user_id = v.user_id AND (
            SELECT d.rank FROM deliveries d WHERE d.app_id = ${app} AND d.message_id = ${message} AND d.device_id = i.id
          ) >= ${confirmingRank(policy)}
        ) THEN 'confirmed' ELSE v.state END AS state
      FROM unnest(
        ${users}::text[],
        ${verdicts.map(({ state }) => state)}::text[],
        ${verdicts.map(({ phone }) => phone)}::text[],
        ${verdicts.map(({ reason }) => reason)}::text[],
        ${verdicts.map(({ errorCode }) => errorCode ?? null)}::text[]
      )
        AS v (user_id, state, phone, reason, error_code)
    )
    UPDATE fallbacks f
    SET state = j.state, phone = coalesce(j.phone, f.phone),
      error_code = CASE WHEN j.state = 'failed' THEN j.error_code END,
      reason = CASE WHEN j.state IN ('sending', 'confirmed') THEN NULL ELSE j.reason END,
      wake_at = CASE WHEN j.state = 'sending' THEN ${leaseEndsAt}::timestamptz END,
      attempt = f.attempt + (j.state = 'sending')::int, is_unwritten = j.state = 'sending',
      provider = CASE WHEN j.state = 'sending' THEN ${provider} ELSE f.provider END,
      attempted_at = CASE WHEN j.state = 'sending' THEN ${moment}::timestamptz ELSE f.attempted_at END,
      ended_at = CASE WHEN j.state <> 'sending' THEN ${moment}::timestamptz END,
      updated_at = ${moment}
    FROM decided j
    WHERE f.app_id = ${app} AND f.message_id = ${message} AND f.user_id = ANY (${users}::text[]) AND f.user_id = j.user_id
      AND f.state = 'waiting'
    RETURNING f.user_id AS "userId", f.state, f.attempt`;
}
