import { type Database, type Executor, inTransaction } from './executor';

/**
 * Runs reads in one transaction in which no statement may take longer than `limitMs`: PostgreSQL ends one that does
 * (SQLSTATE 57014).
 */
export async function withTimeLimit<T>(
  database: Database,
  limitMs: number,
  work: (executor: Executor) => Promise<T>,
): Promise<T> {
  return inTransaction(database, async (executor) => {
    await executor.query(`SELECT set_config('statement_timeout', $1, true)`, [String(limitMs)]);
    return work(executor);
  });
}
