import { deliveryStateRank } from '@postrider/domain';
import type { Executor } from '../database/executor';
import { preparedRows } from '../database/prepared-rows';
import { isMeantForOwner } from '../installations/meant-for';

/** Of one device and one call: who waits for more than that finds the others with the next. */
const MOST_PAGES = 1_000;

/**
 * Puts what waits for a push service into the inboxes of devices that use their connection, where no worker has taken the page
 * in hand yet: workers may be busy or away, and the inbox waits for neither. The page goes on; whoever claims it leaves out the
 * devices that have acknowledged the message by then. A worker that claims it now keeps it for the inbox by itself. What is
 * paced or has its quiet hours waits for those here as well.
 */
export async function keepUnclaimed(
  executor: Executor,
  devices: readonly { appId: string; deviceId: string }[],
  now: Date,
): Promise<void> {
  if (devices.length === 0) return;
  const places = await preparedRows<UnclaimedPlace>(executor, FIND_UNCLAIMED, [
    devices.map(({ appId }) => appId),
    devices.map(({ deviceId }) => deviceId),
    now,
  ]);
  if (places.length === 0) return;
  await preparedRows(executor, KEEP_UNCLAIMED, [
    places.map(({ appId }) => appId),
    places.map(({ messageId }) => messageId),
    places.map(({ pageId }) => pageId),
    places.map(({ deviceId }) => deviceId),
    now,
  ]);
}

/** A device on a page that no worker has taken in hand. */
interface UnclaimedPlace {
  appId: string;
  messageId: string;
  pageId: string;
  deviceId: string;
}

/** The condition of the index `pages_unclaimed`. */
const IS_UNCLAIMED = `p.state = 'waiting' AND p.fence < 2 AND p.attempt = 1 AND NOT p.is_steered AND p.vendor <> 'connection'`;

/** Most devices find nothing: they cost one look at an index. */
const FIND_UNCLAIMED = `
  SELECT asked.app_id AS "appId", p.message_id AS "messageId", p.id AS "pageId", asked.id::text AS "deviceId"
  FROM unnest($1::text[], $2::bigint[]) AS asked (app_id, id)
  CROSS JOIN LATERAL (
    SELECT p.message_id, p.id FROM pages p
    WHERE p.app_id = asked.app_id AND p.device_ids[1] <= asked.id AND p.device_ids[cardinality(p.device_ids)] >= asked.id
      AND ${IS_UNCLAIMED} AND (p.not_before IS NULL OR p.not_before <= $3::timestamptz) AND p.device_ids @> ARRAY[asked.id]
    LIMIT ${MOST_PAGES}
  ) p`;

/** A page with such a row counts as begun: it is claimed with a look at the rows. Locks no page that somebody else has locked. */
const KEEP_UNCLAIMED = `
  WITH found AS MATERIALIZED (
    SELECT f.app_id, f.message_id, f.page_id, f.device_id
    FROM unnest($1::text[], $2::uuid[], $3::uuid[], $4::bigint[]) AS f (app_id, message_id, page_id, device_id)
    CROSS JOIN LATERAL (SELECT * FROM installations WHERE app_id = f.app_id AND id = f.device_id LIMIT 1) i
    CROSS JOIN LATERAL (SELECT * FROM messages WHERE app_id = f.app_id AND id = f.message_id LIMIT 1) m
    WHERE i.uses_connection AND i.user_proof >= (SELECT a.least_proof FROM applications a WHERE a.app_id = f.app_id)
      AND m.kind <> 'notify' AND m.status <> 'cancelled' AND m.expires_at > $5::timestamptz
      AND ${isMeantForOwner('i', 'm.user_ids', 'coalesce(m.send_at, m.accepted_at)')}
      AND (SELECT d.rank FROM deliveries d
        WHERE d.app_id = f.app_id AND d.message_id = f.message_id AND d.device_id = f.device_id) IS NULL
  ), begun AS MATERIALIZED (
    SELECT p.* FROM (SELECT DISTINCT app_id, message_id, page_id FROM found) f
    CROSS JOIN LATERAL (
      SELECT p.app_id, p.message_id, p.id, p.vendor, p.created_at FROM pages p
      WHERE p.app_id = f.app_id AND p.message_id = f.message_id AND p.id = f.page_id AND ${IS_UNCLAIMED}
      FOR NO KEY UPDATE SKIP LOCKED
    ) p
  ), marked AS (
    UPDATE pages p SET fence = 1 FROM begun b
    WHERE p.app_id = b.app_id AND p.message_id = b.message_id AND p.id = b.id AND p.fence = 0
      AND p.message_id = ANY ($2::uuid[])
  )
  INSERT INTO deliveries (app_id, message_id, device_id, state, rank, vendor, in_inbox, created_at, updated_at)
  SELECT f.app_id, f.message_id, f.device_id, 'pending', ${deliveryStateRank('pending')}, b.vendor, true, b.created_at, $5
  FROM found f JOIN begun b ON b.app_id = f.app_id AND b.message_id = f.message_id AND b.id = f.page_id
  ORDER BY f.message_id, f.device_id
  ON CONFLICT (app_id, message_id, device_id) DO NOTHING`;
