import { randomUUID } from 'node:crypto';
import { Secret } from '@postrider/platform';
import { createDataSource } from '@postrider/persistence';
import type { DataSource } from 'typeorm';
import { administer } from './administrator';
import { emptyAllTables } from './empty-tables';

/** A database of one test file's own, made from the migrated template. */
export interface ThrowAwayDatabase {
  url: string;
  dataSource: DataSource;
  /** Closes the data source and drops the database. */
  drop(): Promise<void>;
}

/** A database that the tests of a file have one after the other. */
export interface RenewableDatabase extends ThrowAwayDatabase {
  /** Closes the data source, so that nothing of a test that is over writes any more, opens another, and empties the tables. */
  renew(): Promise<void>;
}

/** The address of the server that the test run started (`POSTRIDER_TEST_PG`, set by the global set-up). */
function serverUrl(database: string): string {
  const base = process.env.POSTRIDER_TEST_PG;
  if (!base) throw new Error('No test PostgreSQL: run through `npm test` or `npx jest` (see jest.global-setup.ts)');
  const url = new URL(base);
  url.pathname = `/${database}`;
  // A busy machine takes longer than a database in production may.
  url.searchParams.set('connect_timeout', '60');
  return url.toString();
}

/** A database as `migrate` leaves it. */
export const MIGRATED_TEMPLATE = 'postrider_migrated';
/** The same with partitions for no more than yesterday, today and the next five days. */
export const FEW_DAYS_TEMPLATE = 'postrider_few_days';

/**
 * Makes a migrated database in a few tens of milliseconds: the template’s files are copied, which in memory costs less than its log.
 * It has partitions for yesterday, today and the next five days.
 */
export function createThrowAwayDatabase(poolSize = 5): Promise<RenewableDatabase> {
  return createFrom(FEW_DAYS_TEMPLATE, poolSize);
}

/**
 * Makes a database with the partitions of all days that `migrate` makes, for processes that would make the missing
 * ones.
 */
export function createDatabaseOfAllDays(poolSize = 5): Promise<ThrowAwayDatabase> {
  return createFrom(MIGRATED_TEMPLATE, poolSize);
}

/** Makes a database without any table. */
export function createEmptyDatabase(): Promise<ThrowAwayDatabase> {
  return createFrom('template1', 5);
}

/** Makes a database without any table that stores text in another encoding than UTF8. */
export function createDatabaseInEncoding(encoding: string): Promise<ThrowAwayDatabase> {
  return createFrom('template0', 5, `ENCODING '${encoding}' LC_COLLATE 'C' LC_CTYPE 'C'`);
}

async function createFrom(template: string, poolSize: number, options = ''): Promise<RenewableDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await administer(serverUrl('postgres'), `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy ${options}`);
  const url = serverUrl(name);
  const open = (): Promise<DataSource> =>
    createDataSource(new Secret(url), poolSize, { applicationName: 'test' }).initialize();
  const database: RenewableDatabase = {
    url,
    dataSource: await open(),
    renew: async () => {
      await database.dataSource.destroy();
      database.dataSource = await open();
      await emptyAllTables(database.dataSource);
    },
    drop: async () => {
      if (database.dataSource.isInitialized) await database.dataSource.destroy();
      await administer(serverUrl('postgres'), `DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
  return database;
}
