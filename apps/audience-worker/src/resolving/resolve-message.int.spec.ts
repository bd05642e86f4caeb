import type { AudienceSelection } from '@postrider/audience';
import { type Clock, systemClock } from '@postrider/domain';
import { type Database, MessagesRepository } from '@postrider/persistence';
import { type Config, createLogger, Traces } from '@postrider/platform';
import { Enqueuer, type EdgeHints, type Job, type JobsClient, QueueUnavailable } from '@postrider/queues';
import { createShop, createThrowAwayDatabase, type RenewableDatabase, emptyTables } from '@postrider/testing';
import { EnqueueResolved } from '../enqueueing/enqueue-resolved.service';
import { accept } from '../testing/ledger';
import { ResolveMessageService } from './resolve-message.service';
import { ResolveReport } from './resolve-report.service';

type Enqueued = { queue: string; id: string; priority: number };

/** Collects jobs in a list, and refuses them while `isAway`. */
class ListedJobs implements JobsClient {
  readonly jobs: Enqueued[] = [];
  isAway = false;
  onEnqueue: () => Promise<void> | void = () => undefined;

  async enqueue<Payload extends object>(job: Job<never>, payloads: readonly Payload[]): Promise<void> {
    if (this.isAway) throw new QueueUnavailable('Redis is away');
    for (const payload of payloads as never[]) {
      this.jobs.push({ queue: job.queue, id: job.id(payload), priority: job.priority?.(payload) ?? 0 });
    }
    await this.onEnqueue();
  }
}

describe('resolving a message', () => {
  let throwAway: RenewableDatabase;
  let database: Database;
  let jobs: ListedJobs;
  const logger = createLogger('test', { logLevel: 'silent', logFormat: 'json' });

  beforeAll(async () => {
    throwAway = await createThrowAwayDatabase();
  });
  afterAll(() => throwAway.drop());

  beforeEach(() => {
    database = throwAway.dataSource;
    jobs = new ListedJobs();
  });
  afterEach(() => throwAway.renew());

  function service(clock: Clock = systemClock): ResolveMessageService {
    const enqueuer = new Enqueuer(jobs, clock, logger);
    const report = new ResolveReport(logger, new Traces());
    const enqueueResolved = new EnqueueResolved(enqueuer, { tell: () => undefined } as unknown as EdgeHints);
    const config = { pageSize: 500 } as Config;
    return new ResolveMessageService(
      database,
      config,
      clock,
      report,
      enqueueResolved,
      new MessagesRepository(database),
    );
  }

  const resolve = (messageId: string, signal = new AbortController().signal) =>
    service().resolve({ appId: 'shop', messageId }, signal);

  async function pages(): Promise<{ id: string; vendor: string; devices: number }[]> {
    return database.query(`SELECT id, vendor, cardinality(device_ids) AS devices FROM pages`);
  }

  it('enqueues a job for every page, with its vendor and behind named users', async () => {
    await createShop(database, 12_000);
    const messageId = await accept(database);
    expect(await resolve(messageId)).toMatchObject({ kind: 'resolved' });
    const written = await pages();
    expect(written.reduce((sum, { devices }) => sum + devices, 0)).toBe(12_000);
    expect(jobs.jobs.map(({ queue, id }) => `${queue} ${id}`).sort()).toEqual(
      written.map(({ id, vendor }) => `delivery.${vendor}.campaign page-${id}`).sort(),
    );
  });

  it('has the first pages on their way before it looks any further', async () => {
    await createShop(database, 12_000);
    const messageId = await accept(database);
    let devicesAtFirst: number | undefined;
    jobs.onEnqueue = async () => {
      devicesAtFirst ??= (await pages()).reduce((sum, { devices }) => sum + devices, 0);
    };
    await resolve(messageId);
    expect(devicesAtFirst).toBe(500);
  });

  it('puts nobody on a page soon after the message is cancelled', async () => {
    await createShop(database, 12_000);
    const messageId = await accept(database);
    jobs.onEnqueue = async () => {
      await new MessagesRepository(database).cancel(database, { appId: 'shop', messageId }, new Date());
    };
    expect(await resolve(messageId)).toMatchObject({ kind: 'resolved' });
    expect((await pages()).reduce((sum, { devices }) => sum + devices, 0)).toBe(500);
    expect(await database.query(`SELECT state, count(*)::int AS n FROM deliveries GROUP BY 1`)).toEqual([
      { state: 'cancelled', n: 11_500 },
    ]);
  });

  it('gives the job back when the process stops, and the next one goes on', async () => {
    await createShop(database, 12_000);
    const messageId = await accept(database);
    const stopping = new AbortController();
    jobs.onEnqueue = () => stopping.abort();
    expect(await resolve(messageId, stopping.signal)).toMatchObject({ kind: 'interrupted' });
    expect(await resolve(messageId)).toMatchObject({ kind: 'resolved' });
    expect((await pages()).reduce((sum, { devices }) => sum + devices, 0)).toBe(12_000);
  });

  it('comes again when somebody holds the message at this moment', async () => {
    await createShop(database, 3);
    const messageId = await accept(database);
    const recovery = database.createQueryRunner();
    await recovery.startTransaction();
    await recovery.query(`UPDATE messages SET wake_at = now()`);
    expect(await resolve(messageId)).toEqual({ kind: 'taken', delayMs: 50 });
    await recovery.commitTransaction();
    await recovery.release();
    expect(await resolve(messageId)).toEqual({ kind: 'resolved' });
  });

  it('goes on while Redis is away', async () => {
    await createShop(database, 12_000);
    const messageId = await accept(database);
    jobs.isAway = true;
    expect(await resolve(messageId)).toMatchObject({ kind: 'resolved' });
    expect((await pages()).reduce((sum, { devices }) => sum + devices, 0)).toBe(12_000);
    const [row] = await database.query(`SELECT status, recipients FROM messages WHERE id = $1`, [messageId]);
    expect(row).toEqual({ status: 'accepted', recipients: '12000' });
  });

  it('ends a message that reaches nobody', async () => {
    await createShop(database, 0);
    const messageId = await accept(database);
    await resolve(messageId);
    const [row] = await database.query(`SELECT status FROM messages WHERE id = $1`, [messageId]);
    expect(row).toEqual({ status: 'done' });
  });

  it('has nothing to do for a message that is resolved, or is none', async () => {
    await createShop(database, 3);
    const named = await accept(database, { kind: 'users', userIds: ['user-1'] });
    expect(await resolve(named)).toMatchObject({ kind: 'over' });
    expect(await resolve('01890000-0000-7000-8000-000000000000')).toMatchObject({ kind: 'over' });
    expect(jobs.jobs).toEqual([]);
  });

  it('takes the members of a segment, by their own and their user’s properties', async () => {
    await createShop(database, 6_000);
    await database.query(`UPDATE installations SET tags = '{vip}' WHERE id % 100 = 0`);
    await database.query(
      `INSERT INTO users (app_id, user_id, attributes) SELECT 'shop', user_id, '{"age": 42}' FROM installations WHERE id % 200 = 0`,
    );
    const rule = (name: string, operator: string, value: string | number) => ({ name, operator, value });
    const tagged: AudienceSelection['who'] = { kind: 'rules', segment: { all: [rule('tags', 'equal_to', 'vip')] } };
    const aged: AudienceSelection['who'] = {
      kind: 'rules',
      target: { tags: 'vip' },
      segment: { all: [rule('age', 'greater_than', 40)] },
    };
    for (const [who, devices] of [
      [tagged, 60],
      [aged, 30],
    ] as const) {
      await emptyTables(database, 'messages', 'pages', 'deliveries');
      const messageId = await accept(database, who);
      await resolve(messageId);
      expect((await pages()).reduce((sum, page) => sum + page.devices, 0)).toBe(devices);
      const [row] = await database.query(`SELECT count, recipients FROM messages`);
      expect(row).toEqual({ count: String(devices), recipients: String(devices) });
    }
  });
});
