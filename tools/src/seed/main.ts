import { readVariable } from '@postrider/platform';
import { checkEnvironment } from '../services/check-environment';
import { findRunning } from '../services/running';
import { readWords, USAGE } from './read-words';
import { seedApplication } from './seed-application';

/** `npm run seed`: a believable population for one application. */
async function main(): Promise<void> {
  const words = readWords(process.argv.slice(2));
  if (words === 'help') {
    console.log(USAGE);
    return;
  }
  const { appId, devices } = words;
  checkEnvironment();
  const databaseUrl = process.env.DATABASE_URL || (await findRunning(readVariable('DATA_DIR')))?.databaseUrl;
  if (!databaseUrl)
    throw new Error(`No database: neither is DATABASE_URL set nor does \`npm start\` run here.\n${USAGE}`);
  const onProgress = (done: number): void => {
    if (process.stdout.isTTY)
      process.stdout.write(`\r${done.toLocaleString('en')} of ${devices.toLocaleString('en')} devices`);
  };
  const speed = await seedApplication(databaseUrl, { appId, devices, onProgress });
  if (process.stdout.isTTY) process.stdout.write('\r\u001b[K');
  console.log(
    `Application "${appId}" has ${devices.toLocaleString('en')} seeded devices (${Math.round(speed).toLocaleString('en')} devices/s).`,
  );
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
