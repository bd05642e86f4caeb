import {
  type Lane,
  type PushVendor,
  CHANGED_HANDS,
  type DeliveryState,
  deliveryStateRank,
  REMOVED,
  versionSortKey,
} from '@postrider/domain';
import { groupIntoPages } from '../pages/group-into-pages';
import type { PageKey } from '../partitions/message-key';
import type { LedgerDay } from '../partitions/ledger-day';
import { type Parameter, sql, type Sql, parameter, literal } from '../sql';
import { isMeantForOwner } from '../devices/ownership';
import { lateDeliveries, latePages } from '../due-work/due-rows';

/** A page of devices whose connections did not acknowledge a message. */
interface ReroutedPage extends PageKey {
  vendor: PushVendor;
  lane: Lane;
}

/** The time limit, and how many deliveries one run handles. */
export interface RerouteLimits {
  routedBefore: Date;
  now: Date;
  limit: number;
  pageSize: number;
}

/** The result of one run. */
export interface Rerouted {
  /** The number of deliveries that were handled. */
  deliveries: number;
  pages: ReroutedPage[];
}

/** Devices for pages of push services, as parts of a statement. */
interface DevicesForVendors {
  day: LedgerDay;
  /** FROM and WHERE of rows with `app_id`, `message_id`, `id` (of the device), `vendor` and `lane`. */
  devices: Sql;
  pageSize: Parameter;
  now: Parameter;
}

/**
 * An INSERT of pages of push services. Their devices already have records, like those of a page that was claimed
 * before; hence the fence. Returns `app_id`, `message_id`, `id`, `vendor` and `lane`.
 */
function insertReroutedPages({ day, devices, pageSize, now }: DevicesForVendors): Sql {
  const keys = sql`app_id, message_id, vendor, lane`;
  return sql`
    INSERT INTO ${day.pages} (app_id, message_id, id, vendor, lane, device_ids, fence, wake_at, created_at)
    SELECT app_id, message_id, gen_random_uuid(), vendor, lane, device_ids, 1, ${now}::timestamptz + interval '1 second', ${now}
    FROM (${groupIntoPages({ devices, keys, pageSize })}) page
    RETURNING app_id, message_id, id, vendor, lane`;
}

/** What `insertReroutedPages` returned, as one JSON value: an array of `ReroutedPage`. */
function handedPagesAsJson(pages: Sql): Sql {
  return sql`(
    SELECT coalesce(jsonb_agg(jsonb_build_object('appId', app_id, 'messageId', message_id, 'pageId', id, 'vendor', vendor,
      'lane', lane)), '[]') FROM ${pages}
  )`;
}

/**
 * The messages of deliveries with a row of their own that an edge has had for too long, one entry for each delivery,
 * oldest first. It runs each second over all days, and is to be planned once.
 */
export function findLateDeliveriesStatement({ routedBefore, limit }: RerouteLimits): Sql {
  return sql`SELECT message_id AS "messageId" ${lateDeliveries(routedBefore)}
    ORDER BY created_at LIMIT ${limit}`;
}

/**
 * The messages of pages that edges have had for too long, one entry for each page, oldest first. Planned once, like the
 * statement above.
 */
export function findLatePagesStatement({ routedBefore }: RerouteLimits, most: number): Sql {
  return sql`SELECT message_id AS "messageId" ${latePages(routedBefore)}
    ORDER BY created_at LIMIT ${most}`;
}

/**
 * Handles deliveries of one day with a row of their own that an edge has had for too long: those that may be sent by a
 * vendor get a place on a page of it.
 */
export function rerouteStatement(day: LedgerDay, limits: RerouteLimits): Sql {
  const [now, pageSize] = [parameter(limits.now), parameter(limits.pageSize, 'integer')];
  const isMeant = isMeantForOwner({
    installation: sql`i`,
    users: sql`m.user_ids`,
    since: sql`coalesce(m.send_at, m.accepted_at)`,
  });
  const devices = sql`(SELECT app_id, message_id, device_id AS id, vendor, lane FROM fitting) devices`;
  return sql`
  WITH late AS MATERIALIZED (
    SELECT app_id, message_id, device_id, state, vendor FROM ${day.deliveries}
    WHERE edge_id IS NOT NULL AND created_at <= ${limits.routedBefore}
    ORDER BY created_at LIMIT ${limits.limit} FOR NO KEY UPDATE SKIP LOCKED
  ), fitting AS MATERIALIZED (
    SELECT l.app_id, l.message_id, l.device_id, i.usable_vendor AS vendor, m.lane
    FROM late l
    CROSS JOIN LATERAL (
      SELECT * FROM installations WHERE app_id = l.app_id AND id = l.device_id LIMIT 1
    ) i
    CROSS JOIN LATERAL (SELECT * FROM ${day.messages} WHERE app_id = l.app_id AND id = l.message_id LIMIT 1) m
    WHERE l.state = 'pending' AND l.vendor = 'connection' AND m.status <> 'cancelled' AND m.inbox_ends_at > ${now}
      AND NOT coalesce((m.content ->> 'live')::boolean, false) AND NOT coalesce((m.content ->> 'inApp')::boolean, false)
      AND ${isMeant}
      AND i.user_proof >= (SELECT a.least_proof FROM applications a WHERE a.app_id = l.app_id)
      AND EXISTS (SELECT FROM vendor_credentials v WHERE v.app_id = l.app_id AND v.vendor = i.usable_vendor)
  ), looked_after AS (
    UPDATE ${day.deliveries} d
    SET edge_id = NULL, vendor = coalesce(f.vendor, d.vendor), in_inbox = CASE WHEN f.vendor IS NOT NULL THEN true ELSE d.in_inbox END,
      reason = CASE WHEN f.vendor IS NOT NULL THEN NULL ELSE d.reason END, updated_at = ${now}
    FROM late l LEFT JOIN fitting f ON f.app_id = l.app_id AND f.message_id = l.message_id AND f.device_id = l.device_id
    WHERE d.app_id = l.app_id AND d.message_id = l.message_id AND d.device_id = l.device_id
  ), paged AS (${insertReroutedPages({ day, devices, pageSize, now })}
  )
  SELECT (SELECT count(*) FROM late)::integer AS deliveries, ${handedPagesAsJson(sql`paged`)} AS pages`;
}

const rank = (state: DeliveryState): Parameter => parameter(deliveryStateRank(state), 'smallint');

/**
 * Ends at most `most` pages of one day that edges have had for too long: a device without an outcome gets its row, and
 * a place on a page of its vendor.
 *
 * Only devices whose rows this statement made go to vendors: a device that has a row already has an outcome. The
 * reasons of those that wait are `RoutingSql`'s.
 */
export function endLatePagesStatement(
  day: LedgerDay,
  { routedBefore, now: at, pageSize: size }: RerouteLimits,
  most: number,
): Sql {
  const [now, pageSize] = [parameter(at), parameter(size, 'integer')];
  const isMeant = isMeantForOwner({ installation: sql`i`, users: sql`m.user_ids`, since: sql`m.starts_at` });
  const devices = sql`(
      SELECT r.app_id, r.message_id, r.device_id AS id, r.vendor, l.lane
      FROM recorded r JOIN (SELECT DISTINCT app_id, message_id, lane FROM waiting) l
        ON l.app_id = r.app_id AND l.message_id = r.message_id
      WHERE r.vendor <> 'connection'
    ) devices`;
  return sql`
  WITH late AS MATERIALIZED (
    SELECT app_id, message_id, id, device_ids, created_at FROM ${day.pages}
    WHERE edge_id IS NOT NULL AND created_at <= ${routedBefore}
    ORDER BY created_at LIMIT ${most} FOR NO KEY UPDATE SKIP LOCKED
  ), waiting AS MATERIALIZED (
    SELECT l.app_id, l.message_id, l.created_at, device.id AS device_id, m.lane, CASE
        WHEN m.status = 'cancelled' THEN 'cancelled'
        WHEN m.inbox_ends_at IS NULL OR m.inbox_ends_at <= ${now} THEN 'expired'
        WHEN i.id IS NULL THEN 'removed' WHEN ${isMeant} THEN 'pending' ELSE 'changed_hands' END AS fate,
      CASE WHEN NOT m.is_for_apps AND i.user_proof >= (SELECT a.least_proof FROM applications a WHERE a.app_id = l.app_id)
        AND EXISTS (
        SELECT FROM vendor_credentials v WHERE v.app_id = l.app_id AND v.vendor = i.usable_vendor
      ) THEN i.usable_vendor ELSE 'connection' END AS vendor,
      CASE WHEN i.protected OR i.device_type = 'ios' OR (i.device_type = 'android' AND i.os_version_key >= ${versionSortKey('8')})
        THEN 'waits_for_app' ELSE 'waits_for_connection' END AS waits
    FROM late l
    CROSS JOIN LATERAL (
      SELECT status, lane, inbox_ends_at, user_ids, coalesce(send_at, accepted_at) AS starts_at,
        coalesce((content ->> 'live')::boolean, false) OR coalesce((content ->> 'inApp')::boolean, false) AS is_for_apps
      FROM ${day.messages} WHERE app_id = l.app_id AND id = l.message_id LIMIT 1
    ) m
    CROSS JOIN LATERAL unnest(l.device_ids) AS device (id)
    LEFT JOIN LATERAL (SELECT * FROM installations WHERE app_id = l.app_id AND id = device.id LIMIT 1) i ON true
  ), recorded AS (
    INSERT INTO ${day.deliveries} (app_id, message_id, device_id, state, rank, vendor, error_code, reason, in_inbox, created_at,
      updated_at)
    SELECT w.app_id, w.message_id, w.device_id, outcome.state, outcome.rank,
      CASE WHEN w.fate = 'pending' THEN w.vendor ELSE 'connection' END, outcome.error_code,
      CASE WHEN w.fate = 'pending' THEN CASE WHEN w.vendor = 'connection' THEN w.waits END ELSE outcome.reason END,
      CASE WHEN w.fate = 'pending' AND w.vendor <> 'connection' THEN true END, w.created_at, ${now}
    FROM waiting w JOIN (VALUES ('pending', 'pending', ${rank('pending')}, NULL, NULL),
      ('cancelled', 'cancelled', ${rank('cancelled')}, NULL, NULL), ('expired', 'expired', ${rank('expired')}, NULL, NULL),
      ('removed', 'skipped', ${rank('skipped')}, ${literal(REMOVED.errorCode)}, ${literal(REMOVED.reason)}),
      ('changed_hands', 'skipped', ${rank('skipped')}, ${literal(CHANGED_HANDS.errorCode)}, ${literal(CHANGED_HANDS.reason)})
    ) AS outcome (fate, state, rank, error_code, reason) ON outcome.fate = w.fate
    ON CONFLICT (app_id, message_id, device_id) DO NOTHING
    RETURNING app_id, message_id, device_id, vendor
  ), gone AS (
    DELETE FROM ${day.pages} p USING late l
    WHERE p.app_id = l.app_id AND p.message_id = l.message_id AND p.id = l.id AND p.edge_id IS NOT NULL
  ), paged AS (${insertReroutedPages({ day, devices, pageSize, now })}
  )
  SELECT (SELECT count(*) FROM late)::integer AS ended, (SELECT count(*) FROM recorded)::integer AS deliveries,
    ${handedPagesAsJson(sql`paged`)} AS pages`;
}
