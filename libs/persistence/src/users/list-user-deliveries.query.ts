import type { DeliveryState, MessageContent } from '@postrider/domain';
import { type Executor, rows } from '../database/executor';
import { recipientOf } from '../devices/meant-for';

/** What one message became on one of a user's devices. */
export interface UserDelivery {
  messageId: string;
  /** The device's number; together with `messageId` the place in the list. */
  deviceId: string;
  installationId: string;
  isCampaign: boolean;
  content: MessageContent;
  state: DeliveryState;
  vendor: string | null;
  errorCode: string | null;
  reason: string | null;
  createdAt: Date;
}

/** A stretch of a user's deliveries: those before this place, and how many. */
export interface UserDeliveryStretch {
  beforeMessageId: string;
  beforeDeviceId: string;
  limit: number;
}

/** Devices that were this user's once. */
const FORMER_DEVICES = `SELECT device_id FROM former_owners WHERE app_id = $1 AND user_id = $2`;

/** Of how many of a user's devices deliveries are shown. */
const MOST_DEVICES = 100;

/**
 * What was sent to a user on their devices, newest message first; of a device that was another user's, or is by now, what was
 * meant for this one. Each device is read along its own index, so that the whole costs what is shown.
 */
export async function listUserDeliveries(
  executor: Executor,
  appId: string,
  userId: string,
  { beforeMessageId, beforeDeviceId, limit }: UserDeliveryStretch,
): Promise<UserDelivery[]> {
  return rows<UserDelivery>(
    executor,
    `SELECT d.message_id AS "messageId", i.id AS "deviceId", i.installation_id AS "installationId",
       d.is_campaign AS "isCampaign", d.content, d.state, d.vendor, d.error_code AS "errorCode", d.reason,
       d.created_at AS "createdAt"
     FROM (
       (SELECT * FROM installations WHERE app_id = $1 AND user_id = $2 ORDER BY id LIMIT ${MOST_DEVICES})
       UNION ALL
       (SELECT * FROM installations WHERE app_id = $1 AND user_id <> $2 AND id IN (${FORMER_DEVICES}) ORDER BY id LIMIT ${MOST_DEVICES})
     ) i
     CROSS JOIN LATERAL (
       SELECT o.*, m.is_campaign, m.content
       FROM deliveries o JOIN messages m ON m.app_id = $1 AND m.id = o.message_id
       WHERE o.app_id = $1 AND o.device_id = i.id AND ${recipientOf('i', 'm.user_ids', 'coalesce(m.send_at, m.accepted_at)')} = $2
         AND o.message_id <= $3::uuid
         AND (o.message_id < $3::uuid OR o.device_id < $4::bigint)
       ORDER BY o.message_id DESC LIMIT $5
     ) d
     ORDER BY d.message_id DESC, i.id DESC LIMIT $5`,
    [appId, userId, beforeMessageId, beforeDeviceId, limit],
  );
}
