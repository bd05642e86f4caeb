import type { DeliveryState } from '@postrider/domain';
import { recipientOf } from '../devices/meant-for';
import { joined, literal, parameter, type Parameter, type Sql, sql } from '../sql';

/** A message's delivery to one device. */
export interface DeliveryRecord {
  deviceId: string;
  /** Null when the installation is gone. */
  installationId: string | null;
  /** Who it was meant for, whoever has the device now. */
  userId: string | null;
  state: DeliveryState;
  vendor: string | null;
  vendorMessageId: string | null;
  errorCode: string | null;
  reason: string | null;
  attempt: number;
  promoCode: string | null;
  /** When a page of it may be tried again. */
  notBefore: Date | null;
  /** Why its page waits until then; null when for no such reason, or that moment has come. */
  waitsFor: 'quiet_hours' | 'local_time' | null;
  createdAt: Date;
  sentAt: Date | null;
  deliveredAt: Date | null;
  shownAt: Date | null;
  openedAt: Date | null;
  dismissedAt: Date | null;
  updatedAt: Date;
}

/** Which deliveries one statement reads. */
export interface DeliveryStretchRead {
  appId: string;
  messageId: string;
  afterDeviceId: string;
  limit: number;
  /** The states of the records to list, as they are stored; null: whatever their state. */
  states: readonly DeliveryState[] | null;
  /** Whether devices that wait on pages are listed. */
  hasWaiting: boolean;
  /** How many open pages are looked into. */
  pages: number;
}

interface ListParameters {
  app: Parameter;
  message: Parameter;
  after: Parameter;
  limit: Parameter;
  pages: Parameter;
  states: readonly DeliveryState[] | null;
}

const RECORD = sql`d.vendor, d.vendor_message_id, d.error_code, d.reason, d.attempt::int, d.promo_code,
  NULL::timestamptz AS not_before, NULL AS waits_for, d.created_at, d.sent_at, d.delivered_at, d.shown_at, d.opened_at, d.dismissed_at,
  d.updated_at`;

/** State by state, each along the index that holds it, as `DELIVERY_STATES` names it: written out, so that it is found. */
function recorded({ app, message, after, limit, states }: ListParameters): Sql {
  const conditions = states === null ? [sql`true`] : states.map((state) => sql`d.state = ${literal(state)}`);
  const parts = (conditions.length === 0 ? [sql`false`] : conditions).map(
    (condition) => sql`(
      SELECT d.device_id, CASE WHEN d.state = 'pending' THEN message.waiting ELSE d.state END AS state, ${RECORD}
      FROM deliveries d CROSS JOIN message
      WHERE d.app_id = ${app} AND d.message_id = ${message} AND d.device_id > ${after}::bigint AND ${condition}
      ORDER BY d.device_id LIMIT ${limit}
    )`,
  );
  return joined(parts, ' UNION ALL ');
}

/** What a page `p` waits for, as long as it does. */
export const WAITS_FOR = sql`CASE WHEN p.not_before > now() THEN p.waits_for END AS waits_for`;

/**
 * Pages that nobody began hold nobody who has a record. Behind the first device of the first page that was not looked into,
 * nothing is known: what is recorded there is for the next stretch.
 */
function waiting({ app, message, after, limit, pages }: ListParameters): Sql {
  return sql`near AS MATERIALIZED (
    SELECT p.vendor, p.attempt, p.fence, p.not_before, ${WAITS_FOR}, p.created_at, p.device_ids,
      row_number() OVER (ORDER BY p.device_ids[1]) AS place
    FROM pages p
    WHERE p.app_id = ${app} AND p.message_id = ${message} AND p.state <> 'finished' AND p.device_ids[cardinality(p.device_ids)] > ${after}::bigint
    ORDER BY p.device_ids[1] LIMIT ${pages}::bigint + 1
  ), known AS (
    SELECT min(device_ids[1]) FILTER (WHERE place > ${pages}::bigint) AS below FROM near
  ), waiting AS (
    SELECT device.id, message.waiting, p.vendor, NULL, NULL, NULL, p.attempt - 1, NULL, p.not_before,
      p.waits_for, p.created_at, NULL::timestamptz, NULL::timestamptz, NULL::timestamptz, NULL::timestamptz, NULL::timestamptz,
      p.created_at
    FROM near p CROSS JOIN message CROSS JOIN LATERAL unnest(p.device_ids) AS device (id)
    WHERE p.place <= ${pages}::bigint AND device.id > ${after}::bigint AND (p.fence = 0 AND p.attempt = 1 OR NOT EXISTS (
      SELECT 1 FROM deliveries d WHERE d.app_id = ${app} AND d.message_id = ${message} AND d.device_id = device.id
    ))
    ORDER BY device.id LIMIT ${limit}
  ), `;
}

/** A device that moves from a page to a record while a caller reads on keeps its place: both sides are in one order. */
export function listDeliveriesStatement(asked: DeliveryStretchRead): Sql {
  const parameters: ListParameters = {
    app: parameter(asked.appId),
    message: parameter(asked.messageId),
    after: parameter(asked.afterDeviceId),
    limit: parameter(asked.limit),
    pages: parameter(asked.pages),
    states: asked.states,
  };
  const { app, message, limit } = parameters;
  const { hasWaiting } = asked;
  return sql`
  WITH message AS (
    SELECT CASE WHEN status = 'cancelled' THEN 'cancelled' ELSE 'pending' END AS waiting, user_ids,
      coalesce(send_at, accepted_at) AS starts_at
    FROM messages WHERE app_id = ${app} AND id = ${message}
  ), ${hasWaiting ? waiting(parameters) : sql`known AS (SELECT NULL::bigint AS below), `}
  recorded AS (${recorded(parameters)}), together AS (
    SELECT * FROM (SELECT * FROM recorded ${hasWaiting ? sql`UNION ALL SELECT * FROM waiting` : sql``}) t
    WHERE device_id < coalesce((SELECT below FROM known), 9223372036854775807)
    ORDER BY device_id LIMIT ${limit}
  )
  SELECT known.below IS NULL AS "isAll", t.device_id AS "deviceId", i.installation_id AS "installationId",
    i.recipient AS "userId", t.state, t.vendor, t.vendor_message_id AS "vendorMessageId", t.error_code AS "errorCode",
    t.reason, t.attempt, t.promo_code AS "promoCode", t.not_before AS "notBefore", t.waits_for AS "waitsFor", t.created_at AS "createdAt",
    t.sent_at AS "sentAt", t.delivered_at AS "deliveredAt", t.shown_at AS "shownAt", t.opened_at AS "openedAt",
    t.dismissed_at AS "dismissedAt", t.updated_at AS "updatedAt"
  FROM known LEFT JOIN together t ON true LEFT JOIN message ON true
  LEFT JOIN LATERAL (
    SELECT installation_id, ${recipientOf({ installation: sql`owned`, users: sql`message.user_ids`, since: sql`message.starts_at` })} AS recipient
    FROM installations owned WHERE app_id = ${app} AND id = t.device_id LIMIT 1
  ) i ON true
  ORDER BY t.device_id`;
}
