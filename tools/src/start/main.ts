import { obtainDatabases } from '../services/databases';
import { readVariable } from '@postrider/platform';
import { runDemo } from './demo/run-demo';
import { checkEnvironment } from '../services/check-environment';
import { claimFolder } from '../services/claim-folder';
import { prepareDataDir } from '../services/data-dir';
import { expectReachable } from '../services/expect-reachable';
import { migrateDatabase } from '../services/migrate-database';
import { announceRunning, withdrawRunning } from '../services/running';
import { obtainSecrets } from '../services/secrets';
import { obtainDemo } from './demo/demo-application';
import { sendFirstPush } from './first-push';
import { claimPorts, startSystem } from './system';
import { dim, step } from './progress';
import { stopSignal } from './stop-signal';
import { printWelcome } from './welcome';

type Stop = () => Promise<void>;

/** `npm start`: everything on this machine, one real push through it, and then the addresses. */
async function main(stops: Stop[]): Promise<void> {
  checkEnvironment();
  const dataDir = await prepareDataDir();
  stops.push(await claimFolder(dataDir));
  const ports = await claimPorts();
  const secrets = await obtainSecrets(dataDir);
  if (process.env.ADMIN_TOKEN) secrets.adminToken = process.env.ADMIN_TOKEN;

  const databases = await step(
    'Databases',
    () => obtainDatabases(dataDir, secrets.databasePassword),
    ({ description }) => `PostgreSQL (${description.postgres}), Redis (${description.redis})`,
  );
  stops.push(() => databases.stop());
  const { databaseUrl, redisUrl } = databases;
  await expectReachable(databaseUrl, redisUrl);
  await announceRunning(dataDir, { pid: process.pid, databaseUrl, redisUrl });
  stops.push(() => withdrawRunning(dataDir));
  await step(
    'Schema',
    () => migrateDatabase(databaseUrl),
    (ran) => (ran.length > 0 ? `${ran.length} migration(s)` : 'up to date'),
  );

  const system = await startSystem({ dataDir, secrets, databases, ports });
  stops.push(() => system.stop());
  const { gatewayUrl, simulatorUrl, logFolder, mqtt } = system;
  await announceRunning(dataDir, { pid: process.pid, databaseUrl, redisUrl, gatewayUrl });

  const demo = await step(
    'Demo application',
    () => obtainDemo(gatewayUrl, secrets.adminToken, dataDir, system.simulator),
    ({ appId }) => `“${appId}”, 4 devices of 3 users`,
  );
  const push = await step(
    'First push',
    () => sendFirstPush(gatewayUrl, simulatorUrl, demo),
    ({ count, milliseconds }) => `to ${count} devices, REST → vendor → recorded in ${milliseconds} ms`,
  );
  for (const line of push.received) console.log(dim(`    ${line}`));
  const { adminToken } = secrets;
  const isAlive = readVariable('DEMO_DATA');
  printWelcome({ gatewayUrl, simulatorUrl, adminToken, demo, logFolder, mqtt, isAlive });
  if (!isAlive) return;
  const { simulator } = system;
  stops.push(runDemo({ dataDir, databaseUrl, gatewayUrl, simulatorUrl, simulator, adminToken, demo }));
}

async function run(): Promise<void> {
  const stops: Stop[] = [];
  const stopAll = async (): Promise<void> => {
    for (const stop of stops.reverse()) await stop();
  };
  const stopped = stopSignal();
  try {
    await Promise.race([main(stops), stopped]);
    await stopped;
  } catch (error) {
    console.error(`\n${error instanceof Error ? error.message : String(error)}`);
    await stopAll();
    process.exit(1);
  }
  console.log('\nStopping …');
  await stopAll();
  console.log('Stopped.');
  process.exit(0);
}

void run();
