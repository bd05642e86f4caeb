import { isMeantForOwner } from '../devices/meant-for';
import { parameter, sql, type Sql } from '../sql';
import { handedPagesAsJson, type HandOverTurn, insertHandedPages } from './handed-pages';

/** Looks after deliveries with a row of their own that an edge has too long: those that may go to a vendor get a place on its page. */
export function handToVendorsStatement(turn: HandOverTurn): Sql {
  const [now, pageSize] = [parameter(turn.now), parameter(turn.pageSize, 'integer')];
  const isMeant = isMeantForOwner({
    installation: sql`i`,
    users: sql`m.user_ids`,
    since: sql`coalesce(m.send_at, m.accepted_at)`,
  });
  const devices = sql`(SELECT app_id, message_id, device_id AS id, vendor, lane FROM fitting) devices`;
  return sql`
  WITH late AS MATERIALIZED (
    SELECT app_id, message_id, device_id, state, vendor FROM deliveries
    WHERE edge_id IS NOT NULL AND created_at <= ${turn.routedBefore}
    ORDER BY created_at LIMIT ${turn.limit} FOR NO KEY UPDATE SKIP LOCKED
  ), fitting AS MATERIALIZED (
    SELECT l.app_id, l.message_id, l.device_id, i.usable_vendor AS vendor, m.lane
    FROM late l
    CROSS JOIN LATERAL (
      SELECT * FROM installations WHERE app_id = l.app_id AND id = l.device_id LIMIT 1
    ) i
    CROSS JOIN LATERAL (SELECT * FROM messages WHERE app_id = l.app_id AND id = l.message_id LIMIT 1) m
    WHERE l.state = 'pending' AND l.vendor = 'connection' AND m.status <> 'cancelled' AND m.inbox_ends_at > ${now}
      AND NOT coalesce((m.content ->> 'live')::boolean, false) AND NOT coalesce((m.content ->> 'inApp')::boolean, false)
      AND ${isMeant}
      AND i.user_proof >= (SELECT a.least_proof FROM applications a WHERE a.app_id = l.app_id)
      AND EXISTS (SELECT FROM vendor_credentials v WHERE v.app_id = l.app_id AND v.vendor = i.usable_vendor)
  ), looked_after AS (
    UPDATE deliveries d
    SET edge_id = NULL, vendor = coalesce(f.vendor, d.vendor), in_inbox = CASE WHEN f.vendor IS NOT NULL THEN true ELSE d.in_inbox END,
      reason = CASE WHEN f.vendor IS NOT NULL THEN NULL ELSE d.reason END, updated_at = ${now}
    FROM late l LEFT JOIN fitting f ON f.app_id = l.app_id AND f.message_id = l.message_id AND f.device_id = l.device_id
    WHERE d.app_id = l.app_id AND d.message_id = l.message_id AND d.device_id = l.device_id
      AND d.message_id = ANY (ARRAY(SELECT message_id FROM late))
  ), paged AS (${insertHandedPages({ devices, pageSize, now })}
  )
  SELECT (SELECT count(*) FROM late)::integer AS deliveries, ${handedPagesAsJson(sql`paged`)} AS pages`;
}
