import type { DeliveryState } from '@postrider/domain';
import { type Executor, rows } from '../database/executor';

/** A message's delivery to one device. */
export interface DeliveryRecord {
  deviceId: string;
  /** Null when the installation is gone. */
  installationId: string | null;
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
  createdAt: Date;
  sentAt: Date | null;
  deliveredAt: Date | null;
  shownAt: Date | null;
  openedAt: Date | null;
  dismissedAt: Date | null;
  updatedAt: Date;
}

/**
 * A message's deliveries in the order of their devices, at most `limit` behind `afterDeviceId`: those that are recorded, and
 * the devices of open pages that have no record yet, which are pending (on a cancelled message: cancelled).
 *
 * @param state only deliveries in this state; null: in any
 */
export async function listDeliveries(
  executor: Executor,
  appId: string,
  messageId: string,
  page: { state: DeliveryState | null; afterDeviceId: string; limit: number },
): Promise<DeliveryRecord[]> {
  return rows<DeliveryRecord>(executor, LIST_DELIVERIES, [
    appId,
    messageId,
    page.afterDeviceId,
    page.state,
    page.limit,
  ]);
}

/** A device that moves from a page to a record while a caller reads on keeps its place: both sides are in one order. */
const LIST_DELIVERIES = `
  WITH message AS (
    SELECT CASE WHEN status = 'cancelled' THEN 'cancelled' ELSE 'pending' END AS waiting
    FROM messages WHERE app_id = $1 AND id = $2
  ), recorded AS (
    SELECT d.device_id, CASE WHEN d.state = 'pending' THEN message.waiting ELSE d.state END AS state, d.vendor,
      d.vendor_message_id, d.error_code, d.reason, d.attempt::int, d.promo_code, NULL::timestamptz AS not_before,
      d.created_at, d.sent_at, d.delivered_at, d.shown_at, d.opened_at, d.dismissed_at, d.updated_at
    FROM deliveries d CROSS JOIN message
    WHERE d.app_id = $1 AND d.message_id = $2 AND d.device_id > $3::bigint
      AND ($4::text IS NULL OR $4 = CASE WHEN d.state = 'pending' THEN message.waiting ELSE d.state END)
    ORDER BY d.device_id LIMIT $5
  ), waiting AS (
    SELECT device.id, message.waiting, p.vendor, NULL, NULL, NULL, p.attempt - 1, NULL, p.not_before,
      p.created_at, NULL::timestamptz, NULL::timestamptz, NULL::timestamptz, NULL::timestamptz, NULL::timestamptz,
      p.created_at
    FROM pages p CROSS JOIN message CROSS JOIN LATERAL unnest(p.device_ids) AS device (id)
    WHERE p.app_id = $1 AND p.message_id = $2 AND p.state <> 'finished' AND device.id > $3::bigint
      AND ($4::text IS NULL OR $4 = message.waiting)
      AND NOT EXISTS (
        SELECT 1 FROM deliveries d WHERE d.app_id = $1 AND d.message_id = $2 AND d.device_id = device.id
      )
    ORDER BY device.id LIMIT $5
  ), together AS (
    SELECT * FROM recorded UNION ALL SELECT * FROM waiting ORDER BY device_id LIMIT $5
  )
  SELECT t.device_id AS "deviceId", i.installation_id AS "installationId", i.user_id AS "userId", t.state, t.vendor,
    t.vendor_message_id AS "vendorMessageId", t.error_code AS "errorCode", t.reason, t.attempt,
    t.promo_code AS "promoCode", t.not_before AS "notBefore", t.created_at AS "createdAt", t.sent_at AS "sentAt",
    t.delivered_at AS "deliveredAt", t.shown_at AS "shownAt", t.opened_at AS "openedAt",
    t.dismissed_at AS "dismissedAt", t.updated_at AS "updatedAt"
  FROM together t
  LEFT JOIN LATERAL (
    SELECT installation_id, user_id FROM installations WHERE app_id = $1 AND id = t.device_id LIMIT 1
  ) i ON true
  ORDER BY t.device_id`;
