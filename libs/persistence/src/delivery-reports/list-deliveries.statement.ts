import type { DeviceId, DeliveryState } from '@postrider/domain';
import { recipientOf } from '../devices/ownership';
import { SPAN_LEVELS } from '../packs/span';
import { joined, literal, parameter, type Parameter, type Sql, sql } from '../sql';

/** A message's delivery to one device. */
export interface DeliveryRecord {
  deviceId: DeviceId;
  /** Null when the installation is gone. */
  installationId: string | null;
  /** The user that the message was meant for, whoever has the device now. */
  userId: string | null;
  state: DeliveryState;
  vendor: string | null;
  vendorMessageId: string | null;
  errorCode: string | null;
  reason: string | null;
  attempt: number;
  promoCode: string | null;
  /** The tag of `localized` that the message was sent in. Null: the default, or not sent. */
  language: string | null;
  /** When the page of this delivery may be tried again. */
  notBefore: Date | null;
  /**
   * Why the page waits. Until `notBefore`, if that is the time of a device; `no_credentials`: the application has none for its
   * vendor; `credentials`: its vendor refuses them; `vendor`: its vendor does not work. Null: for another reason, or that time has
   * come.
   */
  waitsFor: 'quiet_hours' | 'local_time' | 'winner' | 'no_credentials' | 'credentials' | 'vendor' | null;
  createdAt: Date;
  sentAt: Date | null;
  deliveredAt: Date | null;
  shownAt: Date | null;
  openedAt: Date | null;
  dismissedAt: Date | null;
  updatedAt: Date;
}

/** Which deliveries one statement reads. */
interface DeliveryStretchRead {
  appId: string;
  messageId: string;
  afterDeviceId: DeviceId;
  limit: number;
  /** The stored states of the records to list. Null: all states. */
  states: readonly DeliveryState[] | null;
  /** True if devices that wait on pages are listed. */
  hasWaiting: boolean;
  /** True if packed deliveries without a row are listed. */
  hasPacked: boolean;
  /**
   * Only deliveries that were sent in this language. Null: in the default language. Left out: in any language, or not
   * sent.
   */
  language?: string | null | undefined;
  /** How many open pages are read, and how many packs of each span length. */
  pages: number;
}

interface ListParameters {
  app: Parameter;
  message: Parameter;
  after: Parameter;
  limit: Parameter;
  pages: Parameter;
  states: readonly DeliveryState[] | null;
  language: string | null | undefined;
}

/** A delivery that was not sent has no language. */
const SENT = sql`state NOT IN ('pending', 'expired', 'skipped', 'cancelled')`;

/** The condition on a row or a pack for the language that is asked for. Case does not matter in a tag. */
function inLanguage({ language }: ListParameters, column: Sql): Sql {
  if (language === undefined) return sql`true`;
  return language === null ? sql`${column} IS NULL` : sql`lower(${column}) = lower(${language}::text)`;
}

const RECORD = sql`d.vendor, d.vendor_message_id, d.error_code, d.reason, d.attempt::int, d.promo_code, d.language,
  NULL::timestamptz AS not_before, NULL AS waits_for, d.created_at, d.sent_at, d.delivered_at, d.shown_at, d.opened_at, d.dismissed_at,
  d.updated_at, d.is_packed`;

/** Like `RECORD`, with the state before it, for a delivery that only the pack `k` has. */
const PACKED_LISTED = sql`'sent', k.vendor, NULL, NULL, NULL, 1, NULL, k.language, NULL::timestamptz, NULL, k.created_at, NULL::timestamptz,
  NULL::timestamptz, NULL::timestamptz, NULL::timestamptz, NULL::timestamptz, k.created_at, true`;

/**
 * One query for each state of `DELIVERY_STATES`, each by the index that holds that state. The condition is written out,
 * so that PostgreSQL uses the index.
 */
function recorded(parameters: ListParameters): Sql {
  const { app, message, after, limit, states, language } = parameters;
  const spoken = language === undefined ? sql`true` : sql`${inLanguage(parameters, sql`d.language`)} AND d.${SENT}`;
  const conditions = states === null ? [sql`true`] : states.map((state) => sql`d.state = ${literal(state)}`);
  const parts = (conditions.length === 0 ? [sql`false`] : conditions).map(
    (condition) => sql`(
      SELECT d.device_id, CASE WHEN d.state = 'pending' THEN message.waiting ELSE d.state END AS state, ${RECORD}
      FROM deliveries d CROSS JOIN message
      WHERE d.app_id = ${app} AND d.message_id = ${message} AND d.device_id > ${after}::bigint AND ${condition} AND ${spoken}
      ORDER BY d.device_id LIMIT ${limit}
    )`,
  );
  return joined(parts, ' UNION ALL ');
}

/** What a page `p` waits for, until its time has come, and what all pages of its vendor wait for. */
export const WAITS_FOR = sql`coalesce(
    CASE WHEN p.not_before > now() THEN p.waits_for END,
    CASE WHEN p.vendor <> 'connection' AND NOT EXISTS (
      SELECT FROM vendor_credentials c WHERE c.app_id = p.app_id AND c.vendor = p.vendor
    ) THEN 'no_credentials' END,
    (
      SELECT CASE WHEN t.credentials_failing_since IS NOT NULL THEN 'credentials' WHEN t.breaker_open_since IS NOT NULL THEN 'vendor' END
      FROM vendor_troubles t WHERE t.app_id = p.app_id AND t.vendor = p.vendor
    )
  ) AS waits_for`;

/**
 * Reads the first packs with devices behind the place, for each span length, and their devices. Devices in spans behind
 * them are not known.
 *
 * @param start the device from which packs matter; SQL null: packs do not matter
 */
function packed(parameters: ListParameters, start: Sql): Sql {
  const { app, message, after, pages } = parameters;
  const levels = SPAN_LEVELS.map(
    ({ bits, first, next }) => sql`(${literal(bits)}, ${literal(first)}, ${literal(next)})`,
  );
  return sql`packs AS MATERIALIZED (
    SELECT k.vendor, k.language, k.created_at, k.device_ids, (k.span - level.first) << level.bits AS begins,
      row_number() OVER (PARTITION BY level.bits ORDER BY k.span) AS place
    FROM (VALUES ${joined(levels, ', ')}) AS level (bits, first, next) CROSS JOIN LATERAL (
      SELECT * FROM delivery_packs
      WHERE app_id = ${app} AND message_id = ${message} AND span >= level.first + (${start} >> level.bits) AND span < level.next
        AND ${inLanguage(parameters, sql`language`)}
      ORDER BY span LIMIT ${pages}::bigint + 1
    ) k
  ), unpacked AS MATERIALIZED (
    SELECT device.id, k.vendor, k.language, k.created_at FROM packs k CROSS JOIN LATERAL unnest(k.device_ids) AS device (id)
    WHERE device.id > ${after}::bigint
      AND device.id < coalesce((SELECT min(begins) FROM packs WHERE place > ${pages}::bigint), 9223372036854775807)
  ), `;
}

/** Packed devices that have no row. */
function sent({ app, message, limit }: ListParameters): Sql {
  return sql`(
      SELECT k.device_id, ${PACKED_LISTED}
      FROM (SELECT id AS device_id, vendor, language, created_at FROM unpacked ORDER BY id) k
      WHERE NOT EXISTS (
        SELECT 1 FROM deliveries d WHERE d.app_id = ${app} AND d.message_id = ${message} AND d.device_id = k.device_id
      )
      ORDER BY k.device_id LIMIT ${limit}
    )`;
}

/**
 * Reads the first open pages with devices behind the place. From the first device of the first page that was not read,
 * nothing is known.
 */
function near({ app, message, after, pages }: ListParameters): Sql {
  return sql`near AS MATERIALIZED (
    SELECT p.vendor, p.attempt, p.fence, p.not_before, ${WAITS_FOR}, p.created_at, p.device_ids,
      row_number() OVER (ORDER BY p.device_ids[1]) AS place
    FROM pages p
    WHERE p.app_id = ${app} AND p.message_id = ${message} AND p.state <> 'finished' AND p.device_ids[cardinality(p.device_ids)] > ${after}::bigint
    ORDER BY p.device_ids[1] LIMIT ${pages}::bigint + 1
  ), `;
}

/** Devices on pages that nobody has claimed have no record, so packs matter from the first device of a claimed page. */
const FIRST_BEGUN = (after: Parameter): Sql => sql`(
        SELECT greatest(min(device_ids[1]), ${after}::bigint) FROM near WHERE fence > 0 OR attempt > 1 HAVING count(*) > 0
      )`;

function waiting({ app, message, after, limit, pages }: ListParameters): Sql {
  return sql`waiting AS (
    SELECT device.id, message.waiting, p.vendor, NULL, NULL, NULL, p.attempt - 1, NULL, NULL, p.not_before,
      p.waits_for, p.created_at, NULL::timestamptz, NULL::timestamptz, NULL::timestamptz, NULL::timestamptz, NULL::timestamptz,
      p.created_at, false
    FROM near p CROSS JOIN message CROSS JOIN LATERAL unnest(p.device_ids) AS device (id)
    WHERE p.place <= ${pages}::bigint AND device.id > ${after}::bigint AND (p.fence = 0 AND p.attempt = 1 OR NOT EXISTS (
      SELECT 1 FROM deliveries d WHERE d.app_id = ${app} AND d.message_id = ${message} AND d.device_id = device.id
    ) AND NOT EXISTS (SELECT 1 FROM unpacked WHERE unpacked.id = device.id))
    ORDER BY device.id LIMIT ${limit}
  ), `;
}

/** The sources of the deliveries to list, as parts of the statement. */
interface Sources {
  /** Common table expressions, each followed by a comma. */
  tables: Sql;
  /** A query of `below`: from this device on nothing is known. Null: everything is known. */
  known: Sql;
  /** Queries of deliveries. */
  listed: Sql[];
}

function sourcesOf({ hasWaiting, hasPacked }: DeliveryStretchRead, parameters: ListParameters): Sources {
  const { after, pages } = parameters;
  const [tables, unread, listed] = [[] as Sql[], [sql`SELECT NULL::bigint AS below`], [sql`SELECT * FROM recorded`]];
  if (hasWaiting) {
    tables.push(near(parameters));
    unread.push(sql`SELECT min(device_ids[1]) FROM near WHERE place > ${pages}::bigint`);
  }
  // A device that waits on a claimed page may be packed by now.
  if (hasPacked || hasWaiting) {
    tables.push(packed(parameters, hasPacked ? sql`${after}::bigint` : FIRST_BEGUN(after)));
    unread.push(sql`SELECT min(begins) FROM packs WHERE place > ${pages}::bigint`);
  }
  if (hasPacked) listed.push(sent(parameters));
  if (hasWaiting) {
    tables.push(waiting(parameters));
    listed.push(sql`SELECT * FROM waiting`);
  }
  const known = sql`SELECT min(below) AS below FROM (${joined(unread, ' UNION ALL ')}) unread`;
  return { tables: joined(tables, ''), known, listed };
}

/**
 * A device that moves from a page to a record while a caller reads the list keeps its place: both are in the same
 * order.
 */
export function listDeliveriesStatement(asked: DeliveryStretchRead): Sql {
  const parameters: ListParameters = {
    app: parameter(asked.appId),
    message: parameter(asked.messageId),
    after: parameter(asked.afterDeviceId),
    limit: parameter(asked.limit),
    pages: parameter(asked.pages),
    states: asked.states,
    language: asked.language,
  };
  const { app, message, limit } = parameters;
  const { tables, known, listed } = sourcesOf(asked, parameters);
  return sql`
  WITH message AS (
    SELECT CASE WHEN status = 'cancelled' THEN 'cancelled' ELSE 'pending' END AS waiting, user_ids,
      coalesce(send_at, accepted_at) AS starts_at
    FROM messages WHERE app_id = ${app} AND id = ${message}
  ), ${tables} known AS (${known}), recorded AS (${recorded(parameters)}), together AS (
    SELECT * FROM (${joined(listed, ' UNION ALL ')}) t
    WHERE device_id < coalesce((SELECT below FROM known), 9223372036854775807)
    ORDER BY device_id LIMIT ${limit}
  )
  SELECT known.below IS NULL AS "isAll", t.device_id AS "deviceId", i.installation_id AS "installationId",
    i.recipient AS "userId", t.state, t.vendor, t.vendor_message_id AS "vendorMessageId", t.error_code AS "errorCode",
    t.reason, t.attempt, t.promo_code AS "promoCode", t.language, t.not_before AS "notBefore", t.waits_for AS "waitsFor", t.created_at AS "createdAt",
    t.sent_at AS "sentAt", t.delivered_at AS "deliveredAt", t.shown_at AS "shownAt", t.opened_at AS "openedAt",
    t.dismissed_at AS "dismissedAt", t.updated_at AS "updatedAt", t.is_packed AS "isPacked"
  FROM known LEFT JOIN together t ON true LEFT JOIN message ON true
  LEFT JOIN LATERAL (
    SELECT installation_id, ${recipientOf({ installation: sql`owned`, users: sql`message.user_ids`, since: sql`message.starts_at` })} AS recipient
    FROM installations owned WHERE app_id = ${app} AND id = t.device_id LIMIT 1
  ) i ON true
  ORDER BY t.device_id`;
}
