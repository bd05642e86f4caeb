import { AbstractLogger, type DataSource, type QueryRunner } from 'typeorm';
import { PartitionsRepository } from '../partitions/partitions.repository';
import { tryLock } from '../database/advisory-locks';
import { rows } from '../database/executor';
import { LOCK_IDS } from '../database/lock-ids';
import { isLockedOut, isUndefinedTable } from '../database/sql-state';

/** The pause before a connection tries again to take the lock of the migrations. */
const LOCK_RETRY_MS = 250;
/**
 * How often a migration tries again that did not get the lock of a table in time. Between the tries other statements go
 * first.
 */
const TABLE_LOCK_RETRIES = 200;
const TABLE_LOCK_RETRY_MS = 1_000;
/** Of the tries this many are one line: each takes as long as a statement may wait for a lock. */
const TRIES_A_LINE = 10;

/**
 * Brings the schema up to date and makes the next partitions of the ledger. If several processes migrate at the same
 * time, one works and the others wait. A migration that is killed has changed nothing, or continues with the next call.
 * If a migration cannot get the lock of a table within `lockTimeoutMs`, it lets the statements behind it go first, and
 * tries again.
 *
 * @param tell is called with a line for the operator: that a migration waits for a table, and which one failed
 * @returns the names of the migrations that ran
 * @throws Error if the database is new and cannot store every text
 */
export async function migrate(
  dataSource: DataSource,
  tell: (line: string) => void = () => undefined,
): Promise<string[]> {
  const runner = dataSource.createQueryRunner();
  try {
    await takeMigrationLock(runner);
    const before = new Set(await migrationsThatRan(dataSource));
    if (before.size === 0) await expectUnicode(dataSource);
    await runMigrations(dataSource, tell);
    await new PartitionsRepository(dataSource).ensure(new Date());
    await runner.commitTransaction();
    return (await migrationsThatRan(dataSource)).filter((name) => !before.has(name));
  } finally {
    // A connection that returns to the pool must not keep the lock.
    if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
    await runner.release();
  }
}

/**
 * Checks that the database has the encoding UTF8. In another one, every text of other alphabets, or with an emoji, is
 * an error of the database.
 *
 * @throws Error if it has another one
 */
async function expectUnicode(dataSource: DataSource): Promise<void> {
  const [found] = await rows<{ encoding: string }>(dataSource, `SELECT current_setting('server_encoding') AS encoding`);
  if (found?.encoding === 'UTF8') return;
  throw new Error(
    `The database has the encoding ${found?.encoding}, which cannot store every text. Make one with UTF8: CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0`,
  );
}

async function runMigrations(dataSource: DataSource, tell: (line: string) => void): Promise<void> {
  let failure = '';
  // TypeORM itself would write each try to the console as a migration that failed.
  dataSource.setOptions({ logger: new FailedMigrations((line) => (failure = line)) });
  for (let tries = 1; ; tries++) {
    try {
      await dataSource.runMigrations();
      return;
    } catch (error) {
      if (!isLockedOut(error) || tries > TABLE_LOCK_RETRIES) {
        if (failure !== '') tell(failure);
        throw error;
      }
      if (tries % TRIES_A_LINE === 1) {
        tell(`A migration waits for a table that other statements use (try ${tries} of ${TABLE_LOCK_RETRIES + 1}).`);
      }
      await new Promise((later) => setTimeout(later, TABLE_LOCK_RETRY_MS));
    }
  }
}

/** Gets from TypeORM which migration failed, and why, and nothing else. */
class FailedMigrations extends AbstractLogger {
  constructor(private readonly onFailure: (line: string) => void) {
    super(false);
  }

  override logMigration(line: string): void {
    this.onFailure(line);
  }

  protected writeLog(): void {
    // Everything else is logged by those who call TypeORM.
  }
}

/** The names of the migrations that ran on this database, in that order. */
export async function migrationsThatRan(dataSource: DataSource): Promise<string[]> {
  try {
    const found = await rows<{ name: string }>(dataSource, `SELECT name FROM migrations ORDER BY id`);
    return found.map(({ name }) => name);
  } catch (error) {
    if (isUndefinedTable(error)) return [];
    throw error;
  }
}

/**
 * Begins a transaction that holds the lock. Each try is a transaction of its own: an index that is built concurrently
 * waits for every transaction that ran a statement when the build began.
 */
async function takeMigrationLock(runner: QueryRunner): Promise<void> {
  for (;;) {
    await runner.startTransaction();
    if (await tryLock(runner, LOCK_IDS.migrations)) return;
    await runner.rollbackTransaction();
    await new Promise((later) => setTimeout(later, LOCK_RETRY_MS));
  }
}
