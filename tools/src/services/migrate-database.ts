import { Secret } from '@postrider/platform';
import { createDataSource, migrate } from '@postrider/persistence';

/**
 * A statement has no time limit. But while it waits for a lock of a table, every later statement on that table waits
 * behind it, so it waits for a short time only. This is shorter than PostgreSQL's `deadlock_timeout` (one second): of two
 * transactions that wait for each other, the migration gives up before PostgreSQL ends either.
 */
const PATIENCE = { applicationName: 'migrate', statementTimeoutMs: 0, lockTimeoutMs: 500 };

/** Brings the schema at `databaseUrl` up to date. @returns the names of the migrations that ran */
export async function migrateDatabase(databaseUrl: string): Promise<string[]> {
  const dataSource = await createDataSource(new Secret(databaseUrl), 2, PATIENCE).initialize();
  try {
    return await migrate(dataSource, (line) => console.error(line));
  } finally {
    await dataSource.destroy();
  }
}
