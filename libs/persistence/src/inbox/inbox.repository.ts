import { type DeviceId, type DeliveryState, type MessageContent, type MessageKind } from '@postrider/domain';
import { isMeantFor } from '../devices/ownership';
import { packedDeliveriesOf } from '../packs/packed-deliveries';
import { literal, parameter, sql, type Sql, identifier, type Parameter } from '../sql';
import { Inject, Injectable } from '@nestjs/common';
import { type Database, DATABASE, rows } from '../database/executor';
import { preparedRows, rowsPlannedOnce } from '../database/prepared-rows';

/** A device, and since when its present owner has had it. */
interface InboxDevice {
  appId: string;
  deviceId: DeviceId;
  userSince: Date;
  userId: string;
}

/** An installation whose inbox is read, and the fields that its messages may insert. */
export interface InboxOwner extends InboxDevice {
  deviceType: string | null;
  applicationName: string;
  defaultAlertText: string;
}

/** A message in a device's inbox. */
export interface InboxMessage {
  id: string;
  kind: MessageKind;
  channel: string;
  content: MessageContent;
  promoCode: string | null;
  /** The language that it was sent in. Null: the default, or not sent yet. */
  language: string | null;
  /** The variant that was chosen as the best. */
  winner: string | null;
  state: DeliveryState;
  /** Of a scheduled message the time at which it was to be sent. */
  acceptedAt: Date;
  expiresAt: Date;
  readAt: Date | null;
}

/** The number of newest messages that are checked for unread ones: a limit for inboxes that nobody reads. */
const MOST_COUNTED = 10_000;

/** Greater than every id. */
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** The list of messages that an app shows its user: which messages the device keeps, and which are read or deleted. */
@Injectable()
export class InboxRepository {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /** The installation, or null when it is unknown. */
  async findOwner(appId: string, installationId: string): Promise<InboxOwner | null> {
    const [found] = await rows<InboxOwner>(
      this.database,
      sql`SELECT i.app_id AS "appId", i.id AS "deviceId", i.user_since AS "userSince", i.user_id AS "userId",
            i.device_type AS "deviceType", a.name AS "applicationName", a.default_alert_text AS "defaultAlertText"
          FROM installations i JOIN applications a ON a.app_id = i.app_id
          WHERE i.app_id = ${appId} AND i.installation_id = ${installationId}`,
    );
    return found ?? null;
  }

  /** Reads the inbox, newest first, at most `limit` messages that were accepted before the named one. */
  async read(
    device: InboxDevice,
    { beforeId, limit, now }: { beforeId: string | null; limit: number; now: Date },
  ): Promise<InboxMessage[]> {
    return rowsPlannedOnce<InboxMessage>(
      this.database,
      sql`SELECT d.message_id AS id, m.kind, m.channel, m.content, d.promo_code AS "promoCode", d.language, m.winner_variant AS winner, d.state,
            coalesce(m.send_at, m.accepted_at) AS "acceptedAt", m.expires_at AS "expiresAt", coalesce(k.read_at, d.opened_at) AS "readAt"
          ${keptBy(placesOf(device, now))} AND d.message_id < ${beforeId ?? LAST_ID}::uuid
          ORDER BY d.message_id DESC LIMIT ${limit}`,
    );
  }

  /** Counts the unread messages among the newest ten thousand of the inbox. */
  async countUnread(device: InboxDevice, now: Date): Promise<number> {
    const [counted] = await rowsPlannedOnce<{ unread: number }>(
      this.database,
      sql`SELECT count(*)::integer AS unread FROM (
            SELECT coalesce(k.read_at, d.opened_at) AS read_at
            ${keptBy(placesOf(device, now))} ORDER BY d.message_id DESC LIMIT ${literal(MOST_COUNTED)}
          ) kept WHERE read_at IS NULL`,
    );
    return counted?.unread ?? 0;
  }

  /** Marks one message, or all of them, as read. @returns how many of them are in the inbox */
  async markRead(device: InboxDevice, messageId: string | null, now: Date): Promise<number> {
    return this.#mark(device, { messageId, now, column: identifier('read_at') });
  }

  /** Removes a message from the inbox. @returns the number of removed messages: 1 or 0 */
  async delete(device: InboxDevice, messageId: string, now: Date): Promise<number> {
    return this.#mark(device, { messageId, now, column: identifier('deleted_at') });
  }

  async #mark(
    device: InboxDevice,
    { messageId, now, column }: { messageId: string | null; now: Date; column: Sql },
  ): Promise<number> {
    const places = placesOf(device, now);
    const message = parameter(messageId);
    const [counted] = await preparedRows<{ marked: number }>(
      this.database,
      sql`WITH kept AS (
            SELECT d.message_id ${keptBy(places)} AND (${message}::uuid IS NULL OR d.message_id = ${message}::uuid)
          ), marked AS (
            INSERT INTO inbox_marks AS k (app_id, device_id, message_id, ${column})
            SELECT ${places.appId}, ${places.deviceId}::bigint, message_id, ${places.now}::timestamptz
            FROM kept ORDER BY message_id
            ON CONFLICT (app_id, device_id, message_id) DO UPDATE SET ${column} = excluded.${column} WHERE k.${column} IS NULL
          )
          SELECT count(*)::integer AS marked FROM kept`,
    );
    return counted?.marked ?? 0;
  }
}

type Places = Readonly<Record<keyof InboxDevice | 'now', Parameter>>;

function placesOf({ appId, deviceId, userSince, userId }: InboxDevice, now: Date): Places {
  return {
    appId: parameter(appId),
    deviceId: parameter(deviceId),
    userSince: parameter(userSince),
    userId: parameter(userId),
    now: parameter(now),
  };
}

/**
 * The messages in a device's inbox: those that reached it or wait for it, and that are not expired or deleted. Not
 * included are silent and live messages, messages that were sent by vendor push only, and messages for a former owner.
 * Messages on pages of an edge have no row yet; there are never many such pages. A message that a push service refused
 * may still wait for the connection (`in_inbox`).
 *
 * FROM and WHERE: `d` is the delivery, `m` its message, `k` the mark in the inbox.
 */
function keptBy({ appId, deviceId, userSince, userId, now }: Places): Sql {
  const device = { appId: sql`${appId}`, deviceId: sql`${deviceId}::bigint` };
  const owner = { ...device, userId: sql`${userId}::text`, since: sql`${userSince}::timestamptz` };
  const isMeant = isMeantFor(owner, { users: sql`m.user_ids`, since: sql`coalesce(m.send_at, m.accepted_at)` });
  return sql`
  FROM (
    SELECT app_id, message_id, device_id, CASE WHEN state = 'failed' AND in_inbox THEN 'pending' ELSE state END AS state,
      promo_code, language, opened_at FROM deliveries
    UNION ALL
    SELECT p.app_id, p.message_id, ${deviceId}::bigint, 'pending', NULL, NULL, NULL FROM pages p
    WHERE p.app_id = ${appId} AND p.edge_id IS NOT NULL AND p.device_ids @> ARRAY[${deviceId}::bigint] AND NOT EXISTS (
      SELECT FROM deliveries r WHERE r.app_id = ${appId} AND r.message_id = p.message_id AND r.device_id = ${deviceId}::bigint
    )
    UNION ALL
    SELECT ${appId}, k.message_id, ${deviceId}::bigint, 'sent', NULL, k.language, NULL
    FROM (${packedDeliveriesOf({ app: sql`${appId}`, device: sql`${deviceId}::bigint` })}) k
  ) d
  CROSS JOIN LATERAL (
    SELECT m.kind, m.channel, m.content, m.winner_variant, m.send_at, m.accepted_at, m.expires_at FROM messages m
    WHERE m.app_id = d.app_id AND m.id = d.message_id AND m.expires_at > ${now}::timestamptz
      AND ${isMeant}
      AND m.kind <> 'notify' AND (m.status <> 'cancelled' OR d.state <> 'pending')
      AND (m.content ->> 'silent') IS DISTINCT FROM 'true' AND (m.content ->> 'live') IS DISTINCT FROM 'true'
      AND m.content ->> 'content' IS NOT NULL
    LIMIT 1
  ) m
  LEFT JOIN LATERAL (
    SELECT read_at, deleted_at FROM inbox_marks k
    WHERE k.app_id = d.app_id AND k.device_id = d.device_id AND k.message_id = d.message_id LIMIT 1
  ) k ON true
  WHERE d.app_id = ${appId} AND d.device_id = ${deviceId}::bigint AND k.deleted_at IS NULL
    AND d.state IN ('pending', 'sent', 'delivered', 'shown', 'dismissed', 'opened')`;
}
