import type { DataSource, EntityManager } from 'typeorm';
import { untilTrue } from './until';

/**
 * Runs `act` while another transaction holds what `hold` has locked or written. The transaction is committed as soon as
 * `act` waits for it: after `act` has begun, and before it goes on.
 *
 * @param hold gets that transaction in the place of a pool: everything that runs on it is part of the transaction
 * @param waiting how many statements of `act` wait by then
 * @param meanwhile is done before the transaction is committed
 * @returns what `act` returns
 * @throws Error when `act` ends without waiting
 */
export async function whileHolding<T>(
  database: DataSource,
  hold: (held: DataSource) => Promise<unknown>,
  act: () => Promise<T>,
  waiting = 1,
  meanwhile?: () => Promise<void>,
): Promise<T> {
  const holder = database.createQueryRunner();
  try {
    await holder.startTransaction();
    await hold(poolOf(holder.manager));
    let hasEnded = false;
    const acting = act().finally(() => (hasEnded = true));
    acting.catch(() => undefined);
    await untilTrue(async () => hasEnded || (await countWaiting(database)) >= waiting);
    if (hasEnded) throw new Error('Nothing has waited for the transaction', { cause: await acting });
    await meanwhile?.();
    await holder.commitTransaction();
    return await acting;
  } finally {
    if (holder.isTransactionActive) await holder.rollbackTransaction();
    await holder.release();
  }
}

/**
 * Runs `act` while another transaction has locked the row `later`, and looks for `earlier` when `act` waits for that.
 *
 * @param places tables and conditions, such as `pages WHERE id = '…'`
 * @returns true if `act` had locked `earlier` by then
 * @throws Error when `act` ends without waiting
 */
export async function locksBefore(
  database: DataSource,
  { earlier, later }: { earlier: string; later: string },
  act: () => Promise<unknown>,
): Promise<boolean> {
  let isLocked = false;
  const look = async (): Promise<void> => {
    const free = await database.query<unknown[]>(`SELECT FROM ${earlier} FOR NO KEY UPDATE SKIP LOCKED`);
    isLocked = free.length === 0;
  };
  await whileHolding(database, (held) => held.query(`SELECT FROM ${later} FOR NO KEY UPDATE`), act, 1, look);
  return isLocked;
}

/** Counts the statements of a database that wait for a lock. */
export async function countWaiting(database: DataSource): Promise<number> {
  const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  return (await database.query<unknown[]>(waiting)).length;
}

function poolOf(manager: EntityManager): DataSource {
  const pool = {
    query: (text: string, values?: unknown[]) => manager.query(text, values),
    transaction: (...of: unknown[]) => (of.at(-1) as (own: EntityManager) => unknown)(manager),
  };
  return pool as unknown as DataSource;
}
