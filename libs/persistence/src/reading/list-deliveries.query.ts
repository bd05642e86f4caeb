import type { DeliveryState } from '@postrider/domain';
import { type Executor, rows } from '../database/executor';
import { recipientOf } from '../devices/meant-for';

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

/** Which of a message's deliveries to list. */
export interface DeliveryStretch {
  /** Only deliveries in this state; null: in any. */
  state: DeliveryState | null;
  afterDeviceId: string;
  limit: number;
}

/**
 * How many open pages are looked into. The devices of a page are a stretch of them all, so that the first few hold the next
 * devices; more are needed when those are recorded by now.
 */
const PAGES_LOOKED_INTO = [32, 512, 1_000_000];

/**
 * A message's deliveries in the order of their devices, at most `limit` behind `afterDeviceId`: those that are recorded, and
 * the devices of open pages that have no record yet, which are pending (on a cancelled message: cancelled). Costs about the
 * same wherever in however long a list.
 */
export async function listDeliveries(
  executor: Executor,
  appId: string,
  messageId: string,
  { state, afterDeviceId, limit }: DeliveryStretch,
): Promise<DeliveryRecord[]> {
  const waiting = await readWaitingState(executor, appId, messageId);
  const hasWaiting = state === null || state === waiting;
  const sql = listSql(storedStates(state, waiting), hasWaiting);
  for (const pages of PAGES_LOOKED_INTO) {
    const values = [appId, messageId, afterDeviceId, limit, ...(hasWaiting ? [pages] : [])];
    const answer = await rows<Listed>(executor, sql, values);
    const found = answer.filter((row): row is Listed & { deviceId: string } => row.deviceId !== null);
    if (found.length >= limit || answer[0]?.isAll !== false) return found;
  }
  throw new Error('A message has more open pages than devices');
}

/** A row of the answer; one without a device when there is none. */
type Listed = Omit<DeliveryRecord, 'deviceId'> & { deviceId: string | null; isAll: boolean };

/** What a device that waits is shown as. */
async function readWaitingState(executor: Executor, appId: string, messageId: string): Promise<DeliveryState> {
  const [message] = await rows<{ isCancelled: boolean }>(
    executor,
    `SELECT status = 'cancelled' AS "isCancelled" FROM messages WHERE app_id = $1 AND id = $2`,
    [appId, messageId],
  );
  return message?.isCancelled ? 'cancelled' : 'pending';
}

/** The states of the records that are shown in state `asked`; null: whatever their state. */
function storedStates(asked: DeliveryState | null, waiting: DeliveryState): readonly DeliveryState[] | null {
  if (asked === null) return null;
  if (asked === 'cancelled' && waiting === 'cancelled') return ['cancelled', 'pending'];
  return asked === 'pending' && waiting === 'cancelled' ? [] : [asked];
}

const RECORD = `d.vendor, d.vendor_message_id, d.error_code, d.reason, d.attempt::int, d.promo_code,
  NULL::timestamptz AS not_before, NULL AS waits_for, d.created_at, d.sent_at, d.delivered_at, d.shown_at, d.opened_at, d.dismissed_at,
  d.updated_at`;

/** State by state, each along the index that holds it, as `DELIVERY_STATES` names it. */
function recordedSql(states: readonly DeliveryState[] | null): string {
  const conditions = states === null ? ['true'] : states.map((state) => `d.state = '${state}'`);
  const parts = (conditions.length === 0 ? ['false'] : conditions).map(
    (condition) => `(
      SELECT d.device_id, CASE WHEN d.state = 'pending' THEN message.waiting ELSE d.state END AS state, ${RECORD}
      FROM deliveries d CROSS JOIN message
      WHERE d.app_id = $1 AND d.message_id = $2 AND d.device_id > $3::bigint AND ${condition}
      ORDER BY d.device_id LIMIT $4
    )`,
  );
  return parts.join(' UNION ALL ');
}

/** What a page `p` waits for, as long as it does. */
export const WAITS_FOR = `CASE WHEN p.not_before > now() THEN p.waits_for END AS waits_for`;

/**
 * Pages that nobody began hold nobody who has a record. Behind the first device of the first page that was not looked into,
 * nothing is known: what is recorded there is for the next stretch.
 */
const WAITING = `near AS MATERIALIZED (
    SELECT p.vendor, p.attempt, p.fence, p.not_before, ${WAITS_FOR}, p.created_at, p.device_ids,
      row_number() OVER (ORDER BY p.device_ids[1]) AS place
    FROM pages p
    WHERE p.app_id = $1 AND p.message_id = $2 AND p.state <> 'finished' AND p.device_ids[cardinality(p.device_ids)] > $3::bigint
    ORDER BY p.device_ids[1] LIMIT $5::bigint + 1
  ), known AS (
    SELECT min(device_ids[1]) FILTER (WHERE place > $5::bigint) AS below FROM near
  ), waiting AS (
    SELECT device.id, message.waiting, p.vendor, NULL, NULL, NULL, p.attempt - 1, NULL, p.not_before,
      p.waits_for, p.created_at, NULL::timestamptz, NULL::timestamptz, NULL::timestamptz, NULL::timestamptz, NULL::timestamptz,
      p.created_at
    FROM near p CROSS JOIN message CROSS JOIN LATERAL unnest(p.device_ids) AS device (id)
    WHERE p.place <= $5::bigint AND device.id > $3::bigint AND (p.fence = 0 AND p.attempt = 1 OR NOT EXISTS (
      SELECT 1 FROM deliveries d WHERE d.app_id = $1 AND d.message_id = $2 AND d.device_id = device.id
    ))
    ORDER BY device.id LIMIT $4
  ), `;

/** A device that moves from a page to a record while a caller reads on keeps its place: both sides are in one order. */
function listSql(states: readonly DeliveryState[] | null, hasWaiting: boolean): string {
  return `
  WITH message AS (
    SELECT CASE WHEN status = 'cancelled' THEN 'cancelled' ELSE 'pending' END AS waiting, user_ids,
      coalesce(send_at, accepted_at) AS starts_at
    FROM messages WHERE app_id = $1 AND id = $2
  ), ${hasWaiting ? WAITING : 'known AS (SELECT NULL::bigint AS below), '}
  recorded AS (${recordedSql(states)}), together AS (
    SELECT * FROM (SELECT * FROM recorded ${hasWaiting ? 'UNION ALL SELECT * FROM waiting' : ''}) t
    WHERE device_id < coalesce((SELECT below FROM known), 9223372036854775807)
    ORDER BY device_id LIMIT $4
  )
  SELECT known.below IS NULL AS "isAll", t.device_id AS "deviceId", i.installation_id AS "installationId",
    i.recipient AS "userId", t.state, t.vendor, t.vendor_message_id AS "vendorMessageId", t.error_code AS "errorCode",
    t.reason, t.attempt, t.promo_code AS "promoCode", t.not_before AS "notBefore", t.waits_for AS "waitsFor", t.created_at AS "createdAt",
    t.sent_at AS "sentAt", t.delivered_at AS "deliveredAt", t.shown_at AS "shownAt", t.opened_at AS "openedAt",
    t.dismissed_at AS "dismissedAt", t.updated_at AS "updatedAt"
  FROM known LEFT JOIN together t ON true LEFT JOIN message ON true
  LEFT JOIN LATERAL (
    SELECT installation_id, ${recipientOf('owned', 'message.user_ids', 'message.starts_at')} AS recipient
    FROM installations owned WHERE app_id = $1 AND id = t.device_id LIMIT 1
  ) i ON true
  ORDER BY t.device_id`;
}
