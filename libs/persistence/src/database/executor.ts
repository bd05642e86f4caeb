import type { DataSource, EntityManager, QueryRunner } from 'typeorm';
import { Sql } from '../sql';

/** Nest injection token of the process's `Database`. */
export const DATABASE = Symbol('Database');

/** The process's connection pool. */
export type Database = DataSource;

/** What a query runs on: the pool, or the transaction that the caller is in. */
export type Executor = DataSource | EntityManager;

/**
 * Runs one statement. Every value is a parameter.
 *
 * @param statement written with `sql`; or a text that numbers its parameters itself, with their values
 * @returns the rows, also of `INSERT … RETURNING` and `UPDATE … RETURNING` (for these TypeORM returns `[rows, count]`)
 */
export async function rows<Row>(
  executor: Executor,
  statement: Sql | string,
  parameters: readonly unknown[] = [],
): Promise<Row[]> {
  const { text, values } =
    statement instanceof Sql ? statement.toQuery() : { text: statement, values: parameters as unknown[] };
  const result: unknown = await executor.query(text, values);
  if (Array.isArray(result) && result.length === 2 && Array.isArray(result[0]) && typeof result[1] === 'number') {
    return result[0] as Row[];
  }
  return result as Row[];
}

/** Runs `work` in one transaction. */
export async function inTransaction<T>(database: Database, work: (executor: Executor) => Promise<T>): Promise<T> {
  return database.transaction((manager) => work(manager));
}

/**
 * Makes the commit of this transaction return before it is on disk. For work that stores its progress in the same
 * transaction and repeats itself if a crash of PostgreSQL loses both. A later commit that waits for the disk writes
 * this one too.
 */
export async function doNotWaitForDisk(executor: Executor): Promise<void> {
  await executor.query('SET LOCAL synchronous_commit = off');
}

/**
 * Releases the snapshot of a session's last statement. Call it in a transaction that stays open for long: the portal of a
 * statement with parameters keeps its snapshot until the next statement. Meanwhile VACUUM cannot remove rows that were
 * deleted since, and a concurrent index build waits. A statement without parameters replaces the portal and keeps no
 * snapshot.
 */
export async function releaseSnapshot(session: QueryRunner): Promise<void> {
  await session.query('SELECT 1');
}

/** Runs reads that all see the same state of the database. */
export async function inSnapshot<T>(database: Database, read: (executor: Executor) => Promise<T>): Promise<T> {
  return database.transaction('REPEATABLE READ', (manager) => read(manager));
}
