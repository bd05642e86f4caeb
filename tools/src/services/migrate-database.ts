import { Secret } from '@postrider/platform';
import { createDataSource, migrate } from '@postrider/persistence';

/** Brings the schema at `databaseUrl` up to date. @returns the names of the migrations that ran */
export async function migrateDatabase(databaseUrl: string): Promise<string[]> {
  const dataSource = await createDataSource(new Secret(databaseUrl), 2, 'migrate').initialize();
  try {
    return await migrate(dataSource);
  } finally {
    await dataSource.destroy();
  }
}
