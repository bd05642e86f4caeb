import type { Database, Executor } from './executor';
import { withTimeLimit } from './time-limit';
import { QUERY_CANCELLED, sqlState } from './unique-violation';

/**
 * Runs a read that nobody waits for: on one core of the database, and for `limitMs` at most.
 *
 * @returns null when it would have taken longer
 */
export async function readQuietly<T>(
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
