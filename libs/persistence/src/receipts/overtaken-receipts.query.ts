import { type Executor, rows } from '../database/executor';
import type { DeviceReceipts } from './receipt';

type Key = Pick<DeviceReceipts, 'appId' | 'messageId' | 'deviceId'>;

const KEYS = `unnest($1::text[], $2::uuid[], $3::bigint[]) WITH ORDINALITY AS r (app_id, message_id, device_id, place)`;

/**
 * An open page that holds the device of alias `r`, and was begun or follows another attempt: its record may be on its way,
 * or nobody knows yet whether the vendor took it.
 */
const BEGUN_PAGE = `
  SELECT vendor FROM pages
  WHERE app_id = r.app_id AND message_id = r.message_id AND state <> 'finished' AND (fence > 0 OR attempt > 1)
    AND device_ids @> ARRAY[r.device_id] LIMIT 1`;

/**
 * Which of these deliveries there are, or will be because the device is on an open page of the message. The others were
 * never meant for the device.
 *
 * @returns their places
 */
export async function findMeant(executor: Executor, keys: readonly Key[]): Promise<number[]> {
  const found = await rows<{ place: string }>(
    executor,
    `SELECT r.place FROM ${KEYS}
     WHERE EXISTS (
       SELECT 1 FROM deliveries WHERE app_id = r.app_id AND message_id = r.message_id AND device_id = r.device_id
     ) OR EXISTS (${BEGUN_PAGE})
     ORDER BY r.place`,
    columns(keys),
  );
  return found.map(({ place }) => Number(place) - 1);
}

/** Makes the record of a delivery that a receipt overtook, if the device is on an open page of the message. */
export async function insertOvertaken(executor: Executor, key: Key, now: Date): Promise<void> {
  await rows(
    executor,
    `INSERT INTO deliveries (app_id, message_id, device_id, state, rank, vendor, created_at, updated_at)
     SELECT r.app_id, r.message_id, r.device_id, 'pending', 0, p.vendor, $4, $4
     FROM ${KEYS} CROSS JOIN LATERAL (${BEGUN_PAGE}) p
     ON CONFLICT (app_id, message_id, device_id) DO NOTHING`,
    [...columns([key]), now],
  );
}

function columns(keys: readonly Key[]): unknown[] {
  return [keys.map(({ appId }) => appId), keys.map(({ messageId }) => messageId), keys.map(({ deviceId }) => deviceId)];
}
