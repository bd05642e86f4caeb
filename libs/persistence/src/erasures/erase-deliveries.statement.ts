import { type DeviceId, deliveryStateRank } from '@postrider/domain';
import { recipientOf } from '../devices/ownership';
import { holds } from '../packs/packed-deliveries';
import { packedPlace } from '../packs/unpack-deliveries';
import { spansOf } from '../packs/span';
import { literal, parameter, sql, type Sql } from '../sql';

/** A delivery that was detached from its device. */
export interface DeliveryKey {
  messageId: string;
  deviceId: DeviceId;
}

/** Deliveries as parallel arrays. */
export interface DeliveryKeys {
  messageIds: string[];
  deviceIds: DeviceId[];
}

/**
 * Detaches a delivery from its device and keeps what is counted: state, vendor and error. No device has a negative
 * number.
 */
const UNNAMED = sql`device_id = -1 - floor(random() * 9007199254740992)::bigint,
  state = CASE WHEN d.state = 'pending' THEN 'cancelled' ELSE d.state END,
  rank = CASE WHEN d.state = 'pending' THEN ${literal(deliveryStateRank('cancelled'))} ELSE d.rank END,
  vendor_message_id = NULL, promo_code = NULL, language = NULL, reason = NULL, edge_id = NULL, in_inbox = NULL,
  created_at = date_trunc('hour', d.created_at, 'UTC'), sent_at = date_trunc('hour', d.sent_at, 'UTC'),
  delivered_at = date_trunc('hour', d.delivered_at, 'UTC'), shown_at = date_trunc('hour', d.shown_at, 'UTC'),
  opened_at = date_trunc('hour', d.opened_at, 'UTC'), dismissed_at = date_trunc('hour', d.dismissed_at, 'UTC'),
  updated_at = date_trunc('hour', d.updated_at, 'UTC')`;

const RECIPIENT = recipientOf({
  installation: sql`i`,
  users: sql`m.user_ids`,
  since: sql`coalesce(m.send_at, m.accepted_at)`,
});

/**
 * Makes PostgreSQL use the primary key of the deliveries, of which there may be very many, for the rest of the
 * transaction.
 */
export const KEEP_TO_KEYS = sql`SELECT set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true)`;

/** Finds up to `limit` deliveries to these devices that have rows of their own: `DeliveryKey`s. */
export function findDeliveriesStatement(app: string, deviceIds: readonly DeviceId[], most: number): Sql {
  const [appId, limit] = [parameter(app), parameter(most)];
  return sql`
  SELECT d.message_id AS "messageId", d.device_id::text AS "deviceId"
  FROM unnest(${deviceIds}::bigint[]) AS device (id) CROSS JOIN LATERAL (
    SELECT message_id, device_id FROM deliveries
    WHERE app_id = ${appId} AND device_id = device.id AND is_packed IS NULL LIMIT ${limit}
  ) d LIMIT ${limit}`;
}

/**
 * Detaches these deliveries from their devices. Each stays as an anonymous row: without a device, in no order, and with
 * its time rounded to the hour. Returns `DeliveryKey`s, like the last function. Both name the messages in an array, as the
 * statements that follow do: PostgreSQL plans for the days of these messages only.
 */
export function anonymiseDeliveriesStatement(app: string, keys: DeliveryKeys): Sql {
  const messageIds = parameter(keys.messageIds);
  return sql`
  WITH mine AS MATERIALIZED (
    SELECT * FROM unnest(${messageIds}::uuid[], ${keys.deviceIds}::bigint[]) AS mine (message_id, device_id)
  )
  UPDATE deliveries d SET ${UNNAMED} FROM mine
  WHERE d.app_id = ${app} AND d.message_id = mine.message_id AND d.device_id = mine.device_id
    AND d.message_id = ANY (${messageIds}::uuid[])
  RETURNING mine.message_id AS "messageId", mine.device_id::text AS "deviceId"`;
}

/** Finds up to `limit` deliveries to these devices that are in packs, for `unpackDeliveries`. */
export function findPackedStatement(app: string, deviceIds: readonly DeviceId[], limit: number): Sql {
  return sql`
  SELECT ${packedPlace(sql`device.id`)} FROM unnest(${deviceIds}::bigint[]) AS device (id)
  CROSS JOIN LATERAL unnest(${spansOf(sql`device.id`)}) AS spans (span)
  JOIN delivery_packs k ON k.app_id = ${app} AND k.span = spans.span AND ${holds(sql`device.id`)}
  LIMIT ${limit}`;
}

/** Like `findPackedStatement`, for deliveries that were meant for a user on devices that have another owner now. */
export function findFormerPackedStatement(app: string, user: string, limit: number): Sql {
  const [appId, userId] = [parameter(app), parameter(user)];
  return sql`
  SELECT ${packedPlace(sql`i.id`)} FROM (
    SELECT DISTINCT device_id FROM former_owners WHERE app_id = ${appId} AND user_id = ${userId}
  ) former JOIN installations i ON i.app_id = ${appId} AND i.id = former.device_id
  CROSS JOIN LATERAL unnest(${spansOf(sql`i.id`)}) AS spans (span)
  JOIN delivery_packs k ON k.app_id = ${appId} AND k.span = spans.span AND ${holds(sql`i.id`)}
  JOIN messages m ON m.app_id = ${appId} AND m.id = k.message_id
  WHERE ${RECIPIENT} = ${userId}
  LIMIT ${limit}`;
}

/** Like `findDeliveriesStatement`, for deliveries that were meant for a user on devices that have another owner now. */
export function findFormerDeliveriesStatement(app: string, user: string, most: number): Sql {
  const [appId, userId, limit] = [parameter(app), parameter(user), parameter(most)];
  return sql`
  SELECT d.message_id AS "messageId", d.device_id::text AS "deviceId" FROM (
    SELECT DISTINCT device_id FROM former_owners WHERE app_id = ${appId} AND user_id = ${userId}
  ) former JOIN installations i ON i.app_id = ${appId} AND i.id = former.device_id
  CROSS JOIN LATERAL (
    SELECT o.message_id, o.device_id FROM deliveries o JOIN messages m ON m.app_id = ${appId} AND m.id = o.message_id
    WHERE o.app_id = ${appId} AND o.device_id = i.id AND o.is_packed IS NULL
      AND ${RECIPIENT} = ${userId} LIMIT ${limit}
  ) d LIMIT ${limit}`;
}

/** Like `anonymiseDeliveriesStatement`, for all deliveries of these messages. */
export function anonymiseDeliveriesOfMessagesStatement(app: string, messages: readonly string[]): Sql {
  const [appId, messageIds] = [parameter(app), parameter(messages)];
  return sql`
  WITH mine AS MATERIALIZED (
    SELECT message_id, device_id FROM deliveries
    WHERE app_id = ${appId} AND message_id = ANY (${messageIds}::uuid[]) AND device_id > 0 FOR NO KEY UPDATE
  )
  UPDATE deliveries d SET ${UNNAMED} FROM mine
  WHERE d.app_id = ${appId} AND d.message_id = mine.message_id AND d.device_id = mine.device_id
    AND d.message_id = ANY (${messageIds}::uuid[])
  RETURNING mine.message_id AS "messageId", mine.device_id::text AS "deviceId"`;
}

/**
 * Deletes what the devices did with the messages, and takes devices that have their outcome off open pages: a page that
 * is worked again would count them twice.
 */
export function eraseDeliveryDetailsStatement(app: string, keys: DeliveryKeys): Sql {
  const [appId, messageIds] = [parameter(app), parameter(keys.messageIds)];
  const isTheirs = (of: Sql): Sql => sql`${of}.app_id = ${appId} AND ${of}.message_id = ANY (${messageIds}::uuid[])`;
  return sql`
  WITH mine AS MATERIALIZED (
    SELECT * FROM unnest(${messageIds}::uuid[], ${keys.deviceIds}::bigint[]) AS mine (message_id, device_id)
  ), clicks AS (
    DELETE FROM delivery_clicks c USING mine
    WHERE ${isTheirs(sql`c`)} AND c.message_id = mine.message_id AND c.device_id = mine.device_id
  ), bought AS (
    DELETE FROM conversions c USING mine
    WHERE ${isTheirs(sql`c`)} AND c.message_id = mine.message_id AND c.device_id = mine.device_id
  ), marks AS (
    DELETE FROM inbox_marks m USING mine
    WHERE ${isTheirs(sql`m`)} AND m.message_id = mine.message_id AND m.device_id = mine.device_id
  )
  UPDATE pages p SET device_ids = ARRAY(
    SELECT device.id FROM unnest(p.device_ids) WITH ORDINALITY AS device (id, place)
    WHERE device.id <> ALL (sent.device_ids) ORDER BY device.place
  )
  FROM (SELECT message_id, array_agg(device_id) AS device_ids FROM mine GROUP BY message_id) sent
  WHERE ${isTheirs(sql`p`)} AND p.message_id = sent.message_id AND p.state <> 'finished' AND p.device_ids && sent.device_ids`;
}
