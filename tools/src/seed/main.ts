import { parseArgs } from 'node:util';
import { readVariable } from '@postrider/platform';
import { checkEnvironment } from '../services/check-environment';
import { findRunning } from '../services/running';
import { seedApplication } from './seed-application';

const USAGE = 'Usage: npm run seed -- --app <id> --devices <n>   (with npm start running, or DATABASE_URL set)';

/** `npm run seed`: a believable population for one application. */
async function main(): Promise<void> {
  checkEnvironment();
  const { values } = parseArgs({ options: { app: { type: 'string', default: 'demo' }, devices: { type: 'string' } } });
  const devices = Number(values.devices);
  if (!Number.isInteger(devices) || devices < 1) throw new Error(USAGE);
  const databaseUrl = process.env.DATABASE_URL || (await findRunning(readVariable('DATA_DIR')))?.databaseUrl;
  if (!databaseUrl)
    throw new Error(`No database: neither is DATABASE_URL set nor does \`npm start\` run here.\n${USAGE}`);
  const onProgress = (done: number): void => {
    if (process.stdout.isTTY)
      process.stdout.write(`\r${done.toLocaleString('en')} of ${devices.toLocaleString('en')} devices`);
  };
  const speed = await seedApplication(databaseUrl, { appId: values.app, devices, onProgress });
  if (process.stdout.isTTY) process.stdout.write('\r\u001b[K');
  console.log(
    `Application "${values.app}" has ${devices.toLocaleString('en')} seeded devices (${Math.round(speed).toLocaleString('en')} devices/s).`,
  );
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
