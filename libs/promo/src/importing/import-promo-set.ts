import type { Clock } from '@postrider/domain';
import {
  clearPromoSet,
  type Database,
  failPromoImport,
  findPromoSet,
  isDatabaseUnavailable,
  type PromoImport,
  type PromoSetKey,
  renewPromoImport,
  sqlState,
  takePromoImport,
} from '@postrider/persistence';
import { BadPromoFile } from '../files/bad-promo-file';
import { copyStretch } from './copy-stretch';
import { ImportLost } from './import-lost';
import { LEASE_MS, LeaseKeeper } from './lease-keeper';
import { countCodes, leaveGivenCodes, putInForce } from './settle-set';

/** How often an import is taken on without getting on, before it is given up. */
const MOST_ATTEMPTS = 5;
const RETRY_AFTER_MS = 2_000;
/** PostgreSQL has no room (class 53, but for 53300: too many connections, which passes). */
const NO_ROOM = /^53(?!300)/;

/** What an import needs from its surroundings. */
export interface ImportSurroundings {
  database: Database;
  clock: Clock;
  /** Most codes of a set. */
  mostCodes: number;
}

/**
 * How a turn ended: the set is `in_force`; it `failed`, for `reason`; another worker is at it (`held`); there is nothing to
 * import (`over`); or `signal` fired first (`unfinished`).
 */
export type ImportOutcome =
  | { kind: 'in_force'; total: number; lines: number; bytes: number }
  | { kind: 'failed'; failure: 'file' | 'service'; reason: string }
  | { kind: 'held'; untilMs: number }
  | { kind: 'over' | 'unfinished' };

/**
 * Makes an upload the set in force of its source, whole or not at all. The set before it stays in force until the one
 * transaction that puts this one in its place. May be killed, or run beside itself, at any moment: the next run goes on
 * behind the last stretch that is noted.
 *
 * @throws when PostgreSQL is away or something nobody foresaw went wrong; the import can be taken on again soon
 */
export async function importPromoSet(
  { database, clock, mostCodes }: ImportSurroundings,
  key: PromoSetKey,
  signal: AbortSignal,
): Promise<ImportOutcome> {
  const now = clock.now();
  const held = await takePromoImport(database, key, { now, leaseEndsAt: new Date(now.getTime() + LEASE_MS) });
  if (held === null) return whyNotTaken(database, key);
  const lease = new LeaseKeeper(database, clock, held);
  try {
    if (held.attempts > MOST_ATTEMPTS) return await fail(database, held, clock, 'service', 'could not be imported');
    return await carryOut({ database, clock, mostCodes }, held, signal);
  } catch (error) {
    return await endAfter(error, database, held, clock);
  } finally {
    lease.stop();
  }
}

async function carryOut(
  { database, clock, mostCodes }: ImportSurroundings,
  held: PromoImport,
  signal: AbortSignal,
): Promise<ImportOutcome> {
  do {
    if (signal.aborted) {
      await renewPromoImport(database, held, clock.now());
      return { kind: 'unfinished' };
    }
    if (held.total === null) Object.assign(held, await copyStretch(database, held, mostCodes));
  } while (held.total === null && held.position < held.bytes);
  const total = await countCodes(database, held);
  const after = await leaveGivenCodes(database, held);
  await putInForce(database, held, { after, now: () => clock.now() });
  return { kind: 'in_force', total, lines: held.lines, bytes: held.bytes };
}

async function whyNotTaken(database: Database, key: PromoSetKey): Promise<ImportOutcome> {
  const set = await findPromoSet(database, key);
  return set?.state === 'importing' ? { kind: 'held', untilMs: LEASE_MS } : { kind: 'over' };
}

async function endAfter(error: unknown, database: Database, held: PromoImport, clock: Clock): Promise<ImportOutcome> {
  if (error instanceof ImportLost) return whyNotTaken(database, held);
  if (error instanceof BadPromoFile) return fail(database, held, clock, 'file', error.message);
  if (NO_ROOM.test(sqlState(error) ?? '')) return fail(database, held, clock, 'service', 'there is no room for it');
  if (!isDatabaseUnavailable(error)) {
    const retryAt = new Date(clock.now().getTime() + RETRY_AFTER_MS);
    await renewPromoImport(database, held, retryAt).catch(() => undefined);
  }
  throw error;
}

async function fail(
  database: Database,
  held: PromoImport,
  clock: Clock,
  failure: 'file' | 'service',
  reason: string,
): Promise<ImportOutcome> {
  if (!(await failPromoImport(database, held, { failure, reason, now: clock.now() }))) return { kind: 'over' };
  return { kind: 'failed', failure, reason };
}

/** Rows of codes that one statement deletes. */
const CLEAR_LIMIT = 2_000;

/** Deletes the codes and the file of a set that is over, in small steps. @returns whether all is gone */
export async function clearSet(database: Database, key: PromoSetKey, signal: AbortSignal): Promise<boolean> {
  while (!signal.aborted) {
    if (!(await clearPromoSet(database, key, CLEAR_LIMIT))) return true;
  }
  return false;
}
