import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '@postrider/domain';
import { createThrowAwayDatabase, type ThrowAwayDatabase } from '@postrider/testing';
import { freePort } from '@postrider/tools/embedded/free-port';
import { type EmbeddedRedis, startRedis } from '@postrider/tools/embedded/redis';
import { Api } from '@postrider/tools/start/api';
import { type RunningSystem, startSystem } from '@postrider/tools/start/system';

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

const SECRETS = {
  adminToken: 'e2e-admin-token-e2e',
  secretKey: 'e2e-secret-key-e2e-secret-key-e2e',
  databasePassword: '',
};

/** Starts it; needs `nx run-many -t build` to have run (`npm test` does). */
export async function startPostrider(env: Record<string, string> = {}): Promise<Postrider> {
  const dataDir = await mkdtemp(join(tmpdir(), 'postrider-e2e-'));
  const database = await createThrowAwayDatabase(2);
  const redis = await startRedis({ port: await freePort() });
  const ports = {
    gateway: await freePort(),
    simulator: await freePort(),
    simulatorControl: await freePort(),
    mqtt: await freePort(),
    mqttWebSocket: await freePort(),
  };
  const databases = {
    databaseUrl: database.url,
    redisUrl: redis.url,
    description: { postgres: '', redis: '' },
    stop: () => Promise.resolve(),
  };
  const system = await startSystem({ dataDir, secrets: SECRETS, databases, ports, quiet: true, env });
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
      await postrider.redis.stop();
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
  return postrider;
}
