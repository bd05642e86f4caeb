import { type DeviceId, deliveryStateRank } from '@postrider/domain';
import { type Executor, rows } from '../database/executor';
import { byDay, type LedgerDay, rowsOfDay } from '../partitions/ledger-day';
import { parameter, sql, type Sql } from '../sql';
import { decodeDetails, encodeDetails, type PackedDetail } from './pack-details';

/** A delivery, and the pack that holds it. */
export interface PackedPlace {
  messageId: string;
  span: string;
  id: string;
  deviceId: DeviceId;
}

/** A pack as it is stored. */
interface Pack {
  messageId: string;
  span: string;
  id: string;
  deviceIds: DeviceId[];
  details: Buffer;
}

/** A delivery that was taken out of a pack. */
interface Unpacked {
  pack: Pack;
  deviceId: DeviceId;
  detail: PackedDetail;
}

/** The columns of a `PackedPlace`: of the pack `k` and a device. */
export const packedPlace = (device: Sql): Sql =>
  sql`k.message_id AS "messageId", k.span::text AS span, k.id, ${device}::text AS "deviceId"`;

/**
 * Takes deliveries out of their packs, in the caller's transaction: each gets a row with everything that the pack held,
 * or its row gets what it lacks.
 *
 * @throws MalformedPack
 */
export async function unpackDeliveries(
  executor: Executor,
  appId: string,
  places: readonly PackedPlace[],
): Promise<void> {
  const wanted = new Map<string, Set<DeviceId>>();
  for (const { id, deviceId } of places) wanted.set(id, (wanted.get(id) ?? new Set()).add(deviceId));
  const packs = await lockPacks(executor, appId, places);
  const [left, taken]: [Pack[], Unpacked[]] = [[], []];
  for (const pack of packs) {
    const [stays, goes] = divide(pack, wanted.get(pack.id) ?? new Set());
    left.push(stays);
    taken.push(...goes);
  }
  await insertRows(executor, appId, taken);
  await writePacks(executor, appId, left);
}

/** Locks in one order, so that two transactions that unpack do not deadlock: ids of messages begin with their time. */
async function lockPacks(executor: Executor, appId: string, places: readonly PackedPlace[]): Promise<Pack[]> {
  const keys = [...new Map(places.map((place) => [place.id, place])).values()];
  const packs: Pack[] = [];
  for (const [day, ofDay] of byDay(keys.toSorted((one, other) => (one.messageId < other.messageId ? -1 : 1))))
    packs.push(...(await rowsOfDay<Pack>(executor, lockPacksStatement(day, appId, ofDay), false)));
  return packs;
}

/** Locks packs of one day, and reads them. */
export function lockPacksStatement(day: LedgerDay, appId: string, keys: readonly Omit<PackedPlace, 'deviceId'>[]): Sql {
  return sql`SELECT k.message_id AS "messageId", k.span::text AS span, k.id, k.device_ids AS "deviceIds", k.details
    FROM ${day.packs} k JOIN unnest(${keys.map(({ messageId }) => messageId)}::uuid[],
      ${keys.map(({ span }) => span)}::bigint[], ${keys.map(({ id }) => id)}::uuid[]) AS wanted (message_id, span, id)
      ON k.message_id = wanted.message_id AND k.span = wanted.span AND k.id = wanted.id
    WHERE k.app_id = ${appId} ORDER BY k.message_id, k.span, k.id FOR UPDATE OF k`;
}

function divide(pack: Pack, wanted: ReadonlySet<DeviceId>): [Pack, Unpacked[]] {
  const { deviceIds } = pack;
  const details = decodeDetails(pack.details, deviceIds.length);
  const goes = deviceIds.flatMap((deviceId, place) =>
    wanted.has(deviceId) ? [{ pack, deviceId, detail: details[place] as PackedDetail }] : [],
  );
  const stays = details.filter((_, place) => !wanted.has(deviceIds[place] as DeviceId));
  const left = deviceIds.filter((deviceId) => !wanted.has(deviceId));
  return [{ ...pack, deviceIds: left, details: encodeDetails(stays) }, goes];
}

async function insertRows(executor: Executor, app: string, taken: readonly Unpacked[]): Promise<void> {
  const appId = parameter(app);
  const [packs, details] = [taken.map(({ pack }) => pack), taken.map(({ detail }) => detail)];
  await rows(
    executor,
    sql`INSERT INTO deliveries AS d (app_id, message_id, device_id, state, rank, vendor, vendor_message_id, attempt, language, created_at, sent_at,
          updated_at)
        SELECT ${appId}, k.message_id, t.device_id, 'sent', ${deliveryStateRank('sent')}::smallint, k.vendor, t.vendor_message_id, 1,
          k.language, k.created_at, to_timestamp(t.sent_at / 1000), k.created_at
        FROM unnest(${packs.map(({ messageId }) => messageId)}::uuid[], ${packs.map(({ span }) => span)}::bigint[],
          ${packs.map(({ id }) => id)}::uuid[], ${taken.map(({ deviceId }) => deviceId)}::bigint[],
          ${details.map(({ sentAt }) => sentAt)}::float8[], ${details.map(({ vendorMessageId }) => vendorMessageId)}::text[])
          AS t (message_id, span, id, device_id, sent_at, vendor_message_id)
        JOIN delivery_packs k ON k.app_id = ${appId} AND k.message_id = t.message_id AND k.span = t.span AND k.id = t.id
        ON CONFLICT (app_id, message_id, device_id) DO UPDATE
        SET is_packed = NULL, language = coalesce(d.language, excluded.language), sent_at = excluded.sent_at, vendor_message_id = excluded.vendor_message_id`,
  );
}

/** An empty pack is deleted. */
async function writePacks(executor: Executor, app: string, left: readonly Pack[]): Promise<void> {
  const appId = parameter(app);
  const packs = left.map(({ messageId, span, id, deviceIds, details }) => ({
    message_id: messageId,
    span,
    id,
    device_ids: deviceIds,
    details: details.toString('base64'),
  }));
  await rows(
    executor,
    sql`WITH written AS MATERIALIZED (
          SELECT * FROM json_to_recordset(${JSON.stringify(packs)}::json)
            AS pack (message_id uuid, span bigint, id uuid, device_ids bigint[], details text)
        ), emptied AS (
          DELETE FROM delivery_packs k USING written w
          WHERE k.app_id = ${appId} AND k.message_id = w.message_id AND k.span = w.span AND k.id = w.id AND w.device_ids = '{}'
        )
        UPDATE delivery_packs k
        SET device_ids = w.device_ids, count = cardinality(w.device_ids), details = decode(w.details, 'base64')
        FROM written w
        WHERE k.app_id = ${appId} AND k.message_id = w.message_id AND k.span = w.span AND k.id = w.id AND w.device_ids <> '{}'`,
  );
}
