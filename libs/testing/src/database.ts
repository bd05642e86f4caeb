import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { Secret } from '@postrider/platform';
import { createDataSource } from '@postrider/persistence';
import type { DataSource } from 'typeorm';

/** A database of one test file's own, made from the migrated template. */
export interface ThrowAwayDatabase {
  url: string;
  dataSource: DataSource;
  /** Closes the data source and drops the database. */
  drop(): Promise<void>;
}

/** The address of the server that the test run started (`POSTRIDER_TEST_PG`, set by the global set-up). */
function serverUrl(database: string): string {
  const base = process.env.POSTRIDER_TEST_PG;
  if (!base) throw new Error('No test PostgreSQL: run through `npm test` or `npx jest` (see jest.global-setup.ts)');
  const url = new URL(base);
  url.pathname = `/${database}`;
  return url.toString();
}

async function administer(statement: string): Promise<void> {
  const client = new Client({ connectionString: serverUrl('postgres') });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Makes a migrated database in a few tens of milliseconds. */
export async function createThrowAwayDatabase(poolSize = 5): Promise<ThrowAwayDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await administer(`CREATE DATABASE ${name} TEMPLATE postrider_template`);
  const url = serverUrl(name);
  const dataSource = await createDataSource(new Secret(url), poolSize, 'test').initialize();
  return {
    url,
    dataSource,
    drop: async () => {
      if (dataSource.isInitialized) await dataSource.destroy();
      await administer(`DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}
