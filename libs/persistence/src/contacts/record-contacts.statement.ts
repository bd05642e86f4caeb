import type { DeviceId, FrequencyCap } from '@postrider/domain';
import { packOf } from '../packs/packed-deliveries';
import { joined, literal, parameter, type Parameter, sql, type Sql } from '../sql';

/** A device that a counted message is about to be sent to, and its user. */
export interface ContactedDevice {
  id: DeviceId;
  userId: string;
}

/** Devices of one message, in the moment before it is sent to them. */
export interface Contacts {
  appId: string;
  messageId: string;
  devices: readonly ContactedDevice[];
  /** Those that the message keeps; none: it only counts. */
  caps: readonly FrequencyCap[];
  /** The longest stretch that any cap of the application looks back, in seconds. */
  longestSeconds: number;
  /** `applications.contacts_since`. */
  since: Date;
  now: Date;
}

/**
 * An entry is written before its device is sent to. By how much the vendor's answer may come later, at most: within this beyond the
 * end of a cap's stretch, the time of the delivery is looked up.
 */
export const SENT_LATER_SECONDS = 3_600;

/** A row with so many entries is tidied before it gets another. */
const MOST_ENTRIES = 64;
const PLACES = [1, 2, 3, 4, 5];

/** How it is decided whether a user may have the message. */
export type CapTest = 'quick' | 'exact';

/**
 * Counts a message for the users of its devices, those who may have it. One statement, and the row's lock decides among campaigns
 * that reach a user at the same moment: rows are locked in their order. Gives the `id`s of devices whose users may not have it, or of
 * whom the quick test does not know.
 *
 * The quick test looks at one entry for each cap, and counts a message for each device it was sent to, even where that failed:
 * it may refuse too many, never too few.
 */
export function recordContactsStatement(contacts: Contacts, test: CapTest): Sql {
  const { appId, devices, since } = contacts;
  const [app, message] = [parameter(appId), parameter(contacts.messageId, 'uuid')];
  const [now, countedSince] = [parameter(contacts.now, 'timestamptz'), parameter(since, 'timestamptz')];
  const condition = test === 'quick' ? quickTest(contacts) : exactTest(contacts, message);
  return sql`
  WITH asked AS MATERIALIZED (
    SELECT user_id COLLATE "C" AS user_id, array_agg(id) AS device_ids, count(*)::integer AS size
    FROM unnest(${devices.map(({ userId }) => userId)}::text[], ${devices.map(({ id }) => id)}::bigint[]) AS d (user_id, id)
    GROUP BY 1
  ), granted AS (
    INSERT INTO user_contacts AS c (app_id, user_id, message_ids, device_ids, times, counted_since)
    SELECT ${app}, user_id, array_fill(${message}, ARRAY[size]), device_ids, array_fill(${now}, ARRAY[size]), ${countedSince}
    FROM asked ORDER BY user_id
    ON CONFLICT (app_id, user_id) DO UPDATE
    SET message_ids = excluded.message_ids || c.message_ids, device_ids = excluded.device_ids || c.device_ids,
      times = excluded.times || c.times, counted_since = excluded.counted_since
    WHERE ${condition}
    RETURNING user_id
  )
  SELECT device.id::text AS id FROM asked CROSS JOIN LATERAL unnest(asked.device_ids) AS device (id)
  WHERE asked.user_id NOT IN (SELECT user_id FROM granted)`;
}

/** The entry with the place of what a cap allows is older than the cap looks back. */
function quickTest({ caps, now }: Contacts): Sql {
  const messages = parameter(
    caps.map((cap) => cap.messages),
    'integer[]',
  );
  const ends = parameter(
    caps.map(({ seconds }) => secondsBefore(now, seconds + SENT_LATER_SECONDS)),
    'timestamptz[]',
  );
  const tests = PLACES.map((place) => {
    const at = literal(place);
    return sql`coalesce(c.times[(${messages})[${at}]] <= (${ends})[${at}], true)`;
  });
  return sql`cardinality(c.times) < ${literal(MOST_ENTRIES)} AND ${joined(tests, ' AND ')}`;
}

/**
 * A message that a user has on another device already is none the more. Where it would be, fewer others than the cap allows
 * were sent to the user.
 */
function exactTest({ caps, now }: Contacts, message: Parameter): Sql {
  const messages = caps.map((cap) => cap.messages);
  const ends = caps.map(({ seconds }) => secondsBefore(now, seconds));
  return sql`NOT EXISTS (
      SELECT FROM unnest(${messages}::integer[], ${ends}::timestamptz[]) AS cap (messages, since)
      CROSS JOIN LATERAL (
        SELECT count(DISTINCT e.message_id) AS sent, coalesce(bool_or(e.message_id = ${message}), false) AS has_it
        FROM unnest(c.message_ids, c.times) AS e (message_id, at) WHERE e.at > cap.since
      ) lately
      WHERE NOT lately.has_it AND lately.sent >= cap.messages
    )`;
}

/** States of deliveries that were not sent. */
export const NOT_SENT = sql`('failed', 'expired', 'skipped', 'cancelled')`;

/** From when on entries matter. */
export function keptSince({ now, longestSeconds }: Pick<Contacts, 'now' | 'longestSeconds'>): Date {
  return secondsBefore(now, longestSeconds + SENT_LATER_SECONDS);
}

/**
 * Makes the rows of the users of these devices what is true by now: what failed, expired or was cancelled goes, as does what no cap
 * looks back to; what was sent later than it was written has the time at which it was sent, or
 * was packed.
 */
export function tidyContactsStatement(contacts: Contacts): Sql {
  const app = parameter(contacts.appId);
  const users = [...new Set(contacts.devices.map(({ userId }) => userId))];
  const packed = packOf({ app: sql`${app}`, message: sql`e.message_id`, device: sql`e.device_id` });
  return sql`
  WITH held AS MATERIALIZED (
    SELECT user_id, message_ids, device_ids, times FROM user_contacts
    WHERE app_id = ${app} AND user_id = ANY (${users}::text[]) ORDER BY user_id FOR NO KEY UPDATE
  ), tidy AS MATERIALIZED (
    SELECT held.user_id, coalesce(array_agg(k.message_id ORDER BY k.at DESC) FILTER (WHERE k.at IS NOT NULL), '{}') AS message_ids,
      coalesce(array_agg(k.device_id ORDER BY k.at DESC) FILTER (WHERE k.at IS NOT NULL), '{}') AS device_ids,
      coalesce(array_agg(k.at ORDER BY k.at DESC) FILTER (WHERE k.at IS NOT NULL), '{}') AS times
    FROM held LEFT JOIN LATERAL (
      SELECT e.message_id, e.device_id, max(greatest(e.at, o.sent_at, (SELECT k.created_at ${packed} LIMIT 1))) AS at
      FROM unnest(held.message_ids, held.device_ids, held.times) AS e (message_id, device_id, at)
      LEFT JOIN LATERAL (
        SELECT d.state, d.sent_at FROM deliveries d
        WHERE d.app_id = ${app} AND d.message_id = e.message_id AND d.device_id = e.device_id LIMIT 1
      ) o ON true
      WHERE e.at > ${keptSince(contacts)}::timestamptz AND (o.state IS NULL OR o.state NOT IN ${NOT_SENT})
      GROUP BY e.message_id, e.device_id
    ) k ON true
    GROUP BY held.user_id
  )
  UPDATE user_contacts c SET message_ids = t.message_ids, device_ids = t.device_ids, times = t.times
  FROM tidy t WHERE c.app_id = ${app} AND c.user_id = t.user_id`;
}

function secondsBefore(moment: Date, seconds: number): Date {
  return new Date(moment.getTime() - seconds * 1_000);
}
