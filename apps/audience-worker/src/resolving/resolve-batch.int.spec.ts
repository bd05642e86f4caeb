import { RecoverMessages } from '@postrider/maintenance';
import { type Database, MessagesRepository } from '@postrider/persistence';
import { type AttemptPagePayload, pagesOfJob } from '@postrider/queues';
import { createShop, untilTrue } from '@postrider/testing';
import { acceptLater, letTimePass } from '../testing/ledger';
import { WorkerStage } from '../testing/worker-stage';
import { ResolveBatch } from './resolve-batch.service';

const MESSAGES = 450;

describe('scheduled messages that are due together', () => {
  let stage: WorkerStage;
  let database: Database;

  beforeEach(async () => {
    stage = await WorkerStage.open();
    database = stage.database;
    await createShop(database, 10);
  });
  afterEach(() => stage.close());

  /** Accepts messages to one user each, and lets their time come. */
  async function schedule(count: number): Promise<string[]> {
    const ids: string[] = [];
    for (let n = 0; n < count; n++) ids.push(await acceptLater(database, [`user-${(n % 10) + 1}`]));
    await database.query(`UPDATE messages SET send_at = now() - interval '1 second'`);
    await letTimePass(database);
    return ids;
  }

  const unresolved = (): Promise<{ id: string }[]> =>
    database.query(`SELECT id FROM messages WHERE resolved_at IS NULL ORDER BY id`);

  const devicesOnPages = (): Promise<{ n: number; messages: number }[]> =>
    database.query(
      `SELECT sum(cardinality(device_ids))::int AS n, count(DISTINCT message_id)::int AS messages FROM pages`,
    );

  it('share jobs, and each is on its way once, whichever of two workers takes it', async () => {
    await schedule(MESSAGES);
    const [one, other] = [await stage.start(), await stage.start()];
    await one.get(RecoverMessages).run();
    await untilTrue(async () => (await unresolved()).length === 0);
    expect(await devicesOnPages()).toEqual([{ n: MESSAGES, messages: MESSAGES }]);
    const lines = (): Record<string, unknown>[] =>
      [...one.lines, ...other.lines].filter(({ event }) => event === 'audience.resolved');
    const sum = (): number => lines().reduce((total, { messages }) => total + Number(messages), 0);
    await untilTrue(() => sum() === MESSAGES);
    expect(lines().length).toBeLessThan(MESSAGES / 10);
    const onQueues = async (): Promise<number> => {
      const pages = new Set<string>();
      for (const vendor of ['fcm', 'apns']) {
        const queue = `${stage.prefix}:delivery.${vendor}`;
        for (const id of await stage.redis.lrange(`${queue}:wait`, 0, -1)) {
          const payload = JSON.parse((await stage.redis.hget(`${queue}:${id}`, 'data'))!) as AttemptPagePayload;
          for (const { pageId } of pagesOfJob(payload)) pages.add(pageId);
        }
      }
      return pages.size;
    };
    await untilTrue(async () => (await onQueues()) === MESSAGES);
  });

  it('leave one that fails to itself', async () => {
    const ids = await schedule(30);
    const bad = ids[7]!;
    await database.query(
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN IF NEW.message_id = TG_ARGV[0]::uuid THEN RAISE 'refused'; END IF; RETURN NEW; END $$`,
    );
    await database.query(`CREATE TRIGGER refuse BEFORE INSERT ON pages FOR EACH ROW EXECUTE FUNCTION refuse('${bad}')`);
    const worker = await stage.start();
    await worker.get(RecoverMessages).run();
    await untilTrue(async () => (await unresolved()).length === 1);
    await untilTrue(() => worker.lines.some(({ event }) => event === 'job.failed'));
    expect(await unresolved()).toEqual([{ id: bad }]);
    expect(await devicesOnPages()).toEqual([{ n: 29, messages: 29 }]);
    expect(worker.lines.some(({ event }) => event === 'audience.taken-apart')).toBe(true);
    // Recovery enqueues it again; it is resolved when the fault is gone.
    await database.query(`DROP TRIGGER refuse ON pages`);
    await letTimePass(database);
    await worker.get(RecoverMessages).run();
    await untilTrue(async () => (await unresolved()).length === 0);
    expect(await devicesOnPages()).toEqual([{ n: 30, messages: 30 }]);
  });

  it('are sent unless they are cancelled first, and a cancelled one has a record of its device', async () => {
    const ids = await schedule(40);
    const cancelled = ids.filter((_, n) => n % 4 === 0);
    const worker = await stage.start({ worksOnJobs: false });
    await worker.get(RecoverMessages).run();
    // The job is under way with all forty when ten of them are cancelled.
    for (const id of cancelled)
      await new MessagesRepository(database).cancel(database, { appId: 'shop', messageId: id }, new Date());
    await stage.start();
    await untilTrue(async () => (await unresolved()).length === 0);
    expect(await devicesOnPages()).toEqual([{ n: 30, messages: 30 }]);
    const recorded: { message_id: string; state: string }[] = await database.query(
      `SELECT message_id, state FROM deliveries ORDER BY message_id`,
    );
    expect(recorded).toEqual([...cancelled].sort().map((id) => ({ message_id: id, state: 'cancelled' })));
  });

  it('go on in another process where one was killed', async () => {
    const ids = await schedule(60);
    const worker = await stage.start({ worksOnJobs: false });
    const killed = database.createQueryRunner();
    await killed.startTransaction();
    // The work of a worker that is killed before its commit.
    await killed.query(`UPDATE messages SET resolved_at = now() WHERE id = ANY ($1)`, [ids.slice(0, 20)]);
    const service = worker.get(ResolveBatch);
    const { signal } = new AbortController();
    expect(await service.resolve('shop', ids, signal)).toBe(50);
    expect(await devicesOnPages()).toEqual([{ n: 40, messages: 40 }]);
    await killed.rollbackTransaction();
    await killed.release();
    // Messages that another transaction reads at that moment are left for the next turn, as in the job.
    await untilTrue(async () => (await service.resolve('shop', ids, signal)) === null);
    expect(await devicesOnPages()).toEqual([{ n: 60, messages: 60 }]);
    expect(await unresolved()).toEqual([]);
  });

  it('come when the next of them is due, and not more often than ten times a second', async () => {
    const ids = await schedule(3);
    const worker = await stage.start({ worksOnJobs: false });
    const service = worker.get(ResolveBatch);
    const { signal } = new AbortController();
    await database.query(`UPDATE messages SET send_at = now() + interval '1 hour' WHERE id <> $1`, [ids[0]]);
    await database.query(`UPDATE messages SET send_at = now() + interval '29 seconds' WHERE id = $1`, [ids[2]]);
    let delayMs: number | null = null;
    // A message that the worker's recovery reads at that moment is left for the next turn, as in the job.
    await untilTrue(async () => {
      delayMs = await service.resolve('shop', ids, signal);
      return (await unresolved()).length === 2;
    });
    expect(delayMs).toBeGreaterThan(0);
    expect(delayMs).toBeLessThanOrEqual(29_000);
    // A message that was moved far ahead is left to recovery: a job that waited for it would block an earlier one.
    await database.query(`UPDATE messages SET send_at = now() + interval '1 hour' WHERE resolved_at IS NULL`);
    await untilTrue(async () => (await service.resolve('shop', ids, signal)) === null);
    expect(await unresolved()).toHaveLength(2);
    await database.query(`UPDATE messages SET send_at = now() - interval '1 second' WHERE resolved_at IS NULL`);
    await untilTrue(async () => (await service.resolve('shop', ids, signal)) === null);
  });

  it('are done when nobody can be reached', async () => {
    await database.query(`UPDATE installations SET token = NULL`);
    const ids = await schedule(5);
    const worker = await stage.start({ worksOnJobs: false });
    await worker.get(ResolveBatch).resolve('shop', ids, new AbortController().signal);
    expect(await database.query(`SELECT status, count(*)::int AS n FROM messages GROUP BY 1`)).toEqual([
      { status: 'done', n: 5 },
    ]);
  });

  it('are resolved one after the other where some go alone and Redis is away', async () => {
    const ids = await schedule(4);
    await database.query(`UPDATE messages SET rate = 1000 WHERE id = ANY ($1)`, [ids.slice(2)]);
    const cutOff = await stage.start({ worksOnJobs: false }, 'redis://127.0.0.1:1');
    await cutOff.get(ResolveBatch).resolve('shop', ids, new AbortController().signal);
    expect(await unresolved()).toEqual([]);
    expect(await devicesOnPages()).toEqual([{ n: 4, messages: 4 }]);
  });
});
