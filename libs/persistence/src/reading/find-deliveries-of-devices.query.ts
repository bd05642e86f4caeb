import { type Executor, rows } from '../database/executor';
import { recipientOf } from '../devices/meant-for';
import { type DeliveryRecord, WAITS_FOR } from './list-deliveries.query';

/**
 * A message's deliveries to some devices: recorded ones, and as pending (on a cancelled message: cancelled) the devices of open
 * pages that have no record yet. Devices that the message did not come to are left out.
 */
export async function findDeliveriesOfDevices(
  executor: Executor,
  appId: string,
  messageId: string,
  deviceIds: readonly string[],
): Promise<DeliveryRecord[]> {
  return rows<DeliveryRecord>(executor, FIND, [appId, messageId, deviceIds]);
}

const FIND = `
  WITH message AS (
    SELECT CASE WHEN status = 'cancelled' THEN 'cancelled' ELSE 'pending' END AS waiting, user_ids,
      coalesce(send_at, accepted_at) AS starts_at
    FROM messages WHERE app_id = $1 AND id = $2
  ), asked AS (
    SELECT id FROM unnest($3::bigint[]) AS device (id)
  ), recorded AS (
    SELECT d.device_id, CASE WHEN d.state = 'pending' THEN message.waiting ELSE d.state END AS state, d.vendor,
      d.vendor_message_id, d.error_code, d.reason, d.attempt::int, d.promo_code, NULL::timestamptz AS not_before, NULL AS waits_for,
      d.created_at, d.sent_at, d.delivered_at, d.shown_at, d.opened_at, d.dismissed_at, d.updated_at
    FROM asked JOIN deliveries d ON d.app_id = $1 AND d.message_id = $2 AND d.device_id = asked.id CROSS JOIN message
  ), waiting AS (
    SELECT asked.id, message.waiting, p.vendor, NULL, NULL, NULL, p.attempt - 1, NULL, p.not_before, ${WAITS_FOR},
      p.created_at, NULL::timestamptz, NULL::timestamptz, NULL::timestamptz, NULL::timestamptz, NULL::timestamptz,
      p.created_at
    FROM pages p CROSS JOIN message JOIN asked ON asked.id = ANY (p.device_ids)
    WHERE p.app_id = $1 AND p.message_id = $2 AND p.state <> 'finished' AND p.device_ids && $3::bigint[]
      AND NOT EXISTS (SELECT 1 FROM recorded WHERE recorded.device_id = asked.id)
  )
  SELECT t.device_id AS "deviceId", i.installation_id AS "installationId", ${recipientOf('i', 'message.user_ids', 'message.starts_at')} AS "userId", t.state, t.vendor,
    t.vendor_message_id AS "vendorMessageId", t.error_code AS "errorCode", t.reason, t.attempt,
    t.promo_code AS "promoCode", t.not_before AS "notBefore", t.waits_for AS "waitsFor", t.created_at AS "createdAt", t.sent_at AS "sentAt",
    t.delivered_at AS "deliveredAt", t.shown_at AS "shownAt", t.opened_at AS "openedAt",
    t.dismissed_at AS "dismissedAt", t.updated_at AS "updatedAt"
  FROM (SELECT * FROM recorded UNION ALL SELECT * FROM waiting) t CROSS JOIN message
  LEFT JOIN installations i ON i.app_id = $1 AND i.id = t.device_id`;
