import { AdvisoryLocks, createDataSource, isDatabaseUnavailable } from '@postrider/persistence';
import { Secret } from '@postrider/platform';
import { until, untilTrue } from '@postrider/testing';
import { join } from 'node:path';
import { Client } from 'pg';
import type { DataSource } from 'typeorm';
import { freePort } from '../embedded/free-port';
import { type EmbeddedPostgres, startPostgres } from '../embedded/postgres';
import { temporaryFolder } from '../embedded/temporary-folder';

const FAST = { fsync: 'off', shared_buffers: '16MB' };

interface Server extends EmbeddedPostgres {
  port: number;
  /** Runs one statement on a connection of its own. */
  ask<Row>(statement: string): Promise<Row[]>;
}

/** Starts a server that accepts no writes until it is told to, like a standby. */
async function startServer(): Promise<Server> {
  const port = await freePort();
  const dataDir = join(await temporaryFolder('several'), 'pg');
  const settings = { ...FAST, default_transaction_read_only: 'on' };
  const server = await startPostgres({ dataDir, port, password: 'test', settings });
  const started: Server = {
    ...server,
    port,
    ask: async <Row>(statement: string) => {
      const client = new Client({ connectionString: server.url });
      await client.connect();
      try {
        await client.query('SET default_transaction_read_only = off');
        return (await client.query(statement)).rows as Row[];
      } finally {
        await client.end();
      }
    },
  };
  await started.ask('CREATE TABLE written (n int)');
  return started;
}

/** Allows or forbids writes on its next connections. */
async function takeWrites(server: Server, takes: boolean): Promise<void> {
  await server.ask(`ALTER DATABASE postgres SET default_transaction_read_only = ${takes ? 'off' : 'on'}`);
}

describe('a DATABASE_URL that names several servers', () => {
  let one: Server;
  let two: Server;
  let pool: DataSource;

  beforeAll(async () => {
    [one, two] = [await startServer(), await startServer()];
  });

  /** A pool whose connections lead to the second server, which takes writes; the first one takes none. */
  beforeEach(async () => {
    if (two.process.exitCode !== null) two = await startServer();
    await takeWrites(one, false);
    await takeWrites(two, true);
    const dead = await freePort();
    const hosts = [dead, one.port, two.port].map((port) => `127.0.0.1:${port}`).join(',');
    const url = `postgres://postgres:test@${hosts}/postgres?target_session_attrs=read-write`;
    pool = createDataSource(new Secret(url), 4, { applicationName: 'several' });
    await pool.initialize();
  });

  afterEach(async () => {
    if (pool.isInitialized) await pool.destroy();
  });

  afterAll(async () => {
    await one.stop();
    if (two.process.exitCode === null) await two.stop();
  });

  /** The port of the server that takes the write, on so many connections at a time. */
  async function write(connections = 3): Promise<number[]> {
    const unwritten = new Set(Array.from({ length: connections }, (_, n) => n));
    const writeOne = (n: number): Promise<number> =>
      pool
        .transaction(async (manager) => {
          await manager.query(`INSERT INTO written VALUES (1)`);
          const [found] = await manager.query(`SELECT inet_server_port() AS port`);
          unwritten.delete(n);
          // Each keeps its connection until the others have one too.
          await untilTrue(() => unwritten.size === 0);
          return (found as { port: number }).port;
        })
        .finally(() => unwritten.delete(n));
    return [...new Set(await Promise.all([...unwritten].map(writeOne)))];
  }

  /** Runs a statement on each of the pool's connections. */
  async function onEach(statement: string): Promise<void> {
    const runners = [1, 2, 3].map(() => pool.createQueryRunner());
    await Promise.all(runners.map((runner) => runner.query(statement)));
    await Promise.all(runners.map((runner) => runner.release()));
  }

  /**
   * Writes until it works: a failure means that the database is away, and every part of the product then tries again.
   */
  const writeAgain = (): Promise<number[]> =>
    until(async () => {
      try {
        return await write();
      } catch (error) {
        expect(isDatabaseUnavailable(error)).toBe(true);
        return null;
      }
    });

  it('passes over a dead one and one that takes no writes', async () => {
    expect(await write()).toEqual([two.port]);
  });

  it('goes to the one that has taken over, with all connections, also those that hold locks', async () => {
    const locks = new AdvisoryLocks(pool);
    expect(await write()).toEqual([two.port]);
    expect(await locks.tryWith(7, () => write(1))).toEqual([two.port]);
    await takeWrites(two, false);
    await takeWrites(one, true);
    await onEach(`SET default_transaction_read_only = on`);
    expect(await writeAgain()).toEqual([one.port]);
    await untilTrue(
      async () => (await two.ask(`SELECT 1 FROM pg_stat_activity WHERE application_name = 'several'`)).length === 0,
    );
    expect(await until(() => locks.tryWith(7, () => write(2)).catch(() => null))).toEqual([one.port]);
    await locks.close();
  });

  it('goes to the other when the one it uses dies, and says of each why it cannot be used when none can', async () => {
    expect(await write()).toEqual([two.port]);
    await two.stop();
    const refusal = await until(async () => {
      try {
        await write();
        return null;
      } catch (error) {
        return error instanceof Error && error.message.startsWith('No server') && error.message;
      }
    });
    expect(refusal).toContain(`127.0.0.1:${one.port}: it takes no writes`);
    await takeWrites(one, true);
    expect(await writeAgain()).toEqual([one.port]);
  });
});
