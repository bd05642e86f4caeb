import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { freePort } from '../embedded/free-port';
import { startPostgres } from '../embedded/postgres';
import { startRedis } from '../embedded/redis';
import { temporaryFolder } from '../embedded/temporary-folder';
import { seedApplication } from '../seed/seed-application';
import { keepRunning } from '../services/keep-running';
import { migrateDatabase } from '../services/migrate-database';
import { obtainSecrets } from '../services/secrets';
import { Api } from '../start/api';
import { type RunningSystem, startSystem } from '../start/system';
import { Line } from './line';

const APP_ID = 'drill';

/** What the processes call over a line that can fail. */
export type LineTo = 'postgres' | 'redis' | 'vendor';

/** A Postrider to be disturbed: its processes, its servers, and one application with devices. */
export interface DrillSystem {
  system: RunningSystem;
  /** One for each gateway. */
  gateways: Api[];
  /** The user and the vendor token of each device. */
  devices: { user: string; token: string }[];
  redisUrl: string;
  /** The network between the processes and what they call. */
  lines: Record<LineTo, Line>;
  /** Ends a server as a power cut would; it is started again. */
  killPostgres(): Promise<void>;
  killRedis(): void;
  /** @param keepsLogs whether the folder with everything stays */
  stop(keepsLogs: boolean): Promise<void>;
}

/** Starts it. @param isDouble whether there are two of each process */
export async function startDrillSystem(devices: number, isDouble: boolean): Promise<DrillSystem> {
  const dataDir = await temporaryFolder('drill');
  const secrets = await obtainSecrets(dataDir);
  const [postgresPort, redisPort] = [await freePort(), await freePort()];
  const folder = join(dataDir, 'postgres');
  const settings = { max_connections: 300, shared_buffers: '128MB' };
  const postgres = await keepRunning('PostgreSQL', () =>
    startPostgres({ dataDir: folder, port: postgresPort, password: secrets.databasePassword, settings }),
  );
  let redisProcess: { kill(signal: NodeJS.Signals): unknown } | undefined;
  const redis = await keepRunning('Redis', async () => {
    const started = await startRedis({ port: redisPort });
    redisProcess = started.process;
    return started;
  });
  const [databaseUrl, redisUrl] = [postgres.first.url, redis.first.url];
  await migrateDatabase(databaseUrl);
  const ports = {
    ...(await gatewayAndEdge()),
    simulator: await freePort(),
    simulatorControl: await freePort(),
    ...(isDouble ? { second: await gatewayAndEdge() } : {}),
  };
  const lines = await openLines({ postgres: postgresPort, redis: redisPort, vendor: ports.simulator });
  const databases = {
    databaseUrl: over(lines.postgres, databaseUrl, postgresPort),
    redisUrl: over(lines.redis, redisUrl, redisPort),
    description: { postgres: '', redis: '' },
    stop: () => Promise.resolve(),
  };
  const system = await startSystem({ dataDir, secrets, databases, ports, quiet: true });
  const serverToken = await makeApplication(
    new Api(system.gatewayUrl, secrets.adminToken),
    over(lines.vendor, system.simulator.fcm, ports.simulator),
  );
  await seedApplication(databaseUrl, { appId: APP_ID, devices, mix: { fcm: 1 }, reachable: true });
  const urls = [system.gatewayUrl, ...(system.secondGatewayUrl === null ? [] : [system.secondGatewayUrl])];
  return {
    system,
    gateways: urls.map((url) => new Api(url, serverToken)),
    devices: await devicesOf(databaseUrl),
    redisUrl,
    lines,
    killPostgres: async () => {
      const pid = Number((await readFile(join(folder, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')[0]);
      if (pid > 0) process.kill(pid, 'SIGKILL');
    },
    killRedis: () => redisProcess?.kill('SIGKILL'),
    stop: async (keepsLogs) => {
      await system.stop();
      for (const line of Object.values(lines)) await line.close();
      await redis.stop();
      await postgres.stop();
      if (!keepsLogs) await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function gatewayAndEdge(): Promise<{ gateway: number; mqtt: number; mqttWebSocket: number }> {
  return { gateway: await freePort(), mqtt: await freePort(), mqttWebSocket: await freePort() };
}

async function openLines(to: Record<LineTo, number>): Promise<DrillSystem['lines']> {
  return {
    postgres: await Line.open(to.postgres),
    redis: await Line.open(to.redis),
    vendor: await Line.open(to.vendor),
  };
}

/** What says where a server is, with the line's port instead of the server's. */
function over<Address>(line: Line, address: Address, port: number): Address {
  return JSON.parse(JSON.stringify(address).replaceAll(`:${port}`, `:${line.port}`)) as Address;
}

async function makeApplication(admin: Api, fcm: object | undefined): Promise<string> {
  const application = { id: APP_ID, name: 'Drill' };
  const { body } = await admin.call<{ tokens: { server: string } }>('POST', '/api/admin/apps', application);
  await admin.call('PUT', `/api/admin/apps/${APP_ID}/vendors/fcm`, fcm);
  return body.tokens.server;
}

/** Those of users who have one device. */
async function devicesOf(databaseUrl: string): Promise<DrillSystem['devices']> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ user: string; token: string }>(
      `SELECT user_id AS user, min(token) AS token FROM installations WHERE app_id = $1 GROUP BY 1 HAVING count(*) = 1`,
      [APP_ID],
    );
    return rows;
  } finally {
    await client.end();
  }
}
