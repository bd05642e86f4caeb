import { type Database, type Executor, inTransaction } from './executor';
import { QUERY_CANCELLED, sqlState } from './sql-state';

/**
 * Runs a read that nobody waits for: on one core of the database, and for at most `limitMs`.
 *
 * @returns null if the read would have taken longer
 */
export async function readInBackground<T>(
  database: Database,
  limitMs: number,
  read: (executor: Executor) => Promise<T>,
): Promise<T | null> {
  try {
    return await withTimeLimit(database, limitMs, async (executor) => {
      await executor.query(`SELECT set_config('max_parallel_workers_per_gather', '0', true)`);
      return read(executor);
    });
  } catch (error) {
    if (sqlState(error) === QUERY_CANCELLED) return null;
    throw error;
  }
}

/**
 * Runs reads in one transaction in which no statement may take longer than `limitMs`. PostgreSQL ends a statement that
 * does (SQLSTATE 57014).
 */
async function withTimeLimit<T>(
  database: Database,
  limitMs: number,
  work: (executor: Executor) => Promise<T>,
): Promise<T> {
  return inTransaction(database, async (executor) => {
    await executor.query(`SELECT set_config('statement_timeout', $1, true)`, [String(limitMs)]);
    return work(executor);
  });
}
