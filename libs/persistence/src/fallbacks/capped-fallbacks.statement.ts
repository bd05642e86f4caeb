import { DEFAULT_CHANNELS, type DeviceId, type FrequencyCap, type Lane, type MessageContent } from '@postrider/domain';
import type { MessageKey } from '../partitions/message-key';
import { packOf } from '../packs/packed-deliveries';
import { type Sql, sql, parameter } from '../sql';

/** What decides if frequency caps apply to a message with fallbacks. */
export interface CapsOfMessage {
  lane: Lane;
  content: Pick<MessageContent, 'countsTowardsCap' | 'ignoreFrequencyCap' | 'isTest'>;
  frequencyCaps: FrequencyCap[];
  /** `applications.contacts_since`. */
  since: Date;
}

/** A user whose fallback is due. */
export interface UserOfDueFallback {
  userId: string;
  /**
   * A device that the message has not reached yet, so that no page has checked the caps for this user. Null: a page has,
   * or the user has no device that the message is for.
   */
  undecidedDevice: DeviceId | null;
}

/** Reads what decides if frequency caps apply to a message; no row if the application counts nothing. */
export function capsOfMessageStatement({ appId, messageId }: MessageKey): Sql {
  return sql`
    SELECT m.lane, jsonb_build_object('countsTowardsCap', m.content -> 'countsTowardsCap',
        'ignoreFrequencyCap', m.content -> 'ignoreFrequencyCap', 'isTest', m.content -> 'isTest') AS content,
      a.frequency_caps AS "frequencyCaps", a.contacts_since AS since
    FROM messages m JOIN applications a ON a.app_id = m.app_id
    WHERE m.app_id = ${appId} AND m.id = ${messageId} AND a.contacts_since IS NOT NULL`;
}

/** Finds the users of a message's due fallbacks, and for whom of them no page has checked the caps. */
export function usersOfDueFallbacksStatement({ appId, messageId }: MessageKey, now: Date, limit: number): Sql {
  const [app, message] = [parameter(appId), parameter(messageId)];
  const packed = packOf({ app: sql`${app}::text`, message: sql`${message}::uuid`, device: sql`i.id` });
  const isDecided = sql`EXISTS (
            SELECT FROM deliveries d WHERE d.app_id = ${app} AND d.message_id = ${message} AND d.device_id = i.id
          ) OR EXISTS (SELECT ${packed})`;
  return sql`
    SELECT due.user_id AS "userId", CASE WHEN NOT device.is_decided THEN device.id::text END AS "undecidedDevice"
    FROM (
      SELECT user_id FROM fallbacks
      WHERE app_id = ${app} AND message_id = ${message} AND state = 'waiting' AND wake_at <= ${parameter(now)}
      ORDER BY wake_at LIMIT ${limit}
    ) due
    JOIN messages m ON m.app_id = ${app} AND m.id = ${message}
    CROSS JOIN LATERAL (
      SELECT max(i.id) AS id, coalesce(bool_or(${isDecided}), true) AS is_decided FROM installations i
      WHERE i.app_id = ${app} AND i.user_id = due.user_id
        AND (m.channel = ANY (${DEFAULT_CHANNELS}::text[]) OR i.channels @> ARRAY[m.channel])
    ) device`;
}
