import type { DeviceId } from '@postrider/domain';
import { type Database, type Executor, inTransaction, rows } from '../database/executor';
import { batchRows } from '../database/statement-batch';
import { isUndefinedTable } from '../database/sql-state';
import { joinedOutcomes, recordDeliveries, type RecordedDeliveries } from '../deliveries/record-deliveries';
import type { LeasedPage } from '../partitions/message-key';
import { dayOfMessage, type LedgerDay, rowsOfDay } from '../partitions/ledger-day';
import { parameter, sql, type Sql } from '../sql';
import { deviceIdsOf, divideOutcomes, packRows, packsOf, withoutDevices } from './pack-outcomes';
import { isPacked } from './packed-deliveries';

/** Outcomes of one page, and when they are recorded. */
interface OutcomesToPack {
  page: LeasedPage;
  outcomes: RecordedDeliveries;
  at: Date;
  /**
   * True if some of them may be packed already: the page was claimed before, or nobody knows the result of an earlier
   * call.
   */
  isRepeated: boolean;
}

/**
 * Records outcomes of a page that is tried for the first time: in packs if only the sending is to be recorded, or else
 * in rows. It runs in a transaction of its own, locks the page first, and reads in a later statement, so that it sees
 * the state under the lock. Everybody else who writes a row of a device on a page of a push service before the page is
 * settled takes the same lock. So no delivery is packed twice, or has a row that does not know about its pack.
 *
 * @returns false if the page no longer belongs to the caller; then nothing was written
 */
export async function recordPacked(database: Database, toPack: OutcomesToPack): Promise<boolean> {
  if (!toPack.isRepeated) {
    const found = await writeAtOnce(database, toPack);
    if (found !== 'some-stand') return found === 'written';
  }
  return inTransaction(database, (executor) => writeInSteps(executor, toPack));
}

/**
 * The devices hardly ever have rows by then, so both statements are sent together.
 *
 * @returns `some-stand` if one has a row: then no pack was written
 */
async function writeAtOnce(database: Database, toPack: OutcomesToPack): Promise<'written' | 'lost' | 'some-stand'> {
  const { page } = toPack;
  const day = dayOfMessage(page.messageId);
  const inboxes = new Set(page.connectionDeviceIds ?? []);
  try {
    const [held, found] = await batchRows(database, [lockStatement(page, day), writeStatement(toPack, inboxes)]);
    if (held?.length === 0) return 'lost';
    return found?.length === 0 ? 'written' : 'some-stand';
  } catch (error) {
    // The partition of the day was dropped.
    if (isUndefinedTable(error)) return 'lost';
    throw error;
  }
}

async function writeInSteps(executor: Executor, toPack: OutcomesToPack): Promise<boolean> {
  const { page, at } = toPack;
  const day = dayOfMessage(page.messageId);
  if ((await rowsOfDay(executor, lockStatement(page, day))).length === 0) return false;
  const packedBefore = toPack.isRepeated ? await findPacked(executor, toPack, day) : new Set<DeviceId>();
  const outcomes = withoutDevices(toPack.outcomes, packedBefore);
  const inboxes = new Set(page.connectionDeviceIds ?? []);
  const found = await write(executor, { page, at, outcomes }, inboxes);
  // Another transaction made rows for these: they are further along than what is recorded here.
  if (found.length > 0) await write(executor, { page, at, outcomes }, new Set([...inboxes, ...found]));
  return true;
}

function lockStatement(page: LeasedPage, day: LedgerDay): Sql {
  return sql`SELECT 1 FROM ${day.pages} WHERE ${isHeld(page)} FOR NO KEY UPDATE`;
}

/** A condition: the row is the page of a caller who still owns it. */
function isHeld({ appId, messageId, pageId, fence }: LeasedPage): Sql {
  return sql`app_id = ${appId} AND message_id = ${messageId} AND id = ${pageId} AND fence = ${fence} AND leased_by IS NOT NULL`;
}

async function findPacked(executor: Executor, toPack: OutcomesToPack, day: LedgerDay): Promise<Set<DeviceId>> {
  const { page, outcomes } = toPack;
  const delivery = { app: sql`${page.appId}`, message: sql`${page.messageId}::uuid`, device: sql`device.id` };
  const found = await rows<{ id: DeviceId }>(
    executor,
    sql`SELECT device.id::text AS id FROM unnest(${outcomes.deviceIds}::bigint[]) AS device (id) WHERE ${isPacked(delivery, day)}`,
  );
  return new Set(found.map(({ id }) => id));
}

/** @returns the devices to pack that have a row; then no pack was written */
async function write(
  executor: Executor,
  toWrite: OutcomesToWrite,
  ownRows: ReadonlySet<DeviceId>,
): Promise<DeviceId[]> {
  const found = await rowsOfDay<{ id: DeviceId }>(executor, writeStatement(toWrite, ownRows));
  return found.map(({ id }) => id);
}

type OutcomesToWrite = Omit<OutcomesToPack, 'isRepeated'>;

/**
 * Writes rows, and packs if none of their devices has a row. Writes nothing if the page does not belong to the caller.
 * Returns the devices to pack that have a row.
 */
function writeStatement({ page, outcomes, at }: OutcomesToWrite, ownRows: ReadonlySet<DeviceId>): Sql {
  const day = dayOfMessage(page.messageId);
  const divided = divideOutcomes(outcomes, ownRows);
  const [appId, messageId] = [parameter(page.appId), parameter(page.messageId, 'uuid')];
  const packs = packsOf(divided.packed);
  const deviceIds = parameter(deviceIdsOf(packs), 'bigint[]');
  const first = Math.min(...packs.map((pack) => pack.deviceIds[0] as number), Number.MAX_SAFE_INTEGER);
  const last = Math.max(...packs.map((pack) => pack.deviceIds.at(-1) as number), 0);
  // Most often nobody in the stretch has a row: one look, instead of one for each device.
  const standing = sql`
    SELECT d.device_id FROM ${day.deliveries} d
    WHERE d.app_id = ${appId} AND d.message_id = ${messageId}
      AND d.device_id BETWEEN ${first}::bigint AND ${last}::bigint AND d.device_id + 0 = ANY (${deviceIds})`;
  return sql`WITH held AS (
          SELECT app_id, message_id, vendor, attempt, 0 AS place, ${at}::timestamptz AS at,
            ${page.connectionDeviceIds ?? null}::bigint[] AS connection_device_ids
          FROM ${day.pages} WHERE ${isHeld(page)}
        ), standing AS MATERIALIZED (${standing}
        ), packed AS (${insertPacks(day, packRows(packs, deviceIds))}
        )${insertRows(day, divided.rows)}
        SELECT device_id::text AS id FROM standing`;
}

/**
 * Returns the INSERT of rows; nothing if there are none, as nearly always: to prepare it takes PostgreSQL a part of
 * the time of the whole statement.
 */
function insertRows(day: LedgerDay, outcomes: RecordedDeliveries): Sql {
  if (outcomes.deviceIds.length === 0) return sql``;
  return sql`, recorded AS (${recordDeliveries({ day, page: sql`held`, outcomes: joinedOutcomes([outcomes]) })})`;
}

function insertPacks(day: LedgerDay, packs: Sql): Sql {
  return sql`
    INSERT INTO ${day.packs} (app_id, message_id, span, id, vendor, device_ids, count, details, language, created_at)
    SELECT held.app_id, held.message_id, pack.span, pack.id, held.vendor, pack.device_ids, pack.count, pack.details, pack.language,
      held.at
    FROM held CROSS JOIN ${packs} pack
    WHERE NOT EXISTS (SELECT FROM standing)`;
}
