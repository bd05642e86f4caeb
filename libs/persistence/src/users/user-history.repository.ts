import { Inject, Injectable } from '@nestjs/common';
import type { DeviceId, DeliveryState, JsonObject, MessageContent, MessageKind } from '@postrider/domain';
import { type Database, DATABASE, rows } from '../database/executor';
import { rowsPlannedOnce } from '../database/prepared-rows';
import { recipientOf } from '../devices/ownership';
import { deliveryOf, packedDeliveriesOf } from '../packs/packed-deliveries';
import { variantOfUser } from '../campaign-tests/campaign-places';
import { findPackedDetails } from '../packs/find-packed-details';
import { isoTime, literal, type Parameter, parameter, sql, type Sql } from '../sql';

/** The delivery of one message to one of a user's devices. */
export interface UserDelivery {
  messageId: string;
  /** The number of the device. With `messageId` it is the place in the list. */
  deviceId: DeviceId;
  installationId: string;
  isCampaign: boolean;
  content: MessageContent;
  /** The variant that was chosen as the best. Null: none (yet), or there are none. */
  winner: string | null;
  state: DeliveryState;
  vendor: string | null;
  errorCode: string | null;
  reason: string | null;
  language: string | null;
  createdAt: Date;
}

/** Which part of a user's deliveries to read: those before this place, and how many. */
interface UserDeliveryStretch {
  beforeMessageId: string;
  beforeDeviceId: DeviceId;
  limit: number;
}

/** Which messages may have been for a user: those that name them, or those to a group. */
type MessagesOfUser = 'named' | 'groups';

/** A message and its deliveries to a user's devices. */
interface UserMessage {
  id: string;
  kind: MessageKind;
  channel: string;
  content: MessageContent;
  acceptedAt: Date;
  deliveries: JsonObject[];
  /** The SMS that was sent, or was to be sent, in its place. */
  fallback: JsonObject | null;
}

/** Which messages to read, behind which id, and how many. */
interface MessageStretch {
  which: MessagesOfUser;
  afterId: string;
  limit: number;
}

/** A link that a user's device reported as opened. */
interface OpenedLink {
  id: string;
  link: string;
  openedAt: Date;
}

/** A delivery that is in a pack. */
interface PackedPlace {
  deviceId: string;
  installationId: string;
}

/** A message as it is read, with the variant that was chosen as the best. */
type FoundMessage = UserMessage & { packed: PackedPlace[]; winner: string | null };

/** Number of a user's devices whose deliveries are shown. */
const MOST_DEVICES = literal(100);

/** What users got, and what they opened. */
@Injectable()
export class UserHistoryRepository {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /**
   * Lists what was sent to a user on their devices, newest message first. For a device that had or has another owner,
   * it lists what was meant for this user. Each device is read by its own index, so that the cost depends on what is
   * shown only.
   */
  async listDeliveries(
    app: string,
    user: string,
    { beforeMessageId, beforeDeviceId, limit: most }: UserDeliveryStretch,
  ): Promise<UserDelivery[]> {
    const [appId, userId, limit] = [parameter(app), parameter(user), parameter(most)];
    const [before, beforeDevice] = [parameter(beforeMessageId, 'uuid'), parameter(beforeDeviceId, 'bigint')];
    const isBefore = (of: Sql): Sql =>
      sql`${of}.message_id <= ${before} AND (${of}.message_id < ${before} OR i.id < ${beforeDevice})`;
    const isTheirs = sql`(SELECT ${RECIPIENT} FROM messages m WHERE m.app_id = ${appId} AND m.id = k.message_id) = ${userId}`;
    const packed = { where: sql`${isBefore(sql`k`)} AND ${isTheirs}`, limit: sql`${limit}` };
    return rowsPlannedOnce<UserDelivery>(
      this.database,
      sql`SELECT d.message_id AS "messageId", i.id AS "deviceId", i.installation_id AS "installationId",
            d.is_campaign AS "isCampaign", d.content, d.winner_variant AS winner, d.state, d.vendor, d.error_code AS "errorCode", d.reason,
            d.language, d.created_at AS "createdAt"
          FROM (${devicesOf(appId, userId)}) i
          CROSS JOIN LATERAL (
            (
              SELECT o.message_id, o.state, o.vendor, o.error_code, o.reason, o.language, o.created_at, m.is_campaign, m.content,
                m.winner_variant
              FROM deliveries o JOIN messages m ON m.app_id = ${appId} AND m.id = o.message_id
              WHERE o.app_id = ${appId} AND o.device_id = i.id AND ${RECIPIENT} = ${userId} AND ${isBefore(sql`o`)}
              ORDER BY o.message_id DESC LIMIT ${limit}
            ) UNION ALL (
              SELECT o.message_id, 'sent', o.vendor, NULL, NULL, o.language, o.created_at, m.is_campaign, m.content, m.winner_variant
              FROM (${packedDeliveriesOf({ app: sql`${appId}`, device: sql`i.id` }, packed)}) o
              JOIN messages m ON m.app_id = ${appId} AND m.id = o.message_id
              ORDER BY o.message_id DESC LIMIT ${limit}
            )
          ) d
          ORDER BY d.message_id DESC, i.id DESC LIMIT ${limit}`,
    );
  }

  /**
   * Reads messages that may have been for a user, oldest first, with the deliveries to their devices. For a device that
   * had or has another owner, it reads those that were meant for this user.
   */
  async readMessages(app: string, user: string, { which, afterId, limit }: MessageStretch): Promise<UserMessage[]> {
    const [appId, userId] = [parameter(app), parameter(user)];
    const delivery = { app: sql`${appId}`, message: sql`m.id`, device: sql`i.id` };
    const messages = await rows<FoundMessage>(
      this.database,
      sql`SELECT m.id, m.kind, m.channel, m.content, m.winner_variant AS winner, m.accepted_at AS "acceptedAt", of_user.deliveries, of_user.packed, (
            SELECT jsonb_build_object('state', f.state, 'phone', f.phone, 'provider', f.provider, 'sentAt', ${isoTime(sql`f.sent_at`)})
            FROM fallbacks f WHERE f.app_id = ${appId} AND f.message_id = m.id AND f.user_id = ${userId}
          ) AS fallback
          FROM messages m CROSS JOIN LATERAL (
            SELECT coalesce(jsonb_agg(jsonb_build_object('installationId', i.installation_id, 'state', d.state,
                'vendor', d.vendor, 'errorCode', d.error_code, 'reason', d.reason, 'promoCode', d.promo_code,
                'language', d.language,
                'createdAt', ${isoTime(sql`d.created_at`)}, 'sentAt', ${isoTime(sql`d.sent_at`)},
                'deliveredAt', ${isoTime(sql`d.delivered_at`)}, 'shownAt', ${isoTime(sql`d.shown_at`)},
                'openedAt', ${isoTime(sql`d.opened_at`)}, 'dismissedAt', ${isoTime(sql`d.dismissed_at`)}) ORDER BY i.id), '[]') AS deliveries,
              coalesce(jsonb_agg(jsonb_build_object('deviceId', i.id::text, 'installationId', i.installation_id))
                FILTER (WHERE d.is_packed), '[]') AS packed
            FROM (${devicesOf(appId, userId)}) i CROSS JOIN LATERAL (${deliveryOf(delivery)}) d
            WHERE ${RECIPIENT} = ${userId}
          ) of_user
          WHERE m.app_id = ${appId} AND m.id > ${afterId}::uuid AND ${MESSAGES_OF_USER[which](userId)}
          ORDER BY m.id LIMIT ${limit}`,
    );
    return (await this.#withTimes(app, messages)).map(({ winner, ...message }) => {
      const variant = variantOfUser({ appId: app, id: message.id, content: message.content, winner }, user);
      return { ...message, deliveries: message.deliveries.map((delivery) => ({ ...delivery, variant })) };
    });
  }

  /** Adds the times of packed deliveries, which their packs hold. */
  async #withTimes(appId: string, found: readonly FoundMessage[]): Promise<Omit<FoundMessage, 'packed'>[]> {
    const places = found.flatMap(({ id: messageId, packed }) => packed.map((place) => ({ messageId, ...place })));
    const details = await findPackedDetails(this.database, appId, places);
    const sentAt = new Map(
      places.map(({ messageId, installationId }, place) => [`${messageId} ${installationId}`, details[place]?.sentAt]),
    );
    return found.map(({ packed, ...message }) => ({
      ...message,
      deliveries: message.deliveries.map((delivery) => {
        if (packed.length === 0) return delivery;
        const at = sentAt.get(`${message.id} ${delivery['installationId'] as string}`);
        return at === undefined ? delivery : { ...delivery, sentAt: new Date(at).toISOString() };
      }),
    }));
  }

  /** The links that a user opened, oldest first, at most `limit` behind `afterId`. */
  async listLinks(
    appId: string,
    userId: string,
    { afterId, limit }: { afterId: string; limit: number },
  ): Promise<OpenedLink[]> {
    return rows<OpenedLink>(
      this.database,
      sql`SELECT id, link, opened_at AS "openedAt" FROM link_opens
          WHERE app_id = ${appId} AND user_id = ${userId} AND id > ${afterId}::bigint
          ORDER BY id LIMIT ${limit}`,
    );
  }
}

/** The devices of a user, present and former. */
function devicesOf(appId: Parameter, userId: Parameter): Sql {
  const former = sql`SELECT device_id FROM former_owners WHERE app_id = ${appId} AND user_id = ${userId}`;
  return sql`(SELECT * FROM installations WHERE app_id = ${appId} AND user_id = ${userId} ORDER BY id LIMIT ${MOST_DEVICES})
    UNION ALL
    (SELECT * FROM installations WHERE app_id = ${appId} AND user_id <> ${userId} AND id IN (${former})
      ORDER BY id LIMIT ${MOST_DEVICES})`;
}

/** The user for whom message `m` came to device `i`. */
const RECIPIENT = recipientOf({
  installation: sql`i`,
  users: sql`m.user_ids`,
  since: sql`coalesce(m.send_at, m.accepted_at)`,
});

/** Conditions over alias `m`. */
const MESSAGES_OF_USER: Record<MessagesOfUser, (userId: Parameter) => Sql> = {
  named: (userId) => sql`m.user_ids @> ARRAY[${userId}::text]`,
  groups: (userId) => sql`${userId}::text IS NOT NULL AND m.user_ids IS NULL`,
};
