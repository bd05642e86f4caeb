import { setTimeout as pause } from 'node:timers/promises';
import { backoffMs, withJitter } from '@postrider/domain';
import { type Database, type Executor, inTransaction } from './executor';
import { sqlState } from './sql-state';

/** The codes of errors that concurrent transactions cause: unique violation, serialization failure, deadlock. */
const COLLISIONS = new Set(['23505', '40001', '40P01']);
const ATTEMPTS = 8;
/** Those that begin again at once, or together, would collide again. */
const PAUSES = { firstMs: 5, maxMs: 80 };

/** True if `error` is such a collision: nothing was written, and the transaction can run again. */
export function isCollision(error: unknown): boolean {
  return COLLISIONS.has(sqlState(error) ?? '');
}

/**
 * Runs `work` in one transaction, and again from the start, after a short pause, if it collides with another one. `work`
 * must do nothing that a rollback does not undo.
 *
 * @param work gets the number of collisions so far
 * @throws the last collision after eight of them; any other error at once
 */
export function inRetriedTransaction<T>(
  database: Database,
  work: (executor: Executor, collisions: number) => Promise<T>,
): Promise<T> {
  return retryCollisions((collisions) => inTransaction(database, (executor) => work(executor, collisions)));
}

/** Like `inRetriedTransaction`, for `work` that is a single statement, or begins its own transaction. */
export async function retryCollisions<T>(work: (collisions: number) => Promise<T>): Promise<T> {
  for (let collisions = 0; ; collisions++) {
    try {
      return await work(collisions);
    } catch (error) {
      if (collisions + 1 >= ATTEMPTS || !isCollision(error)) throw error;
      await pause(withJitter(backoffMs(PAUSES, collisions + 1), 1));
    }
  }
}
