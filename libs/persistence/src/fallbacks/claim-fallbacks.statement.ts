import {
  CONFIRMING_STATES,
  DEFAULT_CHANNELS,
  deliveryStateRank,
  FREQUENCY_CAPPED,
  type Lane,
  LOCALE_ATTRIBUTE,
  type QuietHours,
  type FallbackState,
} from '@postrider/domain';
import { type Sql, sql, parameter, literal } from '../sql';
import type { MessageKey } from '../partitions/message-key';

/** The rank from which a delivery confirms its message, except under the policy `SHOWN`. */
export const USUAL_CONFIRMING_RANK = deliveryStateRank(CONFIRMING_STATES.usual);

const SHOWN_CONFIRMING_RANK = deliveryStateRank(CONFIRMING_STATES.SHOWN);

/** The rank from which a delivery confirms its message. @param policy `fallbacks.policy` */
export function confirmingRank(policy: Sql): Sql {
  return sql`CASE ${policy} WHEN 'SHOWN' THEN ${SHOWN_CONFIRMING_RANK}::int ELSE ${USUAL_CONFIRMING_RANK}::int END`;
}

/** A due fallback, and what decides about it. */
export interface DueFallback {
  userId: string;
  fallbackId: string;
  attempt: number;
  /** The attribute `phone` of the user, or else of the device that they used last. As it is stored: any JSON. */
  phoneAttribute: unknown;
  isCancelled: boolean;
  /** True if the user has devices, and none of them is a member of the message's channel. */
  isOutsideChannel: boolean;
  expiresAt: Date;
  /** The text of the SMS as the sender wrote it. */
  content: string;
  /** The application's region for numbers without a country code. */
  defaultRegion: string | null;
  lane: Lane;
  /** Null: no quiet hours, or none for this message. */
  quietHours: QuietHours | null;
  /** The user's time zone, from the device that they used last; and the default of the application. */
  timeZone: string | null;
  defaultTimeZone: string | null;
  /**
   * What may name the user's language, in this order: their attribute `locale`, the locale of the device that they used
   * last. As they are stored. Null: the message has no languages.
   */
  locales: unknown[] | null;
}

/**
 * Locks a message's waiting fallbacks that are due, skips those that another transaction has locked, and reads what
 * decides about them.
 */
export function lockDueFallbacksStatement({ appId, messageId }: MessageKey, now: Date, limit: number): Sql {
  const [app, message, moment] = [parameter(appId), parameter(messageId), parameter(now)];
  return sql`
    WITH due AS MATERIALIZED (
      SELECT user_id, fallback_id, attempt FROM fallbacks
      WHERE app_id = ${app} AND message_id = ${message} AND state = 'waiting' AND wake_at <= ${moment}
      ORDER BY wake_at LIMIT ${limit}
      FOR UPDATE SKIP LOCKED
    )
    SELECT due.user_id AS "userId", due.fallback_id AS "fallbackId", due.attempt,
      coalesce((
        SELECT nullif(u.attributes -> 'phone', 'null') FROM users u WHERE u.app_id = ${app} AND u.user_id = due.user_id
      ), device.phone) AS "phoneAttribute",
      coalesce(m.channel <> ALL (${DEFAULT_CHANNELS}::text[]) AND (
        SELECT NOT bool_or(i.channels @> ARRAY[m.channel]) FROM installations i WHERE i.app_id = ${app} AND i.user_id = due.user_id
      ), false) AS "isOutsideChannel",
      coalesce(m.status = 'cancelled', false) AS "isCancelled", coalesce(m.expires_at, ${moment}) AS "expiresAt",
      coalesce(m.content -> 'fallback' ->> 'content', '') AS content, a.default_region AS "defaultRegion",
      coalesce(m.lane, 'transactional') AS lane, CASE WHEN NOT m.ignore_quiet_hours THEN a.quiet_hours END AS "quietHours",
      (SELECT i.time_zone FROM installations i
        WHERE i.app_id = ${app} AND i.user_id = due.user_id AND i.time_zone IS NOT NULL
        ORDER BY i.launch_time DESC LIMIT 1) AS "timeZone", a.default_time_zone AS "defaultTimeZone",
      CASE WHEN m.content ? 'localized' THEN json_build_array(
        (SELECT u.attributes -> ${literal(LOCALE_ATTRIBUTE)} FROM users u WHERE u.app_id = ${app} AND u.user_id = due.user_id),
        (SELECT i.locale FROM installations i
          WHERE i.app_id = ${app} AND i.user_id = due.user_id AND i.locale IS NOT NULL
          ORDER BY i.launch_time DESC LIMIT 1)
      ) END AS locales
    FROM due
    LEFT JOIN messages m ON m.app_id = ${app} AND m.id = ${message}
    JOIN applications a ON a.app_id = ${app}
    LEFT JOIN LATERAL (
      SELECT i.attributes -> 'phone' AS phone FROM installations i
      WHERE i.app_id = ${app} AND i.user_id = due.user_id AND i.attributes -> 'phone' <> 'null'
      ORDER BY i.launch_time DESC LIMIT 1
    ) device ON true`;
}

/** The decision about one locked fallback. */
export interface FallbackVerdict {
  userId: string;
  /** `sending`, unless a device confirmed the message meanwhile. */
  state: Extract<FallbackState, 'sending' | 'expired' | 'cancelled' | 'no_phone' | 'failed'>;
  phone: string | null;
  /** Why it failed, as a code. */
  errorCode?: string;
  reason: string | null;
}

/** The provider that gets SMS, and the revision of the credentials. */
export interface SmsAccount {
  provider: string;
  revision: string | null;
}

/** Who claims fallbacks, and until when. */
export interface FallbackClaim {
  /** Null if there is none: no SMS is claimed for sending. */
  account: SmsAccount | null;
  now: Date;
  leaseEndsAt: Date;
}

/**
 * Applies verdicts to locked fallbacks, unless a device has confirmed the message. Users who reached a frequency cap
 * get no SMS either. Scalar subqueries and `ANY` look rows up by their whole key, whatever the statistics of a new
 * day's tables say. Joins might read all deliveries or fallbacks of the message for each user.
 */
export function claimFallbacksStatement(
  { appId, messageId }: MessageKey,
  verdicts: readonly FallbackVerdict[],
  { account, now, leaseEndsAt }: FallbackClaim,
): Sql {
  const [app, message, moment] = [parameter(appId), parameter(messageId), parameter(now)];
  const users = parameter(verdicts.map(({ userId }) => userId));
  const policy = sql`(
            SELECT f.policy FROM fallbacks f WHERE f.app_id = ${app} AND f.message_id = ${message} AND f.user_id = v.user_id
          )`;
  return sql`
    WITH decided AS MATERIALIZED (
      SELECT v.user_id, v.phone, CASE WHEN capped.is_so THEN ${literal(FREQUENCY_CAPPED.reason)} ELSE v.reason END AS reason, v.error_code, CASE
        WHEN v.state IN ('sending', 'no_phone', 'failed') AND EXISTS (
          SELECT 1 FROM installations i
          WHERE i.app_id = ${app} AND i.user_id = v.user_id AND (
            SELECT d.rank FROM deliveries d WHERE d.app_id = ${app} AND d.message_id = ${message} AND d.device_id = i.id
          ) >= ${confirmingRank(policy)}
        ) THEN 'confirmed'
        WHEN v.state IN ('sending', 'no_phone', 'failed') AND capped.is_so THEN 'cancelled' ELSE v.state END AS state
      FROM unnest(
        ${users}::text[],
        ${verdicts.map(({ state }) => state)}::text[],
        ${verdicts.map(({ phone }) => phone)}::text[],
        ${verdicts.map(({ reason }) => reason)}::text[],
        ${verdicts.map(({ errorCode }) => errorCode ?? null)}::text[]
      )
        AS v (user_id, state, phone, reason, error_code)
      CROSS JOIN LATERAL (
        SELECT EXISTS (
          SELECT FROM installations i WHERE i.app_id = ${app} AND i.user_id = v.user_id AND (
            SELECT d.error_code FROM deliveries d WHERE d.app_id = ${app} AND d.message_id = ${message} AND d.device_id = i.id
          ) = ${literal(FREQUENCY_CAPPED.errorCode)}
        ) AS is_so
      ) capped
    )
    UPDATE fallbacks f
    SET state = j.state, phone = coalesce(j.phone, f.phone),
      error_code = CASE WHEN j.state = 'failed' THEN j.error_code END,
      reason = CASE WHEN j.state IN ('sending', 'confirmed') THEN NULL ELSE j.reason END,
      wake_at = CASE WHEN j.state = 'sending' THEN ${leaseEndsAt}::timestamptz END,
      attempt = f.attempt + (j.state = 'sending')::int, is_unwritten = j.state = 'sending',
      provider = CASE WHEN j.state = 'sending' THEN ${account?.provider ?? null} ELSE f.provider END,
      credentials_revision = CASE WHEN j.state = 'sending' THEN ${account?.revision ?? null}::bigint ELSE f.credentials_revision END,
      attempted_at = CASE WHEN j.state = 'sending' THEN ${moment}::timestamptz ELSE f.attempted_at END,
      ended_at = CASE WHEN j.state <> 'sending' THEN ${moment}::timestamptz END,
      updated_at = ${moment}
    FROM decided j
    WHERE f.app_id = ${app} AND f.message_id = ${message} AND f.user_id = ANY (${users}::text[]) AND f.user_id = j.user_id
      AND f.state = 'waiting'
    RETURNING f.user_id AS "userId", f.state, f.attempt`;
}
