import type { Database, Executor } from './executor';

/** Runs reads that all see the same moment of the database. */
export async function inSnapshot<T>(database: Database, read: (executor: Executor) => Promise<T>): Promise<T> {
  return database.transaction('REPEATABLE READ', (manager) => read(manager));
}
