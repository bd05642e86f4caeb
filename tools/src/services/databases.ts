import { join } from 'node:path';
import { Client } from 'pg';
import { freePort } from '../embedded/free-port';
import { type EmbeddedPostgres, startPostgres } from '../embedded/postgres';
import { startRedis } from '../embedded/redis';
import { keepRunning } from './keep-running';
import { sharedBuffers } from './shared-buffers';
import { stopLeftOver } from './stop-left-over';

/** The two databases a command works on, and how to stop those that it started. */
export interface Databases {
  databaseUrl: string;
  redisUrl: string;
  /** The servers behind them, in words for a person. */
  description: { postgres: string; redis: string };
  stop(): Promise<void>;
}

/** PostgreSQL's settings for one machine: every accepted message is on disk before the answer. */
const SETTINGS = {
  shared_buffers: sharedBuffers(),
  max_connections: 200,
  max_wal_size: '2GB',
  checkpoint_completion_target: 0.9,
  random_page_cost: 1.1,
  jit: 'off',
  // What it does not hold is in the cache of the operating system: to have others read it takes longer than to read it.
  io_method: 'sync',
};

/**
 * Uses `DATABASE_URL` and `REDIS_URL` where they are set, and starts embedded servers in their place where they are not. The
 * embedded PostgreSQL keeps its data under `<dataDir>/postgres`, the embedded Redis keeps nothing. One that dies is started
 * again.
 */
export async function obtainDatabases(dataDir: string, password: string): Promise<Databases> {
  const stops: (() => Promise<void>)[] = [];
  const stop = async (): Promise<void> => {
    for (const one of stops.reverse()) await one();
  };
  try {
    const postgres = await obtainPostgres(dataDir, password, stops);
    const redis = await obtainRedis(stops);
    return {
      databaseUrl: postgres.url,
      redisUrl: redis.url,
      description: { postgres: postgres.description, redis: redis.description },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

type Obtained = { url: string; description: string };

async function obtainPostgres(dataDir: string, password: string, stops: (() => Promise<void>)[]): Promise<Obtained> {
  if (process.env.DATABASE_URL) return { url: process.env.DATABASE_URL, description: 'DATABASE_URL' };
  const folder = join(dataDir, 'postgres');
  await stopLeftOver(folder);
  const port = await freePort();
  const start = (): Promise<EmbeddedPostgres> => startPostgres({ dataDir: folder, port, password, settings: SETTINGS });
  const { first, stop } = await keepRunning('PostgreSQL', start);
  stops.push(stop);
  return { url: await ensureDatabase(first.url), description: `embedded, 127.0.0.1:${port}` };
}

async function obtainRedis(stops: (() => Promise<void>)[]): Promise<Obtained> {
  if (process.env.REDIS_URL) return { url: process.env.REDIS_URL, description: 'REDIS_URL' };
  const port = await freePort();
  const { first, stop } = await keepRunning('Redis', () => startRedis({ port }));
  stops.push(stop);
  return { url: first.url, description: `${first.program}, 127.0.0.1:${port}` };
}

async function ensureDatabase(serverUrl: string): Promise<string> {
  const client = new Client({ connectionString: serverUrl });
  await client.connect();
  try {
    const found = await client.query(`SELECT 1 FROM pg_database WHERE datname = 'postrider'`);
    if (found.rowCount === 0) await client.query('CREATE DATABASE postrider');
  } finally {
    await client.end();
  }
  const url = new URL(serverUrl);
  url.pathname = '/postrider';
  return url.toString();
}
