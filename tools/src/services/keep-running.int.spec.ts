import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import { until } from '@postrider/testing';
import { freePort } from '../embedded/free-port';
import { type EmbeddedPostgres, startPostgres } from '../embedded/postgres';
import { startRedis } from '../embedded/redis';
import { temporaryFolder } from '../embedded/temporary-folder';
import { keepRunning, type Server } from './keep-running';

describe('a server that is kept running', () => {
  const said: string[] = [];
  const say = (line: string): void => void said.push(line);
  beforeEach(() => void said.splice(0));

  const untilIt = <T>(works: () => Promise<T>): Promise<T> => until(() => works().catch(() => null));

  async function kill({ process }: Server): Promise<void> {
    const gone = once(process, 'exit');
    process.kill('SIGKILL');
    await gone;
  }

  async function ping(url: string): Promise<string> {
    const redis = new Redis(url, { retryStrategy: () => null, lazyConnect: true });
    redis.on('error', () => undefined);
    try {
      await redis.connect();
      return await redis.ping();
    } finally {
      redis.disconnect();
    }
  }

  it('is a Redis that comes back under its address as often as it is killed, and stays away when it is stopped', async () => {
    const port = await freePort();
    const started: Server[] = [];
    const start = async () => {
      const redis = await startRedis({ port });
      started.push(redis);
      return redis;
    };
    const kept = await keepRunning('Redis', start, say);
    for (let round = 0; round < 2; round++) {
      await kill(started.at(-1) as Server);
      expect(await untilIt(() => ping(kept.first.url))).toBe('PONG');
    }
    expect(started).toHaveLength(3);
    expect(said).toEqual(Array(2).fill('Redis stopped (SIGKILL) and is started again.'));
    await kept.stop();
    await expect(ping(kept.first.url)).rejects.toThrow();
    expect(started).toHaveLength(3);
  });

  it('is a PostgreSQL that comes back with what was committed', async () => {
    const folder = await temporaryFolder('kept');
    const options = { dataDir: join(folder, 'postgres'), port: await freePort(), password: 'secret' };
    const start = (): Promise<EmbeddedPostgres> => startPostgres(options);
    const kept = await keepRunning('PostgreSQL', start, say);
    const query = async (sql: string): Promise<unknown[]> => {
      const client = new Client({ connectionString: kept.first.url });
      client.on('error', () => undefined);
      await client.connect();
      try {
        return (await client.query(sql)).rows;
      } finally {
        await client.end();
      }
    };
    await query('CREATE TABLE kept AS SELECT 42 AS answer');
    await kill(kept.first);
    expect(await untilIt(() => query('SELECT answer FROM kept'))).toEqual([{ answer: 42 }]);
    await kept.stop();
    await expect(query('SELECT 1')).rejects.toThrow();
    await rm(folder, { recursive: true, force: true });
  });
});
