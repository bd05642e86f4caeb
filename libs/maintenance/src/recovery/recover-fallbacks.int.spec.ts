import { FallbacksRepository } from '@postrider/persistence';
import { newId } from '@postrider/platform';
import { Enqueuer, type JobsClient, sendFallbacks } from '@postrider/queues';
import { clockShowing, createThrowAwayDatabase, emptyTables, type ThrowAwayDatabase } from '@postrider/testing';
import { pino } from 'pino';
import { RecoverFallbacks } from './recover-fallbacks.task';

describe('the recovery of fallbacks', () => {
  let database: ThrowAwayDatabase;
  beforeAll(async () => {
    database = await createThrowAwayDatabase();
    await database.dataSource.query(
      `INSERT INTO applications (app_id, name, identity_key_sealed) VALUES ('shop', 'Shop', ''), ('bank', 'Bank', '')`,
    );
  });
  afterAll(() => database.drop());
  beforeEach(() => emptyTables(database.dataSource, 'fallbacks'));

  it('wakes a worker up for each message with something due, and for no other, until it is seen to', async () => {
    const started = Date.now();
    let now = started;
    const clock = clockShowing(() => new Date(now));
    const enqueued: unknown[] = [];
    const jobs: JobsClient = {
      enqueue: (job, payloads) => {
        enqueued.push(...payloads.map((payload) => [job, payload]));
        return Promise.resolve();
      },
    };
    const task = new RecoverFallbacks(
      new FallbacksRepository(database.dataSource),
      clock,
      new Enqueuer(jobs, clock, pino({ level: 'silent' })),
      { sweepIntervalMs: 1_000 },
    );
    const add = async (appId: string, userIds: string[], delaySeconds: number): Promise<object> => {
      const messageId = newId(clock.now());
      const fallback = { content: 'sms', media: 'sms' as const, delaySeconds };
      const startsAt = clock.now();
      const expiresAt = new Date(now + 1e9);
      await new FallbacksRepository(database.dataSource).insert(database.dataSource, [
        { appId, messageId, userIds, fallback, startsAt, expiresAt },
      ]);
      return { appId, messageId };
    };
    const turn = async (): Promise<unknown[]> => {
      await task.run();
      return enqueued.splice(0);
    };
    const late = await add('shop', ['ada', 'bob'], 120);
    const soon = await add('bank', ['ada'], 60);
    now = started + 59_999;
    expect(await turn()).toEqual([]);
    now = started + 60_000;
    expect(await turn()).toEqual([[sendFallbacks, soon]]);
    now = started + 120_000;
    expect(await turn()).toEqual([
      [sendFallbacks, soon],
      [sendFallbacks, late],
    ]);
    await database.dataSource.query(`UPDATE fallbacks SET state = 'sent', wake_at = NULL WHERE app_id = 'bank'`);
    expect(await turn()).toEqual([[sendFallbacks, late]]);
  });

  it('finds a message that just became due behind more of another than are looked at', async () => {
    const repository = new FallbacksRepository(database.dataSource);
    const startsAt = new Date();
    const add = async (appId: string, userIds: string[], delaySeconds: number): Promise<object> => {
      const messageId = newId(startsAt);
      const fallback = { content: 'sms', media: 'sms' as const, delaySeconds };
      const expiresAt = new Date(startsAt.getTime() + 1e9);
      await repository.insert(database.dataSource, [{ appId, messageId, userIds, fallback, startsAt, expiresAt }]);
      return { appId, messageId };
    };
    const many = await add('shop', ['ada', 'bob', 'cyd', 'dan'], 60);
    const one = await add('bank', ['ada'], 90);
    expect(await repository.findDue(new Date(startsAt.getTime() + 90_000), 2)).toEqual([many, one]);
  });
});
