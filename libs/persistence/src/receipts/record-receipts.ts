import { type Database, type Executor, inTransaction } from '../database/executor';
import { mergeReceipts } from './combine-receipts';
import { findMeant, insertOvertaken } from './overtaken-receipts.query';
import type { DeviceReceipts, Receipts } from './receipt';
import { recordDeviceReceipts } from './record-device-receipts.query';

/**
 * Records what devices reported. A report that overtakes the record of the sending makes the record, if the device is on an
 * open page of that message; reports about messages that were never meant for the device are ignored. Safe to repeat, in
 * parts and in any order: what fails half-way is done over whole.
 */
export async function recordAllReceipts(
  database: Database,
  entries: readonly DeviceReceipts[],
  now: Date,
): Promise<void> {
  const all = mergeReceipts(entries);
  if (all.length === 0) return;
  const recorded = await recordDeviceReceipts(database, all, now, 'skip');
  const left = all.filter((_, place) => !recorded.has(place));
  if (left.length === 0) return;
  for (const place of await findMeant(database, left)) {
    const entry = left[place] as DeviceReceipts;
    await inTransaction(database, (executor) => recordOne(executor, entry, now));
  }
}

/** Alone in its transaction, it may wait for whoever writes the same delivery. */
async function recordOne(executor: Executor, entry: DeviceReceipts, now: Date): Promise<void> {
  await insertOvertaken(executor, entry, now);
  await recordDeviceReceipts(executor, [entry], now, 'wait');
}

/** Records what one device reported. */
export async function recordReceipts(
  database: Database,
  appId: string,
  deviceId: string,
  receipts: readonly Receipts[],
  now: Date,
): Promise<void> {
  const device = { appId, deviceId };
  await recordAllReceipts(
    database,
    receipts.map((entry) => ({ ...entry, ...device })),
    now,
  );
}
