import type { DeliveryState, MessageContent, MessageKind } from '@postrider/domain';
import type { Executor } from '../database/executor';
import { preparedRows } from '../database/prepared-rows';

/** A device, and since when its present owner has it. */
export interface InboxDevice {
  appId: string;
  deviceId: string;
  userSince: Date;
  userId: string;
}

/** A message in a device's inbox. */
export interface InboxMessage {
  id: string;
  kind: MessageKind;
  channel: string;
  content: MessageContent;
  promoCode: string | null;
  state: DeliveryState;
  acceptedAt: Date;
  expiresAt: Date;
  readAt: Date | null;
}

/** Kept messages that are looked through for what is unread: a bound for inboxes that nobody reads. */
const MOST_COUNTED = 10_000;

/**
 * What a device keeps: messages that reached it, or wait for it, that are not expired and not deleted. Not silent and live
 * ones, nor those sent by vendor push alone; nor what was for a former owner of the device: a message that names users is for
 * those, any other for whoever had the device when it was to be sent. What an edge holds for the device has no
 * row yet: there are never many such pages.
 */
const KEPT = `
  FROM (
    SELECT app_id, message_id, device_id, state, promo_code, opened_at FROM deliveries
    UNION ALL
    SELECT p.app_id, p.message_id, $2::bigint, 'pending', NULL, NULL FROM pages p
    WHERE p.app_id = $1 AND p.edge_id IS NOT NULL AND p.device_ids @> ARRAY[$2::bigint] AND NOT EXISTS (
      SELECT FROM deliveries r WHERE r.app_id = $1 AND r.message_id = p.message_id AND r.device_id = $2::bigint
    )
  ) d
  CROSS JOIN LATERAL (
    SELECT m.kind, m.channel, m.content, m.accepted_at, m.expires_at FROM messages m
    WHERE m.app_id = d.app_id AND m.id = d.message_id AND m.expires_at > $4::timestamptz 
      AND CASE WHEN m.user_ids IS NULL THEN coalesce(m.send_at, m.accepted_at) >= $3::timestamptz ELSE $5::text = ANY (m.user_ids) END
      AND m.kind <> 'notify' AND (m.status <> 'cancelled' OR d.state <> 'pending')
      AND (m.content ->> 'silent') IS DISTINCT FROM 'true' AND (m.content ->> 'live') IS DISTINCT FROM 'true'
      AND m.content ->> 'content' IS NOT NULL
    LIMIT 1
  ) m
  LEFT JOIN LATERAL (
    SELECT read_at, deleted_at FROM inbox_marks k
    WHERE k.app_id = d.app_id AND k.device_id = d.device_id AND k.message_id = d.message_id LIMIT 1
  ) k ON true
  WHERE d.app_id = $1 AND d.device_id = $2::bigint AND k.deleted_at IS NULL
    AND d.state IN ('pending', 'sent', 'delivered', 'shown', 'dismissed', 'opened')`;

/** The inbox, newest first, at most `limit` messages accepted before the one named. */
export async function readInbox(
  executor: Executor,
  { appId, deviceId, userSince, userId }: InboxDevice,
  { beforeId, limit, now }: { beforeId: string | null; limit: number; now: Date },
): Promise<InboxMessage[]> {
  return preparedRows<InboxMessage>(
    executor,
    `SELECT d.message_id AS id, m.kind, m.channel, m.content, d.promo_code AS "promoCode", d.state,
       m.accepted_at AS "acceptedAt", m.expires_at AS "expiresAt", coalesce(k.read_at, d.opened_at) AS "readAt"
     ${KEPT} AND d.message_id < $6::uuid
     ORDER BY d.message_id DESC LIMIT $7`,
    [appId, deviceId, userSince, now, userId, beforeId ?? LAST_ID, limit],
  );
}

/** How many messages of the inbox are unread, of the newest ten thousand. */
export async function countUnread(
  executor: Executor,
  { appId, deviceId, userSince, userId }: InboxDevice,
  now: Date,
): Promise<number> {
  const [counted] = await preparedRows<{ unread: number }>(
    executor,
    `SELECT count(*)::integer AS unread FROM (
       SELECT coalesce(k.read_at, d.opened_at) AS read_at ${KEPT} ORDER BY d.message_id DESC LIMIT ${MOST_COUNTED}
     ) kept WHERE read_at IS NULL`,
    [appId, deviceId, userSince, now, userId],
  );
  return counted?.unread ?? 0;
}

/** Marks one message, or all of them, as read; what was read stays so. @returns how many are in the inbox */
export async function markRead(
  executor: Executor,
  device: InboxDevice,
  messageId: string | null,
  now: Date,
): Promise<number> {
  return mark(executor, device, { messageId, now, column: 'read_at' });
}

/** Takes a message out of the inbox. @returns how many were: 1 or 0 */
export async function deleteFromInbox(
  executor: Executor,
  device: InboxDevice,
  messageId: string,
  now: Date,
): Promise<number> {
  return mark(executor, device, { messageId, now, column: 'deleted_at' });
}

async function mark(
  executor: Executor,
  { appId, deviceId, userSince, userId }: InboxDevice,
  { messageId, now, column }: { messageId: string | null; now: Date; column: 'read_at' | 'deleted_at' },
): Promise<number> {
  const [counted] = await preparedRows<{ marked: number }>(executor, MARK[column], [
    appId,
    deviceId,
    userSince,
    now,
    userId,
    messageId,
  ]);
  return counted?.marked ?? 0;
}

const markSql = (column: string): string => `
  WITH kept AS (
    SELECT d.message_id ${KEPT} AND ($6::uuid IS NULL OR d.message_id = $6::uuid)
  ), marked AS (
    INSERT INTO inbox_marks AS k (app_id, device_id, message_id, ${column})
    SELECT $1, $2::bigint, message_id, $4::timestamptz FROM kept ORDER BY message_id
    ON CONFLICT (app_id, device_id, message_id) DO UPDATE SET ${column} = excluded.${column} WHERE k.${column} IS NULL
  )
  SELECT count(*)::integer AS marked FROM kept`;

const MARK = { read_at: markSql('read_at'), deleted_at: markSql('deleted_at') };

/** Above every id. */
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
