import { type DeviceId, deliveryStateRank } from '@postrider/domain';
import { isMeantForOwner } from '../devices/ownership';
import { isPacked } from '../packs/packed-deliveries';
import { keysFrom, type LedgerDay } from '../partitions/ledger-day';
import { literal, parameter, sql, type Sql } from '../sql';

/** The limit per device, call and kind of page. The rest comes with the next call. */
const MOST_PAGES = 10_000;
/** The limit for all devices together. */
const MOST_PLACES = 100_000;

/** A device on a page of a push service that is not finished. */
export interface UnsentPlace {
  appId: string;
  messageId: string;
  pageId: string;
  deviceId: DeviceId;
}

const IS_FIRST = sql`p.fence < 2 AND p.attempt = 1`;
const WAITS = sql`p.state = 'waiting' AND NOT p.is_steered AND p.vendor <> 'connection'`;
/** The conditions of the indexes `pages_unclaimed`, `pages_waiting_again` and `pages_in_hand`. */
const KINDS = {
  unclaimed: sql`${WAITS} AND ${IS_FIRST}`,
  waitingAgain: sql`${WAITS} AND NOT (${IS_FIRST})`,
  inHand: sql`p.state = 'running' AND p.edge_id IS NULL AND p.vendor <> 'connection'`,
};
const IS_UNSENT = sql`(${WAITS} OR ${KINDS.inHand})`;

/** The index has the first and the last device of a page. */
const pagesOf = (kind: Sql): Sql => sql`(
      SELECT p.message_id, p.id FROM pages p
      WHERE p.app_id = asked.app_id AND p.message_id >= oldest.message_id
        AND p.device_ids[1] <= asked.id AND p.device_ids[cardinality(p.device_ids)] >= asked.id
        AND ${kind} AND p.device_ids @> ARRAY[asked.id]`;

/**
 * For most devices this finds nothing: it costs a look into three indexes of the days with open pages. Devices on pages
 * that wait for another attempt, or were claimed before, already have a row if they used their connection by then.
 */
export function findUnsentStatement(devices: readonly { appId: string; deviceId: DeviceId }[], now: Date): Sql {
  const appIds = parameter(devices.map(({ appId }) => appId));
  const deviceIds = devices.map(({ deviceId }) => deviceId);
  return sql`
  SELECT asked.app_id AS "appId", p.message_id AS "messageId", p.id AS "pageId", asked.id::text AS "deviceId"
  FROM (
    SELECT app_id, (
      SELECT o.message_id FROM pages o
      WHERE o.app_id = asking.app_id AND o.state <> 'finished' ORDER BY o.message_id LIMIT 1
    ) AS message_id
    FROM (SELECT DISTINCT unnest(${appIds}::text[]) AS app_id) asking
  ) oldest
  JOIN unnest(${appIds}::text[], ${deviceIds}::bigint[]) AS asked (app_id, id) ON asked.app_id = oldest.app_id
  CROSS JOIN LATERAL (
    ${pagesOf(KINDS.unclaimed)} AND (p.fence > 0 OR p.not_before IS NULL OR p.not_before <= ${now}::timestamptz)
        LIMIT ${literal(MOST_PAGES)})
    UNION ALL
    ${pagesOf(KINDS.waitingAgain)} LIMIT ${literal(MOST_PAGES)})
    UNION ALL
    ${pagesOf(KINDS.inHand)} LIMIT ${literal(MOST_PAGES)})
  ) p LIMIT ${literal(MOST_PLACES)}`;
}

/**
 * Two conditions: the application's frequency caps apply to the message `m`; and they were checked, and the message
 * goes to the user.
 */
const IS_COUNTED = sql`((m.lane = 'campaign' OR m.content ->> 'countsTowardsCap' = 'true') AND coalesce(m.content ->> 'isTest', 'false') <> 'true'
        AND (SELECT a.contacts_since IS NOT NULL FROM applications a WHERE a.app_id = f.app_id))`;
const IS_CONTACTED = sql`(
        SELECT m.id = ANY (c.message_ids) FROM user_contacts c WHERE c.app_id = f.app_id AND c.user_id = i.user_id
      ) IS TRUE`;

/**
 * Finds the places whose devices get a row, and locks their pages. A page with such a row counts as claimed before, so
 * that its claim reads the rows. It waits for no lock, because two callers with many pages could otherwise deadlock.
 * Returns the places, and for each if its page is locked; if not, another transaction had it.
 *
 * @param day that of all places (docs/decisions/0039)
 */
export function lockUnsentStatement(day: LedgerDay, places: readonly UnsentPlace[], now: Date): Sql {
  const at = parameter(now);
  const isMeant = isMeantForOwner({
    installation: sql`i`,
    users: sql`m.user_ids`,
    since: sql`coalesce(m.send_at, m.accepted_at)`,
  });
  return sql`
  WITH found AS MATERIALIZED (
    SELECT f.app_id, f.message_id, f.page_id, f.device_id
    FROM ${placesFrom(places)}
    CROSS JOIN LATERAL (SELECT * FROM installations WHERE app_id = f.app_id AND id = f.device_id LIMIT 1) i
    CROSS JOIN LATERAL (SELECT * FROM ${day.messages} WHERE app_id = f.app_id AND id = f.message_id LIMIT 1) m
    WHERE i.uses_connection AND i.user_proof >= (SELECT a.least_proof FROM applications a WHERE a.app_id = f.app_id)
      AND m.kind <> 'notify' AND m.status <> 'cancelled' AND m.expires_at > ${at}::timestamptz
      AND ${isMeant} AND (NOT ${IS_COUNTED} OR ${IS_CONTACTED})
      AND (SELECT d.rank FROM ${day.deliveries} d
        WHERE d.app_id = f.app_id AND d.message_id = f.message_id AND d.device_id = f.device_id) IS NULL
  ), begun AS MATERIALIZED (
    SELECT p.* FROM (SELECT DISTINCT app_id, message_id, page_id FROM found) f
    CROSS JOIN LATERAL (
      SELECT p.app_id, p.message_id, p.id FROM ${day.pages} p
      WHERE p.app_id = f.app_id AND p.message_id = f.message_id AND p.id = f.page_id AND ${IS_UNSENT}
      FOR NO KEY UPDATE SKIP LOCKED
    ) p
  ), marked AS (
    UPDATE ${day.pages} p SET fence = 1 FROM begun b
    WHERE p.app_id = b.app_id AND p.message_id = b.message_id AND p.id = b.id AND p.fence = 0
  )
  SELECT f.app_id AS "appId", f.message_id AS "messageId", f.page_id AS "pageId", f.device_id::text AS "deviceId",
    b.id IS NOT NULL AS "isLocked"
  FROM found f LEFT JOIN begun b ON b.id = f.page_id
  WHERE b.id IS NOT NULL OR (SELECT true FROM ${day.pages} p
    WHERE p.app_id = f.app_id AND p.message_id = f.message_id AND p.id = f.page_id AND ${IS_UNSENT})`;
}

/**
 * Writes the rows of places whose pages the transaction has locked before, so that their records do not change
 * meanwhile.
 */
export function keepUnsentStatement(day: LedgerDay, places: readonly UnsentPlace[], now: Date): Sql {
  const delivery = { app: sql`f.app_id`, message: sql`f.message_id`, device: sql`f.device_id` };
  return sql`
  INSERT INTO ${day.deliveries} (app_id, message_id, device_id, state, rank, vendor, in_inbox, created_at, updated_at)
  SELECT f.app_id, f.message_id, f.device_id, 'pending', ${literal(deliveryStateRank('pending'))}, p.vendor, true, p.created_at,
    ${now}::timestamptz
  FROM ${placesFrom(places)}
  CROSS JOIN LATERAL (SELECT vendor, created_at FROM ${day.pages} WHERE app_id = f.app_id AND message_id = f.message_id AND id = f.page_id LIMIT 1) p
  WHERE NOT ${isPacked(delivery, day)}
  ORDER BY f.message_id, f.device_id
  ON CONFLICT (app_id, message_id, device_id) DO NOTHING`;
}

/** The places as rows `f`. */
function placesFrom(places: readonly UnsentPlace[]): Sql {
  const keys = places.map(({ appId, messageId, pageId, deviceId }, place) => ({
    place,
    app_id: appId,
    message_id: messageId,
    page_id: pageId,
    device_id: deviceId,
  }));
  return sql`${keysFrom(keys, sql`app_id text, message_id uuid, page_id uuid, device_id bigint`)} f`;
}
