import type { Lane, QuietHours } from '@postrider/domain';
import type { MessageKey } from '../messages/message-key';
import { parameter, type Sql, sql } from '../sql';

/** A fallback whose time has come, with what decides over it. */
export interface DueFallback {
  userId: string;
  fallbackId: string;
  attempt: number;
  /** The attribute `phone`: the user's, else that of the device they last used. As it is stored: any JSON. */
  phoneAttribute: unknown;
  isCancelled: boolean;
  expiresAt: Date;
  /** The SMS as it was asked for. */
  content: string;
  /** The application's region for numbers without a country code. */
  defaultRegion: string | null;
  lane: Lane;
  /** Null: none, or none for this message. */
  quietHours: QuietHours | null;
  /** Where the user is, as the device says that was used last; and where one is that does not say. */
  timeZone: string | null;
  defaultTimeZone: string | null;
}

/** Locks a message's waiting fallbacks that are due, passing by those that somebody else holds, and reads what decides over them. */
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
      coalesce(m.status = 'cancelled', false) AS "isCancelled", coalesce(m.expires_at, ${moment}) AS "expiresAt",
      coalesce(m.content -> 'fallback' ->> 'content', '') AS content, a.default_region AS "defaultRegion",
      coalesce(m.lane, 'transactional') AS lane, CASE WHEN NOT m.ignore_quiet_hours THEN a.quiet_hours END AS "quietHours",
      (SELECT i.time_zone FROM installations i
        WHERE i.app_id = ${app} AND i.user_id = due.user_id AND i.time_zone IS NOT NULL
        ORDER BY i.launch_time DESC LIMIT 1) AS "timeZone", a.default_time_zone AS "defaultTimeZone"
    FROM due
    LEFT JOIN messages m ON m.app_id = ${app} AND m.id = ${message}
    JOIN applications a ON a.app_id = ${app}
    LEFT JOIN LATERAL (
      SELECT i.attributes -> 'phone' AS phone FROM installations i
      WHERE i.app_id = ${app} AND i.user_id = due.user_id AND i.attributes -> 'phone' <> 'null'
      ORDER BY i.launch_time DESC LIMIT 1
    ) device ON true`;
}
