import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { Api } from '../../start/api';
import { type BenchSystem, startBenchSystem } from '../bench-system';
import type { CrowdMember } from './crowd';
import { CrowdProcess } from './crowd-process';

/** A system whose application has devices that are all connected. */
interface ConnectedCrowd {
  bench: BenchSystem;
  crowd: CrowdProcess;
  server: Api;
  userIds: string[];
  stop(): Promise<void>;
}

/** Registers devices of users `crowd-<n>`, and returns the identities with which they connect. */
async function addMembers(databaseUrl: string, appId: string, devices: number): Promise<CrowdMember[]> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const members = Array.from({ length: devices }, (_, n) => ({ userId: `crowd-${n}`, installationId: randomUUID() }));
  await client.query(`INSERT INTO users (app_id, user_id) SELECT $1, unnest($2::text[])`, [
    appId,
    members.map(({ userId }) => userId),
  ]);
  await client.query(
    `INSERT INTO installations (app_id, installation_id, user_id, created_at, user_since, device_type, realtime)
     SELECT $1, id, user_id, now() - interval '1 hour', now() - interval '1 hour', 'android', true FROM unnest($2::uuid[], $3::text[]) AS m (id, user_id)`,
    [appId, members.map(({ installationId }) => installationId), members.map(({ userId }) => userId)],
  );
  await client.query('ANALYZE users, installations');
  await client.end();
  return members.map(({ userId, installationId }) => ({
    clientId: `${appId}/${userId}/${installationId}`,
    topic: `app/${appId}/user/public/default`,
  }));
}

/** Starts a system, and connects this many devices to its edge. */
export async function startConnectedCrowd(devices: number): Promise<ConnectedCrowd> {
  const bench = await startBenchSystem(true);
  const { system, databases, appId, serverToken } = bench;
  try {
    const members = await addMembers(databases.databaseUrl, appId, devices);
    const port = Number(new URL(system.mqtt?.url ?? '').port);
    const crowd = await CrowdProcess.start(port, serverToken, members);
    return {
      bench,
      crowd,
      server: new Api(system.gatewayUrl, serverToken),
      userIds: members.map((_, n) => `crowd-${n}`),
      stop: async () => {
        crowd.stop();
        await bench.stop();
      },
    };
  } catch (error) {
    await bench.stop();
    throw error;
  }
}
