import { deliveryStateRank } from '@postrider/domain';
import { type Executor, rows } from '../database/executor';
import { recipientOf } from '../devices/meant-for';
import { sql } from '../sql';

const RECIPIENT = recipientOf({
  installation: sql`i`,
  users: sql`m.user_ids`,
  since: sql`coalesce(m.send_at, m.accepted_at)`,
});

/** What is kept of a delivery is what is counted: its state, vendor and error. No device has a number below zero. */
const UNNAMED = `device_id = -1 - floor(random() * 9007199254740992)::bigint,
  state = CASE WHEN d.state = 'pending' THEN 'cancelled' ELSE d.state END,
  rank = CASE WHEN d.state = 'pending' THEN ${deliveryStateRank('cancelled')} ELSE d.rank END,
  vendor_message_id = NULL, promo_code = NULL, reason = NULL, edge_id = NULL, in_inbox = NULL,
  created_at = date_trunc('hour', d.created_at, 'UTC'), sent_at = date_trunc('hour', d.sent_at, 'UTC'),
  delivered_at = date_trunc('hour', d.delivered_at, 'UTC'), shown_at = date_trunc('hour', d.shown_at, 'UTC'),
  opened_at = date_trunc('hour', d.opened_at, 'UTC'), dismissed_at = date_trunc('hour', d.dismissed_at, 'UTC'),
  updated_at = date_trunc('hour', d.updated_at, 'UTC')`;

/** Deliveries, place by place. */
export interface DeliveryKeys {
  messageIds: string[];
  deviceIds: string[];
}

/**
 * Takes up to `limit` deliveries from these devices: each stays as a number among others, without a device, in no order and
 * to the hour. Has to run in a transaction: it keeps PostgreSQL to the primary key of the deliveries, of which there may be very
 * many. What hangs on them goes with `eraseWhatHangsOn`.
 *
 * @returns which they were; none is left when there are fewer than `limit`
 */
export async function unnameDeliveries(
  executor: Executor,
  appId: string,
  deviceIds: readonly string[],
  limit: number,
): Promise<DeliveryKeys> {
  await keepToKeys(executor);
  return keysOf(
    await rows<DeliveryKey>(
      executor,
      `WITH mine AS MATERIALIZED (
         SELECT d.message_id, d.device_id FROM unnest($2::bigint[]) AS device (id) CROSS JOIN LATERAL (
           SELECT message_id, device_id FROM deliveries WHERE app_id = $1 AND device_id = device.id LIMIT $3
         ) d LIMIT $3
       )
       UPDATE deliveries d SET ${UNNAMED} FROM mine
       WHERE d.app_id = $1 AND d.message_id = mine.message_id AND d.device_id = mine.device_id
       RETURNING mine.message_id AS "messageId", mine.device_id::text AS "deviceId"`,
      [appId, deviceIds, limit],
    ),
  );
}

/**
 * As `unnameDeliveries`, those that were meant for a user on devices that are others' by now. Before the user is taken out of
 * messages, by whose names they are known.
 */
export async function unnameFormerDeliveries(
  executor: Executor,
  appId: string,
  userId: string,
  limit: number,
): Promise<DeliveryKeys> {
  await keepToKeys(executor);
  return keysOf(
    await rows<DeliveryKey>(
      executor,
      `WITH mine AS MATERIALIZED (
         SELECT d.message_id, d.device_id FROM (
           SELECT DISTINCT device_id FROM former_owners WHERE app_id = $1 AND user_id = $2
         ) former JOIN installations i ON i.app_id = $1 AND i.id = former.device_id
         CROSS JOIN LATERAL (
           SELECT o.message_id, o.device_id FROM deliveries o JOIN messages m ON m.app_id = $1 AND m.id = o.message_id
           WHERE o.app_id = $1 AND o.device_id = i.id
             AND ${RECIPIENT.toQuery().text} = $2 LIMIT $3
         ) d LIMIT $3
       )
       UPDATE deliveries d SET ${UNNAMED} FROM mine
       WHERE d.app_id = $1 AND d.message_id = mine.message_id AND d.device_id = mine.device_id
       RETURNING mine.message_id AS "messageId", mine.device_id::text AS "deviceId"`,
      [appId, userId, limit],
    ),
  );
}

/** As `unnameDeliveries`, all deliveries of these messages. */
export async function unnameDeliveriesOfMessages(
  executor: Executor,
  appId: string,
  messageIds: readonly string[],
): Promise<DeliveryKeys> {
  return keysOf(
    await rows<DeliveryKey>(
      executor,
      `WITH mine AS MATERIALIZED (
         SELECT message_id, device_id FROM deliveries
         WHERE app_id = $1 AND message_id = ANY ($2::uuid[]) AND device_id > 0 FOR NO KEY UPDATE
       )
       UPDATE deliveries d SET ${UNNAMED} FROM mine
       WHERE d.app_id = $1 AND d.message_id = mine.message_id AND d.device_id = mine.device_id
       RETURNING mine.message_id AS "messageId", mine.device_id::text AS "deviceId"`,
      [appId, messageIds],
    ),
  );
}

/**
 * Removes what the devices did with the messages, and takes devices that have their outcome off pages that are still open: a page
 * that is worked again would count them twice. After the deliveries were taken from them, because whoever writes this holds those.
 */
export async function eraseWhatHangsOn(executor: Executor, appId: string, keys: DeliveryKeys): Promise<void> {
  if (keys.messageIds.length === 0) return;
  await keepToKeys(executor);
  await rows(
    executor,
    `WITH mine AS MATERIALIZED (
       SELECT * FROM unnest($2::uuid[], $3::bigint[]) AS mine (message_id, device_id)
     ), clicks AS (
       DELETE FROM delivery_clicks c USING mine
       WHERE c.app_id = $1 AND c.message_id = mine.message_id AND c.device_id = mine.device_id
     ), bought AS (
       DELETE FROM conversions c USING mine
       WHERE c.app_id = $1 AND c.message_id = mine.message_id AND c.device_id = mine.device_id
     ), marks AS (
       DELETE FROM inbox_marks m USING mine
       WHERE m.app_id = $1 AND m.message_id = mine.message_id AND m.device_id = mine.device_id
     )
     UPDATE pages p SET device_ids = ARRAY(
       SELECT device.id FROM unnest(p.device_ids) WITH ORDINALITY AS device (id, place)
       WHERE device.id <> ALL (sent.device_ids) ORDER BY device.place
     )
     FROM (SELECT message_id, array_agg(device_id) AS device_ids FROM mine GROUP BY message_id) sent
     WHERE p.app_id = $1 AND p.message_id = sent.message_id AND p.state <> 'finished' AND p.device_ids && sent.device_ids`,
    [appId, keys.messageIds, keys.deviceIds],
  );
}

interface DeliveryKey {
  messageId: string;
  deviceId: string;
}

function keysOf(found: readonly DeliveryKey[]): DeliveryKeys {
  return { messageIds: found.map(({ messageId }) => messageId), deviceIds: found.map(({ deviceId }) => deviceId) };
}

async function keepToKeys(executor: Executor): Promise<void> {
  await executor.query(
    `SELECT set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true)`,
  );
}
