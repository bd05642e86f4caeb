import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '@postrider/domain';
import { createDatabaseOfAllDays, type ThrowAwayDatabase } from '@postrider/testing';
import { freePort } from '@postrider/tools/embedded/free-port';
import { type EmbeddedRedis, startRedis } from '@postrider/tools/embedded/redis';
import { Api } from '@postrider/tools/start/api';
import { COMPILED_PROGRAMS, type RunningSystem, startSystem, type WorkerName } from '@postrider/tools/start/system';
import { nodeOfTest } from './node-of-test';

/** A whole Postrider of one test file's own: the built processes, a database, a Redis, the vendor simulator. */
export interface Postrider {
  system: RunningSystem;
  database: ThrowAwayDatabase;
  redis: EmbeddedRedis;
  admin: Api;
  adminToken: string;
  /** Makes an application that the simulator serves. */
  createApplication(
    id: string,
    settings?: JsonObject,
  ): Promise<{ server: Api; client: Api; serverToken: string; clientToken: string }>;
  stop(): Promise<void>;
}

/** The differences from one process of each app, except the promo worker, on a database without a pooler. */
export interface Setup {
  /** Starts two processes of each app. */
  isDouble?: boolean;
  /** Runs the promo worker too, which most tests have nothing to do for: a process takes about a second to start and stop. */
  hasPromo?: boolean;
  /** Runs a delivery worker for each lane instead of one for both. */
  hasLanes?: boolean;
  /** Runs no device edge. */
  hasNoEdge?: boolean;
  /** The folder that contains the folder of each app, with its `bundle` in it. */
  appsFolder?: string;
  /** A migrated database of the caller's, which stays. */
  database?: ThrowAwayDatabase;
  /** The part between the processes and the database. @returns the address that the processes get */
  before?(databaseUrl: string): Promise<{ url: string; stop(): Promise<void> }>;
}

const SECRETS = {
  adminToken: 'e2e-admin-token-e2e',
  secretKey: 'e2e-secret-key-e2e-secret-key-e2e',
  databasePassword: '',
};

const WORKERS: readonly WorkerName[] = ['audience-worker', 'delivery-worker'];

/**
 * Starts it; needs `npm run build` to have run (`npm test` does).
 *
 * @param env further environment variables of every process
 */
export async function startPostrider(env: Record<string, string> = {}, setup: Setup = {}): Promise<Postrider> {
  const dataDir = await mkdtemp(join(tmpdir(), 'postrider-e2e-'));
  const database = setup.database ?? (await createDatabaseOfAllDays(2));
  const redis = await startRedis({ port: await freePort() });
  const before = await setup.before?.(database.url);
  const ports = {
    ...(await freePorts(setup)),
    simulator: await freePort(),
    simulatorControl: await freePort(),
    ...(setup.isDouble ? { second: await freePorts(setup) } : {}),
  };
  const databases = {
    databaseUrl: before?.url ?? database.url,
    redisUrl: redis.url,
    description: { postgres: '', redis: '' },
    stop: () => Promise.resolve(),
  };
  const release = async (): Promise<void> => {
    await before?.stop();
    await redis.stop();
    if (setup.database === undefined) await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  };
  const system = await startSystem({
    dataDir,
    secrets: SECRETS,
    databases,
    ports,
    quiet: true,
    // V8 finds what it has compiled by the path of the program. A program at another path in each run finds nothing, and no run uses what
    // it stores.
    env: { ...(setup.appsFolder === undefined ? { COMPILED_PROGRAMS } : {}), ...env },
    appsFolder: setup.appsFolder,
    node: nodeOfTest(),
    workers: workersOf(setup),
  }).catch(async (error: unknown) => {
    await release();
    throw error;
  });
  const admin = new Api(system.gatewayUrl, SECRETS.adminToken);
  const postrider: Postrider = {
    system,
    database,
    redis,
    admin,
    adminToken: SECRETS.adminToken,
    createApplication: async (id, settings = {}) => {
      const { body } = await admin.call<{ tokens: { server: string; client: string } }>('POST', '/api/admin/apps', {
        id,
        name: id,
        ...settings,
      });
      for (const vendor of ['fcm', 'apns'])
        await admin.call('PUT', `/api/admin/apps/${id}/vendors/${vendor}`, system.simulator[vendor]);
      const { server, client } = body.tokens;
      return {
        server: new Api(system.gatewayUrl, server),
        client: new Api(system.gatewayUrl, client),
        serverToken: server,
        clientToken: client,
      };
    },
    stop: async () => {
      await system.stop();
      // Tests put another one in its place.
      if (postrider.redis !== redis) await postrider.redis.stop();
      await release();
    },
  };
  return postrider;
}

function workersOf({ hasPromo = false, hasLanes = false }: Setup): WorkerName[] {
  const ofLanes: WorkerName[] = hasLanes ? ['delivery-worker-transactional'] : [];
  return [...WORKERS, ...ofLanes, ...(hasPromo ? (['promo-worker'] as const) : [])];
}

/** The ports of one gateway and one edge. */
async function freePorts({ hasNoEdge }: Setup): Promise<{ gateway: number; mqtt?: number; mqttWebSocket?: number }> {
  const gateway = await freePort();
  return hasNoEdge ? { gateway } : { gateway, mqtt: await freePort(), mqttWebSocket: await freePort() };
}
