import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Secret } from '@postrider/platform';
import { DAY_MS } from '@postrider/domain';
import { createDataSource, migrate, rows } from '@postrider/persistence';
import { FEW_DAYS_TEMPLATE, MIGRATED_TEMPLATE } from '@postrider/testing';
import type { DataSource } from 'typeorm';
import { freePort } from '../embedded/free-port';
import { type ServerPrograms, startPostgres } from '../embedded/postgres';
import { startRedis } from '../embedded/redis';
import { folderInMemory, temporaryFolder } from '../embedded/temporary-folder';
import { buildGuide } from '../guide/build-guide';
import { keepForTearDown, servicesOfThisRun } from './services-of-run';

/**
 * The tests write to no later day, also if a run continues over midnight. A test that sends something later than in 12
 * days makes its day.
 */
const DAYS_AHEAD = 5;
/** More than the databases of all workers ever used at once, and the log of their writes. */
const ROOM_BYTES = 4 * 2 ** 30;
/**
 * A connection takes its memory as pages of 2 MiB (glibc's manual, Memory Allocation Tunables). A run opens thousands of connections, and
 * on a virtual machine each small page that one touches first costs some 20 us.
 */
const MEMORY_IN_LARGE_PAGES = { GLIBC_TUNABLES: 'glibc.malloc.hugetlb=1' };
const ROOT = join(__dirname, '..', '..', '..');

/**
 * Starts one PostgreSQL and one Redis for the whole test run and migrates what every test file's own database is copied
 * from. Nothing here outlives the run: the data is in memory where there is room, and nothing is made durable.
 * `POSTRIDER_TEST_PG` and `POSTRIDER_TEST_REDIS` tell the tests where they are.
 */
export default async function globalSetup(): Promise<void> {
  if (servicesOfThisRun()) return;
  buildGuideIfMissing();
  const folder = await temporaryFolder('test', await folderInMemory(ROOM_BYTES));
  const postgres = await startPostgres({
    dataDir: join(folder, 'pg'),
    port: await freePort(),
    password: 'test',
    // Every connection would cost both sides milliseconds for the proof.
    authentication: 'trust',
    programs: programsOf(process.env.TEST_POSTGRES_BIN),
    settings: {
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      // There is no replication, and a database that lives for seconds needs no care.
      wal_level: 'minimal',
      max_wal_senders: 0,
      checkpoint_timeout: '1h',
      autovacuum: 'off',
      // A second process for a small table costs more than it saves.
      max_parallel_workers_per_gather: 0,
      max_connections: 300,
      shared_buffers: '256MB',
    },
    env: MEMORY_IN_LARGE_PAGES,
  });
  const redis = await startRedis({ port: await freePort() });
  keepForTearDown({ postgres, redis, folder });
  process.env.POSTRIDER_TEST_PG = postgres.url;
  process.env.POSTRIDER_TEST_REDIS = redis.url;
  await migrateTemplates(postgres.url);
}

/** Returns the programs of the PostgreSQL in a folder; without one the tests run on the embedded server. */
function programsOf(folder = ''): ServerPrograms | undefined {
  return folder === '' ? undefined : { postgres: join(folder, 'postgres'), initdb: join(folder, 'initdb') };
}

/** The gateway serves the guide as it was built. Its tests run without a build too, and no two of them may build it at once. */
function buildGuideIfMissing(): void {
  const guide = join(ROOT, 'apps', 'guide');
  if (existsSync(join(guide, 'dist', 'index.html'))) return;
  buildGuide(ROOT, join(guide, 'dist'), join(guide, 'assets'));
}

/**
 * Makes two databases to copy: one as `migrate` leaves it, for whole processes, and one with fewer days for all other
 * tests. Each day is nine tables with thirty indexes, which PostgreSQL opens and plans for whenever a statement names
 * no day.
 */
async function migrateTemplates(serverUrl: string): Promise<void> {
  await inDatabase(serverUrl, 'postgres', (dataSource) => dataSource.query(`CREATE DATABASE ${MIGRATED_TEMPLATE}`));
  await inDatabase(serverUrl, MIGRATED_TEMPLATE, migrate);
  const copy = `CREATE DATABASE ${FEW_DAYS_TEMPLATE} TEMPLATE ${MIGRATED_TEMPLATE} STRATEGY file_copy`;
  await inDatabase(serverUrl, 'postgres', (dataSource) => dataSource.query(copy));
  await inDatabase(serverUrl, FEW_DAYS_TEMPLATE, dropDaysAhead);
}

async function dropDaysAhead(dataSource: DataSource): Promise<void> {
  const last = new Date(Date.now() + DAYS_AHEAD * DAY_MS).toISOString().slice(0, 10).replaceAll('-', '');
  const names = await rows<{ name: string }>(
    dataSource,
    `SELECT inhrelid::regclass::text AS name FROM pg_inherits JOIN pg_class ON oid = inhrelid
     WHERE relkind = 'r' AND right(relname, 8) > $1`,
    [last],
  );
  await dataSource.query(`DROP TABLE ${names.map(({ name }) => name).join(', ')}`);
}

async function inDatabase(
  serverUrl: string,
  name: string,
  work: (dataSource: DataSource) => Promise<unknown>,
): Promise<void> {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  // A busy machine takes longer than a database in production may.
  url.searchParams.set('connect_timeout', '60');
  const dataSource = await createDataSource(new Secret(url.toString()), 2, { applicationName: 'migrate' }).initialize();
  await work(dataSource);
  await dataSource.destroy();
}
