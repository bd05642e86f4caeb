import {
  AdvisoryLocks,
  createDataSource,
  inTransaction,
  migrate,
  PagesRepository,
  preparedRows,
  rows,
} from '@postrider/persistence';
import { Secret } from '@postrider/platform';
import { createEmptyDatabase, createThrowAwayDatabase, type ThrowAwayDatabase, untilTrue } from '@postrider/testing';
import type { DataSource } from 'typeorm';
import { describeWithPgBouncer, type PgBouncer, startPgBouncer } from '../embedded/testing/pgbouncer';
import { migrateDatabase } from './migrate-database';

const MODES = ['transaction', 'session'] as const;
/** Fewer than two processes have, so that each of them meets those of the other. */
const SERVER_CONNECTIONS = { transaction: 3, session: 30 };

/** The pool's connections; a process that is killed closes no session. */
function clientsOf({ driver }: DataSource): { connection: { stream: { destroy(): void } } }[] {
  return (driver as unknown as { master: { _clients: ReturnType<typeof clientsOf> } }).master._clients;
}

describeWithPgBouncer.each(MODES)('PgBouncer in %s mode', (mode) => {
  let database: ThrowAwayDatabase;
  let pooler: PgBouncer;
  let processes: DataSource[];

  beforeAll(async () => {
    database = await createThrowAwayDatabase();
    pooler = await startPgBouncer(database.url, mode, SERVER_CONNECTIONS[mode]);
    const open = (): Promise<DataSource> => createDataSource(new Secret(pooler.url), 8).initialize();
    processes = [await open(), await open()];
  });

  afterAll(async () => {
    await Promise.all(processes.map((one) => one.destroy()));
    await pooler.stop();
    await database.drop();
  });

  it('runs statements that are prepared, of several processes and texts, side by side', async () => {
    const runs = Array.from({ length: 600 }, async (_, run) => {
      const text = `SELECT $1::integer + ${run % 7} AS sum`;
      const executor = processes[run % 2] as DataSource;
      const work = (inside: Parameters<typeof rows>[0]): Promise<{ sum: number }[]> =>
        preparedRows(inside, text, [run]);
      const [found] = run % 3 === 0 ? await inTransaction(executor, work) : await work(executor);
      return found?.sum === run + (run % 7);
    });
    expect((await Promise.all(runs)).filter((isRight) => !isRight)).toEqual([]);
  });

  it('leaves no setting and no lock on a connection that others use', async () => {
    const locks = processes.map((one) => new AdvisoryLocks(one));
    const [mine, theirs] = locks as [AdvisoryLocks, AdvisoryLocks];
    const isAlone = await mine.tryWith(7, async () => {
      // On every connection of the pooler, also on that of the lock's holder: other processes must not get the lock.
      const others = Array.from({ length: 10 }, () => theirs.tryWith(7, () => Promise.resolve('taken')));
      return (await Promise.all(others)).every((answer) => answer === null);
    });
    expect(isAlone).toBe(true);
    expect(await theirs.tryWith(7, () => Promise.resolve('taken'))).toBe('taken');
    await Promise.all(locks.map((one) => one.close()));
    const left = `SELECT FROM pg_locks l JOIN pg_database d ON d.oid = l.database
      WHERE d.datname = current_database() AND l.locktype = 'advisory'`;
    expect(await rows(database.dataSource, left)).toEqual([]);
    // A query over all days gets a plan of its own, for its own transaction.
    const sweeps = processes.flatMap((one) =>
      Array.from({ length: 10 }, () => new PagesRepository(one).findDue(new Date(), 5)),
    );
    expect((await Promise.all(sweeps)).flat()).toEqual([]);
    const modes = await Promise.all(processes.map((one) => rows(one, `SHOW plan_cache_mode`)));
    expect(modes).toEqual([[{ plan_cache_mode: 'auto' }], [{ plan_cache_mode: 'auto' }]]);
    const limits = await Promise.all(processes.map((one) => rows(one, `SHOW statement_timeout`)));
    expect(limits).toEqual([[{ statement_timeout: '0' }], [{ statement_timeout: '0' }]]);
  });

  it('frees the locks of a process that dies', async () => {
    const doomed = await createDataSource(new Secret(pooler.url), 2, { applicationName: 'doomed' }).initialize();
    const survivor = new AdvisoryLocks(processes[0] as DataSource);
    let letGo = (): void => undefined;
    let isInside = (): void => undefined;
    const inside = new Promise<void>((resolve) => (isInside = resolve));
    const working = new AdvisoryLocks(doomed).tryWith(8, () => {
      isInside();
      return new Promise<void>((resolve) => (letGo = resolve));
    });
    await inside;
    for (const { connection } of clientsOf(doomed)) connection.stream.destroy();
    await untilTrue(async () => (await survivor.tryWith(8, () => Promise.resolve(true))) === true);
    letGo();
    await working.catch(() => undefined);
    await survivor.close();
    await doomed.destroy();
  });

  it('lets two migrate at the same time', async () => {
    const empty = await createEmptyDatabase();
    const before = await startPgBouncer(empty.url, mode, 10);
    const ran = await Promise.all([
      migrateDatabase(before.url),
      migrateDatabase(before.url),
      migrate(empty.dataSource),
    ]);
    expect(ran.filter((names) => names.length > 0)).toHaveLength(1);
    await before.stop();
    await empty.drop();
  });
});
