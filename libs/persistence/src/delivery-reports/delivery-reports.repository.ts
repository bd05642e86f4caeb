import { Inject, Injectable } from '@nestjs/common';
import type { DeviceId, DeliveryState } from '@postrider/domain';
import { DATABASE, type Database, type Executor, rows } from '../database/executor';
import { recipientOf } from '../devices/ownership';
import { findPackedDetails } from '../packs/find-packed-details';
import { deliveryOf, packedIdsBetween } from '../packs/packed-deliveries';
import { parameter, sql } from '../sql';
import { type DeliveryRecord, listDeliveriesStatement, WAITS_FOR } from './list-deliveries.statement';

/** How many error codes of a message are counted for themselves: what a proxy puts into its answers may be another one each time. */
const MOST_CODES = 200;
const OTHER_CODE = 'other';

/** The number of deliveries in one state, by vendor, error and reason of the skip. */
export interface DeliveryCount {
  state: DeliveryState;
  vendor: string | null;
  errorCode: string | null;
  /** Why a skipped delivery was skipped, as a code. */
  skipReason: string | null;
  count: number;
}

/** Which of a message's deliveries to list. */
export interface DeliveryStretch {
  /** Only deliveries in this state; null: in any. */
  state: DeliveryState | null;
  /**
   * Only deliveries that were sent in this language. Null: in the default language. Left out: in any language, or not
   * sent.
   */
  language?: string | null | undefined;
  afterDeviceId: DeviceId;
  limit: number;
}

/**
 * How many open pages are read, with every device on them, in each try. The pages of a message are in the order of
 * their devices, so the first few hold the next devices. More pages are needed if those devices are recorded by now.
 */
const PAGES_LOOKED_INTO = [3, 32, 512, 1_000_000];

/** A row of the answer. If there are no deliveries, one row without a device. */
type Listed = Omit<DeliveryRecord, 'deviceId'> & Packed & { deviceId: DeviceId | null; isAll: boolean };

/** True if a pack has more details of the delivery. */
interface Packed {
  isPacked: boolean | null;
}

/**
 * The deliveries of a message by device: recorded ones, in rows and packs, and devices on open pages that have no
 * record yet.
 */
@Injectable()
export class DeliveryReportsRepository {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /**
   * Counts a message's deliveries by state. Devices on open pages without a record count as `pending`, or as
   * `cancelled` if the message is cancelled, because nobody will try them any more.
   *
   * A page that nobody has claimed has no records, so its number of devices is enough; only claimed pages are read in
   * full. A pack stores its number of devices. A device that is in a pack and has a row is counted by its row.
   */
  async count(executor: Executor, appId: string, messageId: string): Promise<DeliveryCount[]> {
    const app = parameter(appId);
    const message = parameter(messageId);
    const packedBetween = packedIdsBetween({
      packs: { app: sql`${app}`, message: sql`${message}` },
      first: sql`p.device_ids[1]`,
      last: sql`p.device_ids[cardinality(p.device_ids)]`,
    });
    return rows<DeliveryCount>(
      executor,
      sql`WITH recorded AS (
            SELECT state, vendor, error_code, CASE WHEN state = 'skipped' THEN coalesce(error_code, reason) END AS skip_reason,
              count(*) AS count, count(*) FILTER (WHERE is_packed) AS packed
            FROM deliveries WHERE app_id = ${app} AND message_id = ${message} GROUP BY 1, 2, 3, 4
          ), open AS (
            SELECT p.vendor, cardinality(p.device_ids) - CASE WHEN p.fence = 0 AND p.attempt = 1 THEN 0 ELSE (
              SELECT count(*) FROM (
                SELECT device.id FROM unnest(p.device_ids) AS device (id)
                JOIN deliveries d ON d.app_id = ${app} AND d.message_id = ${message} AND d.device_id = device.id
                UNION
                SELECT device.id FROM unnest(p.device_ids) AS device (id) JOIN (${packedBetween}) k ON k.id = device.id
              ) known
            ) END AS count
            FROM pages p WHERE p.app_id = ${app} AND p.message_id = ${message} AND p.state <> 'finished'
          ), counted AS (
            SELECT state, vendor, error_code, skip_reason, count FROM recorded
            UNION ALL SELECT 'pending', vendor, NULL, NULL, count FROM open
            UNION ALL SELECT 'sent', vendor, NULL, NULL, count FROM delivery_packs WHERE app_id = ${app} AND message_id = ${message}
            UNION ALL SELECT 'sent', vendor, NULL, NULL, -packed FROM recorded WHERE packed > 0
          )
          SELECT g.state, g.vendor, CASE WHEN g.error_code IS NULL OR g.place <= ${MOST_CODES} THEN g.error_code ELSE ${OTHER_CODE} END AS "errorCode",
            g.skip_reason AS "skipReason", sum(g.count)::float8 AS count
          FROM (
            SELECT CASE WHEN m.status = 'cancelled' AND counted.state = 'pending' THEN 'cancelled' ELSE counted.state END AS state,
              counted.vendor, counted.error_code, counted.skip_reason, sum(counted.count) AS count,
              row_number() OVER (PARTITION BY counted.error_code IS NULL ORDER BY sum(counted.count) DESC, counted.error_code) AS place
            FROM counted CROSS JOIN messages m WHERE m.app_id = ${app} AND m.id = ${message}
            GROUP BY 1, 2, 3, 4 HAVING sum(counted.count) > 0
          ) g GROUP BY 1, 2, 3, 4`,
    );
  }

  /**
   * Finds a message's deliveries to these devices. Devices on open pages without a record are pending (on a cancelled
   * message: cancelled). Devices that the message did not reach are left out.
   */
  async findOfDevices(appId: string, messageId: string, deviceIds: readonly DeviceId[]): Promise<DeliveryRecord[]> {
    const app = parameter(appId);
    const message = parameter(messageId);
    const devices = parameter(deviceIds);
    const found = await rows<DeliveryRecord & Packed>(
      this.database,
      sql`
        WITH message AS (
          SELECT CASE WHEN status = 'cancelled' THEN 'cancelled' ELSE 'pending' END AS waiting, user_ids,
            coalesce(send_at, accepted_at) AS starts_at
          FROM messages WHERE app_id = ${app} AND id = ${message}
        ), asked AS (
          SELECT id FROM unnest(${devices}::bigint[]) AS device (id)
        ), recorded AS (
          SELECT asked.id AS device_id, CASE WHEN d.state = 'pending' THEN message.waiting ELSE d.state END AS state, d.vendor,
            d.vendor_message_id, d.error_code, d.reason, d.attempt::int, d.promo_code, d.language, NULL::timestamptz AS not_before,
            NULL AS waits_for, d.created_at, d.sent_at, d.delivered_at, d.shown_at, d.opened_at, d.dismissed_at, d.updated_at,
            d.is_packed
          FROM asked CROSS JOIN message
          CROSS JOIN LATERAL (${deliveryOf({ app: sql`${app}`, message: sql`${message}`, device: sql`asked.id` })}) d
        ), waiting AS (
          SELECT asked.id, message.waiting, p.vendor, NULL, NULL, NULL, p.attempt - 1, NULL, NULL, p.not_before, ${WAITS_FOR},
            p.created_at, NULL::timestamptz, NULL::timestamptz, NULL::timestamptz, NULL::timestamptz, NULL::timestamptz,
            p.created_at, false
          FROM pages p CROSS JOIN message JOIN asked ON asked.id = ANY (p.device_ids)
          WHERE p.app_id = ${app} AND p.message_id = ${message} AND p.state <> 'finished' AND p.device_ids && ${devices}::bigint[]
            AND NOT EXISTS (SELECT 1 FROM recorded WHERE recorded.device_id = asked.id)
        )
        SELECT t.device_id AS "deviceId", i.installation_id AS "installationId",
          ${recipientOf({ installation: sql`i`, users: sql`message.user_ids`, since: sql`message.starts_at` })} AS "userId", t.state, t.vendor,
          t.vendor_message_id AS "vendorMessageId", t.error_code AS "errorCode", t.reason, t.attempt,
          t.promo_code AS "promoCode", t.language, t.not_before AS "notBefore", t.waits_for AS "waitsFor", t.created_at AS "createdAt",
          t.sent_at AS "sentAt",
          t.delivered_at AS "deliveredAt", t.shown_at AS "shownAt", t.opened_at AS "openedAt",
          t.dismissed_at AS "dismissedAt", t.updated_at AS "updatedAt", t.is_packed AS "isPacked"
        FROM (SELECT * FROM recorded UNION ALL SELECT * FROM waiting) t CROSS JOIN message
        LEFT JOIN installations i ON i.app_id = ${app} AND i.id = t.device_id`,
    );
    return withDetails(this.database, appId, messageId, found);
  }

  /**
   * Lists a message's deliveries in the order of their devices, at most `limit` behind `afterDeviceId`. Devices on open
   * pages without a record are pending (on a cancelled message: cancelled). The cost is about the same at any place of
   * a list of any length.
   */
  async list(
    executor: Executor,
    appId: string,
    messageId: string,
    { state, language, afterDeviceId, limit }: DeliveryStretch,
  ): Promise<DeliveryRecord[]> {
    const waiting = await readWaitingState(executor, appId, messageId);
    // Devices that wait were not sent anything yet.
    const hasWaiting = language === undefined && (state === null || state === waiting);
    const hasPacked = state === null || state === 'sent';
    const stretch = {
      appId,
      messageId,
      afterDeviceId,
      limit,
      states: storedStates(state, waiting),
      language,
      hasWaiting,
      hasPacked,
    };
    for (const pages of PAGES_LOOKED_INTO) {
      const answer = await rows<Listed>(executor, listDeliveriesStatement({ ...stretch, pages }));
      const found = answer.filter((row): row is Listed & { deviceId: DeviceId } => row.deviceId !== null);
      if (found.length >= limit || answer[0]?.isAll !== false) return withDetails(executor, appId, messageId, found);
    }
    throw new Error('A message has more open pages than devices');
  }

  /** Reads since when each of these devices has belonged to its present owner, by the number of the device. */
  async readOwnersSince(appId: string, deviceIds: readonly DeviceId[]): Promise<Map<string, Date>> {
    const found = await rows<{ deviceId: DeviceId; since: Date }>(
      this.database,
      sql`SELECT id::text AS "deviceId", user_since AS since FROM installations WHERE app_id = ${appId}
            AND id = ANY (${deviceIds}::bigint[])`,
    );
    return new Map(found.map(({ deviceId, since }) => [deviceId, since]));
  }
}

/** Adds the details that packs hold to deliveries. */
async function withDetails<Found extends DeliveryRecord & Packed>(
  executor: Executor,
  appId: string,
  messageId: string,
  found: readonly Found[],
): Promise<DeliveryRecord[]> {
  const packed = found.filter(({ isPacked }) => isPacked).map(({ deviceId }) => ({ messageId, deviceId }));
  const details = await findPackedDetails(executor, appId, packed);
  const detailOf = new Map(packed.map(({ deviceId }, place) => [deviceId, details[place]]));
  return found.map((delivery) => {
    const detail = detailOf.get(delivery.deviceId);
    if (!detail) return delivery;
    return { ...delivery, sentAt: new Date(detail.sentAt), vendorMessageId: detail.vendorMessageId };
  });
}

/** The state that a waiting device is shown in. */
async function readWaitingState(executor: Executor, appId: string, messageId: string): Promise<DeliveryState> {
  const [message] = await rows<{ isCancelled: boolean }>(
    executor,
    sql`SELECT status = 'cancelled' AS "isCancelled" FROM messages WHERE app_id = ${appId} AND id = ${messageId}`,
  );
  return message?.isCancelled ? 'cancelled' : 'pending';
}

/** The stored states of records that are shown in state `asked`. Null: all states. */
function storedStates(asked: DeliveryState | null, waiting: DeliveryState): readonly DeliveryState[] | null {
  if (asked === null) return null;
  if (asked === 'cancelled' && waiting === 'cancelled') return ['cancelled', 'pending'];
  return asked === 'pending' && waiting === 'cancelled' ? [] : [asked];
}
