import type { DeviceId } from '@postrider/domain';
import { type Executor, rows } from '../database/executor';
import { sql } from '../sql';
import { decodeDetails, type PackedDetail } from './pack-details';
import { packOf } from './packed-deliveries';

/** Names one delivery. */
interface PackedDelivery {
  messageId: string;
  deviceId: DeviceId;
}

/** A pack, and the details in it. */
interface StoredPack {
  messageId: string;
  deviceIds: DeviceId[];
  details: Buffer;
}

/**
 * Finds when these deliveries were sent, and the vendor's ids, in their packs. In the order of the deliveries; null for
 * one that is in no pack.
 *
 * @throws MalformedPack
 */
export async function findPackedDetails(
  executor: Executor,
  appId: string,
  deliveries: readonly PackedDelivery[],
): Promise<(PackedDetail | null)[]> {
  if (deliveries.length === 0) return [];
  const delivery = { app: sql`${appId}`, message: sql`asked.message_id`, device: sql`asked.device_id` };
  const messageIds = deliveries.map(({ messageId }) => messageId);
  const deviceIds = deliveries.map(({ deviceId }) => deviceId);
  const packs = await rows<StoredPack>(
    executor,
    sql`SELECT DISTINCT ON (k.message_id, k.span, k.id) k.message_id AS "messageId", k.device_ids AS "deviceIds", k.details
        FROM unnest(${messageIds}::uuid[], ${deviceIds}::bigint[]) AS asked (message_id, device_id)
        CROSS JOIN LATERAL (SELECT * ${packOf(delivery)} LIMIT 1) k`,
  );
  const known = new Map<string, PackedDetail>();
  for (const pack of packs) {
    const details = decodeDetails(pack.details, pack.deviceIds.length);
    pack.deviceIds.forEach((id, place) => known.set(`${pack.messageId} ${id}`, details[place] as PackedDetail));
  }
  return deliveries.map(({ messageId, deviceId }) => known.get(`${messageId} ${deviceId}`) ?? null);
}
