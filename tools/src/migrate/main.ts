import { checkEnvironment } from '../services/check-environment';
import { claimFolder } from '../services/claim-folder';
import { prepareDataDir } from '../services/data-dir';
import { findRunning } from '../services/running';
import { obtainDatabases } from '../services/databases';
import { obtainSecrets } from '../services/secrets';
import { bringUpToDate, expectNoArguments } from './bring-up-to-date';

/**
 * `npm run migrate`: migrations alone, on `DATABASE_URL`, a running `npm start`'s database or the embedded one. With
 * `SECRET_KEY_PREVIOUS`, values that were stored under that key are sealed again.
 */
async function main(): Promise<void> {
  expectNoArguments();
  checkEnvironment();
  if (process.env.DATABASE_URL) return bringUpToDate(process.env.DATABASE_URL);
  const dataDir = await prepareDataDir();
  const running = await findRunning(dataDir);
  const { databasePassword, secretKey } = await obtainSecrets(dataDir);
  if (running) return bringUpToDate(running.databaseUrl, secretKey);
  process.env.REDIS_URL ||= 'redis://127.0.0.1:6379';
  const giveBack = await claimFolder(dataDir);
  const databases = await obtainDatabases(dataDir, databasePassword);
  try {
    await bringUpToDate(databases.databaseUrl, secretKey);
  } finally {
    await databases.stop();
    await giveBack();
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
