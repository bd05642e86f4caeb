import { checkEnvironment } from '../services/check-environment';
import { findRunning } from '../services/running';
import { migrateDatabase } from '../services/migrate-database';
import { obtainDatabases } from '../services/databases';
import { obtainSecrets } from '../services/secrets';

/** `npm run migrate`: migrations alone, on `DATABASE_URL`, a running `npm start`'s database or the embedded one. */
async function main(): Promise<void> {
  checkEnvironment();
  const dataDir = process.env.DATA_DIR ?? '.data';
  const running = process.env.DATABASE_URL ? null : await findRunning(dataDir);
  if (process.env.DATABASE_URL ?? running) {
    report(await migrateDatabase(process.env.DATABASE_URL ?? running?.databaseUrl ?? ''));
    return;
  }
  process.env.REDIS_URL ??= 'redis://127.0.0.1:6379';
  const databases = await obtainDatabases(dataDir, (await obtainSecrets(dataDir)).databasePassword);
  try {
    report(await migrateDatabase(databases.databaseUrl));
  } finally {
    await databases.stop();
  }
}

function report(ran: string[]): void {
  console.log(ran.length === 0 ? 'The schema is up to date.' : `Ran ${ran.length} migration(s): ${ran.join(', ')}`);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
