import { CHANGED_HANDS, type DeliveryState, deliveryStateRank, REMOVED, versionSortKey } from '@postrider/domain';
import { isMeantForOwner } from '../devices/meant-for';
import { literal, type Parameter, parameter, sql, type Sql } from '../sql';
import { handedPagesAsJson, type HandOverTurn, insertHandedPages } from './handed-pages';

const rank = (state: DeliveryState): Parameter => parameter(deliveryStateRank(state), 'smallint');

/**
 * Ends at most `most` pages that edges hold too long: a device without an outcome gets its row, and a place on a page of its vendor.
 *
 * Only rows that this statement made go to vendors: whoever has a row already has an outcome. The reasons of those that wait
 * are `RoutingSql`'s.
 */
export function endLatePagesStatement({ routedBefore, now: at, pageSize: size }: HandOverTurn, most: number): Sql {
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
    SELECT app_id, message_id, id, device_ids, created_at FROM pages
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
      FROM messages WHERE app_id = l.app_id AND id = l.message_id LIMIT 1
    ) m
    CROSS JOIN LATERAL unnest(l.device_ids) AS device (id)
    LEFT JOIN LATERAL (SELECT * FROM installations WHERE app_id = l.app_id AND id = device.id LIMIT 1) i ON true
  ), recorded AS (
    INSERT INTO deliveries (app_id, message_id, device_id, state, rank, vendor, error_code, reason, in_inbox, created_at,
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
    DELETE FROM pages p USING late l
    WHERE p.app_id = l.app_id AND p.message_id = l.message_id AND p.id = l.id
      AND p.message_id = ANY (ARRAY(SELECT message_id FROM late)) AND p.edge_id IS NOT NULL
  ), paged AS (${insertHandedPages({ devices, pageSize, now })}
  )
  SELECT (SELECT count(*) FROM late)::integer AS ended, (SELECT count(*) FROM recorded)::integer AS deliveries,
    ${handedPagesAsJson(sql`paged`)} AS pages`;
}
