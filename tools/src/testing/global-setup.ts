import { join } from 'node:path';
import { Client } from 'pg';
import { Secret } from '@postrider/platform';
import { createDataSource, migrate } from '@postrider/persistence';
import { freePort } from '../embedded/free-port';
import { startPostgres } from '../embedded/postgres';
import { startRedis } from '../embedded/redis';
import { folderInMemory, temporaryFolder } from '../embedded/temporary-folder';
import { keepForTearDown, servicesOfThisRun } from './services-of-run';

/** More than the databases of all workers ever took at once, and the log of what they wrote. */
const ROOM_BYTES = 4 * 2 ** 30;

/**
 * Starts one PostgreSQL and one Redis for the whole test run and migrates the template that every test file's own database
 * is copied from. Nothing here outlives the run: the data is in memory where there is room, and nothing is made durable.
 * `POSTRIDER_TEST_PG` and `POSTRIDER_TEST_REDIS` tell the tests where they are.
 */
export default async function globalSetup(): Promise<void> {
  if (servicesOfThisRun()) return;
  const folder = await temporaryFolder('test', await folderInMemory(ROOM_BYTES));
  const postgres = await startPostgres({
    dataDir: join(folder, 'pg'),
    port: await freePort(),
    password: 'test',
    settings: {
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      // Nobody replicates, and a database that lives for seconds needs no care.
      wal_level: 'minimal',
      max_wal_senders: 0,
      checkpoint_timeout: '1h',
      autovacuum: 'off',
      max_connections: 300,
      shared_buffers: '256MB',
    },
  });
  const redis = await startRedis({ port: await freePort() });
  keepForTearDown({ postgres, redis, folder });
  process.env.POSTRIDER_TEST_PG = postgres.url;
  process.env.POSTRIDER_TEST_REDIS = redis.url;
  await migrateTemplate(postgres.url);
}

async function migrateTemplate(serverUrl: string): Promise<void> {
  const client = new Client({ connectionString: serverUrl });
  await client.connect();
  await client.query('CREATE DATABASE postrider_template');
  await client.end();
  const url = new URL(serverUrl);
  url.pathname = '/postrider_template';
  const dataSource = await createDataSource(new Secret(url.toString()), 2, { applicationName: 'migrate' }).initialize();
  await migrate(dataSource);
  await dataSource.destroy();
}
