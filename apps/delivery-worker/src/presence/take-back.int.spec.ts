import type { Database, PageKey } from '@postrider/persistence';
import { rows, WorkerPresence, WorkersRepository } from '@postrider/persistence';
import { Shutdown } from '@postrider/platform';
import type { StrandedJobs } from '@postrider/queues';
import { untilTrue } from '@postrider/testing';
import { pino } from 'pino';
import { accepted } from '../testing/fake-sender';
import { usePageStage } from '../testing/page-stage';
import { TakeBack } from './take-back.service';

const silent = pino({ level: 'silent' });

describe('what a delivery worker had in hand that died', () => {
  const stage = usePageStage();
  const present: WorkerPresence[] = [];

  // Free locks of a server that has just started prove nothing.
  beforeEach(() =>
    untilTrue(async () => {
      const isOld = `SELECT 1 WHERE pg_postmaster_start_time() < now() - interval '10 seconds'`;
      return (await rows(database(), isOld)).length > 0;
    }),
  );

  afterEach(async () => {
    await Promise.all(present.splice(0).map((one) => one.onApplicationShutdown()));
  });

  const database = (): Database => stage.database.dataSource;

  /** Starts a worker that reports to be alive. */
  async function appear(workerId: string, workers = new WorkersRepository(database())): Promise<WorkerPresence> {
    const presence = new WorkerPresence(workers, database(), { instanceId: workerId }, silent);
    presence.onApplicationBootstrap();
    present.push(presence);
    await untilTrue(async () => (await holders()).length === present.length);
    return presence;
  }

  /** The connections that hold a worker's lock. */
  const holders = (): Promise<{ pid: number }[]> =>
    rows(
      database(),
      `SELECT l.pid FROM pg_locks l JOIN delivery_workers w ON l.locktype = 'advisory' AND l.granted
         AND ((l.classid::bigint << 32) | l.objid::bigint) = hashtextextended('delivery worker ' || w.worker_id, 0)`,
    );

  function takeBackBy(presence: WorkerPresence): { look(): Promise<unknown>; given: string[] } {
    const given: string[] = [];
    const jobs = { giveBack: (owner: string) => Promise.resolve(given.push(owner)) } as unknown as StrandedJobs;
    const workers = new WorkersRepository(database());
    const takeBack = new TakeBack(workers, presence, jobs, stage.clock, silent, new Shutdown());
    return { look: () => takeBack.turn(), given };
  }

  /** Kills a worker: its row and its leases stay, its connection is gone. */
  async function kill(workerId: string): Promise<void> {
    await new WorkersRepository(database()).register(workerId);
  }

  async function pageHeldBy(workerId: string): Promise<{ key: PageKey; end: Promise<unknown> }> {
    const { key } = await stage.pageOf(2);
    stage.sender.answer = () => undefined;
    const end = stage.worker({ instanceId: workerId }).attempt('fcm', key);
    await stage.sender.untilWaiting(1);
    stage.sender.answer = accepted;
    return { key, end };
  }

  it('can be claimed after two looks, although its lease has not ended; its own results are refused then', async () => {
    const { key, end } = await pageHeldBy('dead');
    await kill('dead');
    const { look, given } = takeBackBy(await appear('heir'));
    const heir = stage.worker({ instanceId: 'heir' });
    await look();
    expect(await heir.attempt('fcm', key)).toMatchObject({ kind: 'waits' });
    await look();
    expect(given).toEqual(['dead']);
    expect(await heir.attempt('fcm', key)).toEqual({ kind: 'finished' });
    expect(await stage.ledger.pages(key.messageId)).toMatchObject([{ losses: 1, state: 'finished' }]);
    stage.sender.release();
    expect(await end).toEqual({ kind: 'lost' });
    expect(Object.values(await stage.ledger.states(key))).toEqual(['sent', 'sent']);
    await look();
    expect(given).toEqual(['dead']);
  });

  it('stays its own while it lives, also when its connection breaks', async () => {
    const [heir, alive] = [await appear('heir'), await appear('alive')];
    const { key, end } = await pageHeldBy('alive');
    const { look, given } = takeBackBy(heir);
    for (let time = 1; time <= 3; time++) await look();
    const before = await holders();
    const pids = before.map((one) => one.pid);
    const snapshots = `SELECT FROM pg_stat_activity WHERE pid = ANY ($1) AND backend_xmin IS NOT NULL`;
    await untilTrue(async () => (await rows(database(), snapshots, [pids])).length === 0);
    const [{ pid }] = (await rows<{ pid: number }>(
      database(),
      `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted
         AND ((classid::bigint << 32) | objid::bigint) = hashtextextended('delivery worker alive', 0)`,
    )) as [{ pid: number }];
    await rows(database(), `SELECT pg_terminate_backend($1)`, [pid]);
    await look();
    await untilTrue(async () => {
      const now = await holders();
      return now.length === before.length && !now.some((one) => one.pid === pid);
    });
    await look();
    expect(given).toEqual([]);
    expect(alive.lostAt).toBeGreaterThan(0);
    // A worker that has just lost its own connection declares nobody dead for a while.
    await kill('dead');
    const cautious = takeBackBy(alive);
    await cautious.look();
    await cautious.look();
    expect(cautious.given).toEqual([]);
    stage.sender.release();
    expect(await end).toEqual({ kind: 'finished' });
    expect(await stage.ledger.pages(key.messageId)).toMatchObject([{ losses: 0 }]);
  });

  it('stays its own while it renews its lock, also when its other connections are busy for long', async () => {
    const heir = await appear('heir');
    const { key, end } = await pageHeldBy('alive');
    const busy = new BusyWorkers(database());
    const timers = jest.spyOn(globalThis, 'setTimeout');
    // The connections of the pool have timers as long as this, which keep the process alive.
    const renew = (): (() => void) | undefined =>
      timers.mock.calls.findLast(
        ([, ms], place) => ms === 10_000 && !(timers.mock.results[place]?.value as NodeJS.Timeout).hasRef(),
      )?.[0];
    await appear('alive', busy);
    await untilTrue(() => renew() !== undefined);
    const registered = busy.holdUp();
    renew()?.();
    timers.mockRestore();
    await untilTrue(() => busy.isHeldUp);
    const { look, given } = takeBackBy(heir);
    for (let time = 1; time <= 3; time++) await look();
    registered();
    stage.sender.release();
    expect(given).toEqual([]);
    expect(await end).toEqual({ kind: 'finished' });
    expect(await stage.ledger.pages(key.messageId)).toMatchObject([{ losses: 0 }]);
  });

  it('is taken back by one of several', async () => {
    await pageHeldBy('dead');
    await kill('dead');
    const lookers = [takeBackBy(await appear('one')), takeBackBy(await appear('two'))];
    for (let time = 1; time <= 3; time++) await Promise.all(lookers.map(({ look }) => look()));
    // While one worker looks, the lock is not free for the other.
    await untilTrue(async () => {
      await Promise.all(lookers.map(({ look }) => look()));
      return lookers.some(({ given }) => given.length > 0);
    });
    expect(lookers.flatMap(({ given }) => given)).toEqual(['dead']);
    stage.sender.release();
  });

  it('needs no taking back after an orderly stop', async () => {
    const presence = await appear('stopped');
    await presence.onApplicationShutdown();
    present.splice(0);
    expect(await rows(database(), `SELECT FROM delivery_workers`)).toEqual([]);
  });
});

/** Workers whose statements beside the lock may have to wait, as they do when all connections of the pool are in use. */
class BusyWorkers extends WorkersRepository {
  isHeldUp = false;
  #free: Promise<void> | undefined;

  /** @returns what ends the wait */
  holdUp(): () => void {
    let end = (): void => undefined;
    this.#free = new Promise((resolve) => (end = resolve));
    return end;
  }

  override async register(workerId: string): Promise<void> {
    this.isHeldUp = this.#free !== undefined;
    await this.#free;
    await super.register(workerId);
  }
}
