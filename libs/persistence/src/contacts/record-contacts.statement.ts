import type { DeviceId, FrequencyCap } from '@postrider/domain';
import { packOf } from '../packs/packed-deliveries';
import { joined, literal, parameter, type Parameter, sql, type Sql } from '../sql';

/** A device that is about to get a counted message, and its user. */
export interface ContactedDevice {
  id: DeviceId;
  userId: string;
}

/** Devices of one message, just before it is sent to them. */
export interface Contacts {
  appId: string;
  messageId: string;
  devices: readonly ContactedDevice[];
  /** All caps of the application. */
  frequencyCaps: readonly FrequencyCap[];
  /** True if the message respects the caps. False: it is only counted. */
  isCapped: boolean;
  /** `applications.contacts_since`. */
  since: Date;
  now: Date;
}

/**
 * How much later than its entry a message may be accepted by the vendor. An entry that is older than a cap's period by
 * less than this is checked against the time of the delivery.
 */
const SENT_LATER_SECONDS = 3_600;

/** A row with this many entries is tidied before it gets another one. */
const MOST_ENTRIES = 64;
const PLACES = [1, 2, 3, 4, 5];

/** How the statement decides if a user may get the message. */
export type CapTest = 'quick' | 'exact';

/**
 * Counts a message for the users of its devices who may get it. It is one statement; the lock of a user's row decides
 * between campaigns that reach a user at the same moment, and rows are locked in order. Returns the `id`s of devices
 * whose users may not get the message, or about whom the quick test cannot decide.
 *
 * The quick test looks at one entry for each cap, and counts a message once per device, even if the delivery failed. So
 * it may refuse too many users, but never too few.
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

/** True if the entry at the place of the cap's limit is older than the period of the cap. */
function quickTest({ now, ...contacts }: Contacts): Sql {
  const caps = respectedBy(contacts);
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
 * A message that the user already has on another device does not count again. Otherwise the user may get it if fewer
 * other messages were sent to them than the cap allows.
 */
function exactTest({ now, ...contacts }: Contacts, message: Parameter): Sql {
  const caps = respectedBy(contacts);
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

function respectedBy({
  isCapped,
  frequencyCaps,
}: Pick<Contacts, 'isCapped' | 'frequencyCaps'>): readonly FrequencyCap[] {
  return isCapped ? frequencyCaps : [];
}

/** States of deliveries that were not sent. */
export const NOT_SENT = sql`('failed', 'expired', 'skipped', 'cancelled')`;

/** From when on entries matter: a message that is only counted matters to the caps of others. */
export function keptSince({ now, frequencyCaps }: Pick<Contacts, 'now' | 'frequencyCaps'>): Date {
  const longestSeconds = Math.max(...frequencyCaps.map(({ seconds }) => seconds));
  return secondsBefore(now, longestSeconds + SENT_LATER_SECONDS);
}

/**
 * Locks the rows of the users of these devices, for `tidyContactsStatement`. It is a statement of its own because
 * PostgreSQL 18 can crash where a statement that locks rows finds its partitions while it runs (docs/decisions/0039).
 */
export function lockContactsStatement(contacts: Contacts): Sql {
  return sql`SELECT FROM user_contacts WHERE ${areOfUsers(contacts)} ORDER BY user_id FOR NO KEY UPDATE`;
}

/** A condition: the row of `user_contacts` is that of a user of these devices. */
function areOfUsers({ appId, devices }: Contacts): Sql {
  const users = [...new Set(devices.map(({ userId }) => userId))];
  return sql`app_id = ${appId} AND user_id = ANY (${users}::text[])`;
}

/**
 * Corrects the rows of the users of these devices, which are locked: it removes entries of deliveries that failed,
 * expired or were cancelled, and entries that no cap looks back to. Entries whose message was sent later than they were
 * written get the time at which it was sent.
 */
export function tidyContactsStatement(contacts: Contacts): Sql {
  const app = parameter(contacts.appId);
  const packed = packOf({ app: sql`${app}`, message: sql`e.message_id`, device: sql`e.device_id` });
  return sql`
  WITH held AS MATERIALIZED (
    SELECT user_id, message_ids, device_ids, times FROM user_contacts WHERE ${areOfUsers(contacts)}
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
