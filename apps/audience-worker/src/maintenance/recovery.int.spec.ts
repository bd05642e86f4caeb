import {
  CloseUnprovedConnections,
  EndCancelledPages,
  EndWaitingDeliveries,
  RerouteLateMessages,
  type MaintenanceTask,
  OpenConnectionPages,
  RecoverFallbacks,
  RecoverLostJobs,
  RecoverMessages,
  RecoverPages,
  RecoverTagJobs,
  RecoverWebhooks,
  TaskRunner,
} from '@postrider/maintenance';
import { type Database, noOutcomes, PagesRepository } from '@postrider/persistence';
import { QueueInspector, type QueueName } from '@postrider/queues';
import { createShop, untilTrue } from '@postrider/testing';
import { accept, letTimePass } from '../testing/ledger';
import type { TestAudienceWorker } from '../testing/start-audience-worker';
import { WorkerStage } from '../testing/worker-stage';

/** Lets the current run of a worker go on. */
const nextRound = (): Promise<void> => new Promise((next) => setImmediate(next));

type TaskClass = new (...dependencies: never[]) => MaintenanceTask;

const WAKING_UP = [
  RecoverLostJobs,
  RecoverPages,
  RecoverMessages,
  RecoverFallbacks,
  RecoverTagJobs,
  RecoverWebhooks,
] as const;
const ENDING = [
  CloseUnprovedConnections,
  OpenConnectionPages,
  RerouteLateMessages,
  EndWaitingDeliveries,
  EndCancelledPages,
] as const;

const UNREACHABLE_REDIS = 'redis://127.0.0.1:1';

describe('recovery', () => {
  let stage: WorkerStage;
  let database: Database;

  beforeEach(async () => {
    stage = await WorkerStage.open();
    database = stage.database;
  });
  afterEach(() => stage.close());

  /** Runs tasks once each, after the run that a worker begins with. */
  async function run(worker: TestAudienceWorker, tasks: readonly TaskClass[]): Promise<boolean> {
    await untilTrue(() => worker.lines.some(({ event }) => event === 'maintenance.begun'));
    const runner = worker.get(TaskRunner);
    const { signal } = new AbortController();
    let hasMore = false;
    for (const task of tasks) {
      let more: boolean | null = null;
      while (more === null) {
        more = await runner.run(worker.get(task), signal);
        await nextRound();
      }
      hasMore ||= more;
    }
    return hasMore;
  }

  const recover = (worker: TestAudienceWorker): Promise<boolean> => run(worker, [...WAKING_UP, ...ENDING]);

  /** The lines about messages that were resolved; a turn that met a locked row writes one with another outcome. */
  function resolvedBy(worker: TestAudienceWorker): Record<string, unknown>[] {
    return worker.lines.filter(({ event, outcome }) => event === 'audience.resolved' && outcome === 'resolved');
  }

  /** Ids of the jobs of a queue. */
  async function jobsOf(worker: TestAudienceWorker, queue: QueueName): Promise<string[]> {
    const found = worker
      .get(QueueInspector)
      .queues()
      .find(({ name }) => name === queue);
    const jobs = (await found?.getJobs(['waiting', 'prioritized', 'delayed', 'active'])) ?? [];
    return jobs.map(({ id }) => id ?? '').sort();
  }

  /** Ids of the jobs of a vendor's pages, of named users and of campaigns. */
  async function pageJobsOf(worker: TestAudienceWorker, vendor: 'fcm' | 'apns'): Promise<string[]> {
    const queues = [`delivery.${vendor}`, `delivery.${vendor}.campaign`] as const;
    return (await Promise.all(queues.map((queue) => jobsOf(worker, queue)))).flat().sort();
  }

  async function pageIds(vendor: string): Promise<string[]> {
    const pages: { id: string }[] = await database.query(`SELECT id FROM pages WHERE vendor = $1`, [vendor]);
    return pages.map(({ id }) => `page-${id}`).sort();
  }

  it('has a message resolved and its pages enqueued that a gateway left after its commit', async () => {
    await createShop(database, 6_000);
    await accept(database);
    const named = await accept(database, { kind: 'users', userIds: ['user-1', 'user-3'] });
    await letTimePass(database);
    const worker = await stage.start();
    await recover(worker);
    // The last pages are enqueued after their commit, and the line is written after that.
    await untilTrue(() => Promise.resolve(resolvedBy(worker).length > 0));
    expect(await pageJobsOf(worker, 'fcm')).toEqual(await pageIds('fcm'));
    expect(await pageJobsOf(worker, 'apns')).toEqual(await pageIds('apns'));
    const [onPages] = await database.query(
      `SELECT sum(cardinality(device_ids))::int AS devices FROM pages WHERE message_id <> $1`,
      [named],
    );
    expect(onPages).toEqual({ devices: 6_000 });
    expect(resolvedBy(worker)).toMatchObject([{ appId: 'shop' }]);
    // A turn ends early where recovery has the row of the message, and the next one goes on.
    const turns = worker.lines.filter(({ event }) => event === 'audience.resolved');
    const sumOf = (what: 'found' | 'reached'): number => turns.reduce((sum, turn) => sum + Number(turn[what]), 0);
    expect([sumOf('found'), sumOf('reached')]).toEqual([6_000, 6_000]);
  });

  it('enqueues every open page again after Redis lost everything, and none twice', async () => {
    await createShop(database, 2_500);
    await accept(database);
    await accept(database, { kind: 'users', userIds: ['user-1', 'user-3'] });
    const worker = await stage.start();
    await letTimePass(database);
    await recover(worker);
    await untilTrue(
      async () => (await database.query(`SELECT 1 FROM messages WHERE resolved_at IS NULL`)).length === 0,
    );
    // The last pages are enqueued after their commit: they must be there before everything is lost.
    await untilTrue(() => Promise.resolve(resolvedBy(worker).length > 0));
    await stage.wipeRedis();
    expect(await pageJobsOf(worker, 'fcm')).toEqual([]);

    for (let turn = 0; turn < 3; turn++) {
      await letTimePass(database);
      await recover(worker);
    }
    expect(await pageJobsOf(worker, 'fcm')).toEqual(await pageIds('fcm'));
    expect(await pageJobsOf(worker, 'apns')).toEqual(await pageIds('apns'));
  });

  it('enqueues what Redis lost at its next turn, whenever it would have looked again', async () => {
    await createShop(database, 3);
    await accept(database);
    await accept(database, { kind: 'users', userIds: ['user-1'] });
    const worker = await stage.start({ worksOnJobs: false });
    await letTimePass(database);
    await recover(worker);
    const [pages, messages] = [await pageJobsOf(worker, 'fcm'), await jobsOf(worker, 'audience')];
    expect([pages.length, messages.length]).toEqual([1, 1]);
    await recover(worker);
    await stage.wipeRedis();
    await recover(worker);
    expect(await pageJobsOf(worker, 'fcm')).toEqual(pages);
    expect(await jobsOf(worker, 'audience')).toEqual(messages);
  });

  it('wakes up what is due while pages of a cancelled campaign wait to be ended', async () => {
    await createShop(database, 3);
    const cancelled = await accept(database);
    await database.query(
      `INSERT INTO pages (app_id, message_id, id, vendor, lane, device_ids)
       SELECT 'shop', $1, gen_random_uuid(), 'fcm', 'campaign', ARRAY[n] FROM generate_series(1, 300) n`,
      [cancelled],
    );
    await database.query(`UPDATE messages SET status = 'cancelled', resolved_at = now()`);
    const due = await accept(database);
    await letTimePass(database);
    const worker = await stage.start({ worksOnJobs: false });
    await run(worker, WAKING_UP);
    expect(await jobsOf(worker, 'audience')).toEqual([`resolve-${due}`]);
    while (await recover(worker));
    expect(await database.query(`SELECT state, count(*)::int AS n FROM deliveries GROUP BY 1`)).toEqual([
      { state: 'cancelled', n: 300 },
    ]);
  });

  it('resolves on from where it was when Redis lost the job in the middle', async () => {
    await createShop(database, 6_000);
    const messageId = await accept(database);
    await database.query(
      `UPDATE messages SET resolved_through = (SELECT id FROM installations ORDER BY id OFFSET 2999 LIMIT 1),
         wake_at = now() - interval '1 second' WHERE id = $1`,
      [messageId],
    );
    const worker = await stage.start();
    await recover(worker);
    await untilTrue(
      async () => (await database.query(`SELECT 1 FROM messages WHERE resolved_at IS NULL`)).length === 0,
    );
    expect(await database.query(`SELECT sum(cardinality(device_ids))::int AS devices FROM pages`)).toEqual([
      { devices: 3_000 },
    ]);
  });

  it('gives a page to the next worker when the lease of its last one is over', async () => {
    await createShop(database, 3);
    const messageId = await accept(database, { kind: 'users', userIds: ['user-1'] });
    const [{ id: pageId }] = await database.query(`SELECT id FROM pages`);
    const key = { appId: 'shop', messageId, pageId };
    const past = new Date(Date.now() - 5_000);
    await new PagesRepository(database).claim(key, {
      leasedBy: 'killed',
      now: past,
      leaseUntil: new Date(Date.now() - 1),
    });

    const worker = await stage.start({ worksOnJobs: false });
    await recover(worker);
    expect(await pageJobsOf(worker, 'fcm')).toEqual([`page-${pageId}`]);
    const now = new Date();
    const claimed = await new PagesRepository(database).claim(key, {
      leasedBy: 'next',
      now,
      leaseUntil: new Date(Date.now() + 60_000),
    });
    expect(claimed).toMatchObject({ fence: 2 });
  });

  it('ends a message whose last page was finished by a worker that died before it said so', async () => {
    await createShop(database, 3);
    const messageId = await accept(database, { kind: 'users', userIds: ['user-1'] });
    const [{ id: pageId }] = await database.query(`SELECT id FROM pages`);
    const key = { appId: 'shop', messageId, pageId };
    const now = new Date();
    await new PagesRepository(database).claim(key, { leasedBy: 'one', now, leaseUntil: new Date(Date.now() + 60_000) });
    const end = { recorded: noOutcomes(), retries: [], remainder: null, now, lastCallAt: now };
    expect(await new PagesRepository(database).settle(database, { ...key, fence: 1 }, end)).toBe(true);
    await letTimePass(database);

    const worker = await stage.start({ worksOnJobs: false });
    await recover(worker);
    expect(await database.query(`SELECT status, wake_at FROM messages`)).toEqual([{ status: 'done', wake_at: null }]);
  });

  it('keeps everything due while Redis is away, says so once, and enqueues when it is back', async () => {
    await createShop(database, 3_000);
    await accept(database);
    await accept(database, { kind: 'users', userIds: ['user-1'] });
    await letTimePass(database);
    const cutOff = await stage.start({ worksOnJobs: false }, UNREACHABLE_REDIS);
    for (let turn = 0; turn < 3; turn++) await recover(cutOff);
    expect(cutOff.lines.filter(({ event }) => event === 'enqueueing.paused')).toHaveLength(1);
    expect(await database.query(`SELECT 1 FROM pages WHERE wake_at > now()`)).toEqual([]);

    const worker = await stage.start({ worksOnJobs: false });
    await recover(worker);
    expect(await pageJobsOf(worker, 'fcm')).toEqual(await pageIds('fcm'));
    expect(await jobsOf(worker, 'audience')).toHaveLength(1);
  });

  it('expires what waits for a connection once its message has', async () => {
    await createShop(database, 0);
    await database.query(
      `INSERT INTO installations (app_id, installation_id, user_id, user_since, realtime)
       SELECT 'shop', gen_random_uuid(), 'ann', 'epoch', true FROM generate_series(1, 2500)`,
    );
    await accept(database, { kind: 'users', userIds: ['ann'] });
    const worker = await stage.start({ worksOnJobs: false });
    const states = () => database.query(`SELECT state, count(*)::int AS n FROM deliveries GROUP BY 1`);
    await recover(worker);
    expect(await states()).toEqual([{ state: 'pending', n: 2_500 }]);

    await database.query(`UPDATE messages SET inbox_ends_at = now() - interval '1 second'`);
    expect(await recover(worker)).toBe(true);
    while (await recover(worker));
    expect(await states()).toEqual([{ state: 'expired', n: 2_500 }]);
    expect(await database.query(`SELECT status, inbox_ends_at FROM messages`)).toEqual([
      { status: 'done', inbox_ends_at: null },
    ]);
  });
});
