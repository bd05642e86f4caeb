import { rm } from 'node:fs/promises';
import { Client } from 'pg';
import { freePort } from '../embedded/free-port';
import { temporaryFolder } from '../embedded/temporary-folder';
import { type Databases, obtainDatabases } from '../services/databases';
import { migrateDatabase } from '../services/migrate-database';
import { obtainSecrets } from '../services/secrets';
import { Api } from '../start/api';
import { type RunningSystem, startSystem } from '../start/system';

/** A whole Postrider of its own for one row, with one application that the simulator serves. */
export interface BenchSystem {
  databases: Databases;
  system: RunningSystem;
  appId: string;
  serverToken: string;
  adminToken: string;
  stop(): Promise<void>;
}

const APP_ID = 'bench';

/**
 * @param workers true if audience and delivery workers run too
 * @param env further environment variables of every process
 */
export async function startBenchSystem(workers: boolean, env: Record<string, string> = {}): Promise<BenchSystem> {
  const dataDir = await temporaryFolder('bench');
  const secrets = await obtainSecrets(dataDir);
  const databases = await obtainDatabases(dataDir, secrets.databasePassword);
  await migrateDatabase(databases.databaseUrl);
  const ports = {
    gateway: await freePort(),
    simulator: await freePort(),
    simulatorControl: await freePort(),
    ...(workers ? { mqtt: await freePort(), mqttWebSocket: await freePort() } : {}),
  };
  const chosen = workers ? {} : { workers: [] };
  const system = await startSystem({ dataDir, secrets, databases, ports, quiet: true, env, ...chosen });
  const admin = new Api(system.gatewayUrl, secrets.adminToken);
  await admin.call('DELETE', `/api/admin/apps/${APP_ID}`).catch(() => undefined);
  const made = await admin.call<{ tokens: { server: string } }>('POST', '/api/admin/apps', {
    id: APP_ID,
    name: 'Bench',
  });
  for (const vendor of ['fcm', 'apns'])
    await admin.call('PUT', `/api/admin/apps/${APP_ID}/vendors/${vendor}`, system.simulator[vendor]);
  const stop = async (): Promise<void> => {
    await system.stop();
    await databases.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  const { adminToken } = secrets;
  return { databases, system, appId: APP_ID, serverToken: made.body.tokens.server, adminToken, stop };
}

/** Gives `work` a connection to the database of the bench, and closes it afterwards. */
export async function withClient<Result>(
  bench: BenchSystem,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client({ connectionString: bench.databases.databaseUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
