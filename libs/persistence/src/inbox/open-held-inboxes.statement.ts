import { CHANGED_HANDS, type DeliveryState, deliveryStateRank } from '@postrider/domain';
import { isMeantForOwner } from '../devices/meant-for';
import { edgeIsAlive } from '../presence/edge-silence';
import { literal, parameter, sql, type Sql } from '../sql';

const rank = (state: DeliveryState): Sql => literal(deliveryStateRank(state));

/** Opens due pages of inboxes, at most `limit`: each of their devices gets its delivery row. Returns their messages. */
export function openHeldInboxesStatement({ now, limit }: { now: Date; limit: number }): Sql {
  const at = parameter(now);
  const isMeant = isMeantForOwner({ installation: sql`i`, users: sql`o.user_ids`, since: sql`o.starts_at` });
  return sql`
  WITH due AS MATERIALIZED (
    SELECT app_id, message_id, id FROM pages
    WHERE wake_at <= ${at} AND vendor = 'connection' AND state = 'waiting'
    ORDER BY wake_at LIMIT ${limit} FOR NO KEY UPDATE SKIP LOCKED
  ), opened AS (
    UPDATE pages p SET state = 'finished', wake_at = NULL, finished_at = ${at}
    FROM due JOIN messages m ON m.app_id = due.app_id AND m.id = due.message_id
    WHERE p.app_id = due.app_id AND p.message_id = due.message_id AND p.id = due.id
    RETURNING p.app_id, p.message_id, p.device_ids, m.expires_at, m.user_ids, coalesce(m.send_at, m.accepted_at) AS starts_at,
      CASE WHEN m.status = 'cancelled' THEN 'cancelled' WHEN coalesce(p.expires_at, m.expires_at) <= ${at} THEN 'expired'
        ELSE 'pending' END AS state
  ), recorded AS (
    INSERT INTO deliveries (app_id, message_id, device_id, state, rank, vendor, error_code, reason, edge_id,
      created_at, updated_at)
    SELECT o.app_id, o.message_id, device.id, outcome.state, outcome.rank, 'connection', outcome.error_code, outcome.reason,
      CASE WHEN outcome.state = 'pending' THEN (
        SELECT e.edge_id FROM presence c JOIN edges e ON e.edge_id = c.edge_id
        WHERE c.app_id = o.app_id AND c.id = device.id AND ${edgeIsAlive(sql`e`)} LIMIT 1
      ) END, ${at}, ${at}
    FROM opened o CROSS JOIN LATERAL unnest(o.device_ids) AS device (id)
    JOIN (VALUES ('pending', ${rank('pending')}, NULL, 'waits_for_connection'),
      ('cancelled', ${rank('cancelled')}, NULL, NULL), ('expired', ${rank('expired')}, NULL, NULL),
      ('skipped', ${rank('skipped')}, ${literal(CHANGED_HANDS.errorCode)}, ${literal(CHANGED_HANDS.reason)})
    ) AS outcome (state, rank, error_code, reason) ON outcome.state = CASE WHEN o.state = 'pending' AND (
      SELECT ${isMeant} FROM installations i WHERE i.app_id = o.app_id AND i.id = device.id
    ) IS NOT TRUE THEN 'skipped' ELSE o.state END
    ON CONFLICT (app_id, message_id, device_id) DO NOTHING
  ), ends AS (
    UPDATE messages m SET inbox_ends_at = coalesce(m.inbox_ends_at, m.expires_at)
    FROM (SELECT DISTINCT app_id, message_id FROM opened WHERE state = 'pending') o
    WHERE m.app_id = o.app_id AND m.id = o.message_id
  )
  SELECT app_id AS "appId", message_id AS "messageId" FROM opened`;
}
