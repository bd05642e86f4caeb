import type { DataSource, EntityManager } from 'typeorm';
import { untilTrue } from './until';

/**
 * Runs `act` while another transaction holds what `hold` has locked or written. The transaction is committed as soon as
 * `act` waits for one of its locks: after `act` has begun, and before it goes on.
 *
 * @returns what `act` returns
 * @throws Error when `act` ends without waiting
 */
export async function whileHolding<T>(
  database: DataSource,
  hold: (executor: EntityManager) => Promise<unknown>,
  act: () => Promise<T>,
): Promise<T> {
  const holder = database.createQueryRunner();
  try {
    await holder.startTransaction();
    await hold(holder.manager);
    let hasEnded = false;
    const acting = act().finally(() => (hasEnded = true));
    acting.catch(() => undefined);
    await untilTrue(async () => hasEnded || (await isWaitedFor(database)));
    if (hasEnded) throw new Error('Nothing has waited for the transaction', { cause: await acting });
    await holder.commitTransaction();
    return await acting;
  } finally {
    if (holder.isTransactionActive) await holder.rollbackTransaction();
    await holder.release();
  }
}

async function isWaitedFor(database: DataSource): Promise<boolean> {
  const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  return ((await database.query(waiting)) as unknown[]).length > 0;
}
