import { type Executor, rows } from '../database/executor';
import { isMeantForOwner } from '../devices/meant-for';
import { parameter, sql, type Sql } from '../sql';
import { endLatePages } from './end-late-pages.query';
import { type HandedOver, handedPagesAsJson, type HandOverTurn, insertHandedPages } from './handed-pages';

/**
 * Looks after deliveries that were routed to a connection before `routedBefore` and that it has not acknowledged. Where the
 * device has a usable token of a configured vendor, and the message may go there, the delivery goes on a page of that
 * vendor; it stays in the inbox as well. Any other waits on in the inbox alone. Each delivery is looked at once, by one
 * caller, whatever became of its edge. Pages that an edge holds end with that: each of their devices has its row then.
 *
 * @returns `deliveries` is `limit` when there may be more
 */
export async function handToVendors(executor: Executor, turn: HandOverTurn): Promise<HandedOver> {
  const fromPages = await endLatePages(executor, turn);
  const [fromRows] = await rows<HandedOver>(executor, handToVendorsStatement(turn));
  return {
    deliveries: Math.min(turn.limit, fromPages.deliveries + (fromRows?.deliveries ?? 0)),
    pages: [...fromPages.pages, ...(fromRows?.pages ?? [])],
  };
}

function handToVendorsStatement(turn: HandOverTurn): Sql {
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
