import { checkCommits, createDataSource } from '@postrider/persistence';
import { Secret } from '@postrider/platform';
import { untilTrue } from '@postrider/testing';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import { freePort } from '../embedded/free-port';
import { type EmbeddedPostgres, startPostgres } from '../embedded/postgres';
import { temporaryFolder } from '../embedded/temporary-folder';

describe('a PostgreSQL whose synchronous standby is gone', () => {
  let server: EmbeddedPostgres;
  let pool: DataSource;

  beforeAll(async () => {
    const dataDir = join(await temporaryFolder('standby'), 'pg');
    const settings = {
      fsync: 'off',
      shared_buffers: '16MB',
      synchronous_standby_names: 'gone',
      synchronous_commit: 'local',
    };
    server = await startPostgres({ dataDir, port: await freePort(), password: 'test', settings });
    pool = await createDataSource(new Secret(server.url), 3, { applicationName: 'standby' }).initialize();
    await pool.query('CREATE TABLE accepted (n int)');
  });

  afterAll(async () => {
    await pool.destroy();
    await server.stop();
  });

  it('works as long as no commit waits for the standby', async () => {
    await pool.query('INSERT INTO accepted VALUES (1)');
    await expect(checkCommits(pool, 0)).resolves.toBeUndefined();
  });

  it('does not work while a commit waits for longer than it may, and works again when nothing waits', async () => {
    const writer = pool.createQueryRunner();
    await writer.query('SET synchronous_commit = on');
    const commit = writer.query('INSERT INTO accepted VALUES (2)');
    const waiting = `SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'`;
    await untilTrue(async () => (await pool.query<unknown[]>(waiting)).length === 1);
    await expect(checkCommits(pool, 0)).rejects.toThrow(
      /^a commit has waited for a synchronous standby for \d+ s: start it/,
    );
    await expect(checkCommits(pool, 600_000)).resolves.toBeUndefined();
    await pool.query(`SELECT pg_cancel_backend(pid) FROM (${waiting}) w`);
    await commit;
    await writer.release();
    await expect(checkCommits(pool, 0)).resolves.toBeUndefined();
  });
});
