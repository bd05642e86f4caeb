import { type Database, type Executor, inTransaction } from './executor';
import { sqlState } from './sql-state';

/** What two transactions at once can do to each other: unique violation, serialization failure, deadlock. */
const COLLISIONS = new Set(['23505', '40001', '40P01']);
const ATTEMPTS = 4;

/** Whether `error` is one of them: nothing was written, and the same may be done over. */
export function isCollision(error: unknown): boolean {
  return COLLISIONS.has(sqlState(error) ?? '');
}

/** PostgreSQL's code for a lock that was not to be had in time (`lock_timeout`). */
const LOCKED_OUT = '55P03';

/** Whether `error` says that somebody else held a lock for too long: nothing was written. */
export function isLockedOut(error: unknown): boolean {
  return sqlState(error) === LOCKED_OUT;
}

/**
 * Runs `work` in one transaction, and again from the start when it collided with another one. `work` must do nothing that
 * a rollback does not undo.
 *
 * @param work gets how often it collided so far
 */
export async function inRetriedTransaction<T>(
  database: Database,
  work: (executor: Executor, collisions: number) => Promise<T>,
): Promise<T> {
  for (let collisions = 0; ; collisions++) {
    try {
      return await inTransaction(database, (executor) => work(executor, collisions));
    } catch (error) {
      if (collisions + 1 >= ATTEMPTS || !isCollision(error)) throw error;
    }
  }
}
