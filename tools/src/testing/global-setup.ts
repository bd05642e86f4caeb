import { join } from 'node:path';
import { Client } from 'pg';
import { Secret } from '@postrider/platform';
import { createDataSource, migrate } from '@postrider/persistence';
import { freePort } from '../embedded/free-port';
import { startPostgres } from '../embedded/postgres';
import { startRedis } from '../embedded/redis';
import { temporaryFolder } from '../embedded/temporary-folder';
import { keepForTearDown, servicesOfThisRun } from './services-of-run';

/**
 * Starts one PostgreSQL and one Redis for the whole test run and migrates the template that every test file's own database
 * is copied from. Durability is off: nothing here outlives the run. `POSTRIDER_TEST_PG` and `POSTRIDER_TEST_REDIS` tell the
 * tests where they are.
 */
export default async function globalSetup(): Promise<void> {
  if (servicesOfThisRun()) return;
  const folder = await temporaryFolder('test');
  const postgres = await startPostgres({
    dataDir: join(folder, 'pg'),
    port: await freePort(),
    password: 'test',
    settings: {
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
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
  const dataSource = await createDataSource(new Secret(url.toString()), 2, 'migrate').initialize();
  await migrate(dataSource);
  await dataSource.destroy();
}
