import { Controller } from '@nestjs/common';
import { Secret } from '@postrider/platform';
import { testRedisUrl, uniquePrefix, untilTrue } from '@postrider/testing';
import type { Job } from 'bullmq';
import { Redis } from 'ioredis';
import { QueuePool } from '../client/queue-pool';
import { createRedis, type RedisClient } from '../connection/create-redis';
import { ProducerConnection } from '../connection/producer-connection';
import { attemptCampaignPage, attemptPage } from '../jobs';
import { HandleJob } from '../server/handle-job';
import { startTestWorker } from '../testing/start-test-worker';
import { QueueInspector } from './queue-inspector';

@Controller()
class PageProcessor {
  @HandleJob(attemptPage.fcm)
  attempt(): Promise<void> {
    return Promise.resolve();
  }
}

@Controller()
class CampaignProcessor {
  @HandleJob(attemptCampaignPage.fcm)
  attempt(): Promise<void> {
    return Promise.resolve();
  }
}

describe('what is known of a queue', () => {
  it('tells for how long no process has said that it takes its jobs', async () => {
    const prefix = uniquePrefix();
    const [worker, other] = await Promise.all([
      startTestWorker(testRedisUrl(), prefix, [PageProcessor]),
      startTestWorker(testRedisUrl(), prefix, [CampaignProcessor]),
    ]);
    const inspector = worker.get(QueueInspector);
    const queuesHeard = async (): Promise<string[]> => [...(await inspector.secondsUnheard()).keys()].sort();
    await untilTrue(async () => (await queuesHeard()).length === 2);
    expect(await queuesHeard()).toEqual(['delivery.fcm', 'delivery.fcm.campaign']);
    const redis = new Redis(testRedisUrl());
    const [seconds = 0] = (await redis.time()).map(Number);
    // Further apart than this test may take.
    await redis.zadd(`${prefix}:beats`, seconds - 3_000, 'promo dead', seconds - 1_000, 'promo suspended');
    const silence = (await inspector.secondsUnheard()).get('promo') ?? 0;
    expect(silence).toBeGreaterThanOrEqual(1_000);
    expect(silence).toBeLessThan(3_000);
    redis.disconnect();
    // A worker that stops says so.
    await other.stop();
    await untilTrue(async () => !(await queuesHeard()).includes('delivery.fcm.campaign'));
    expect(await queuesHeard()).toContain('delivery.fcm');
    await worker.stop();
  });

  it('tells what Redis does when its memory is full', async () => {
    const worker = await startTestWorker(testRedisUrl(), uniquePrefix(), [PageProcessor]);
    expect(await worker.get(QueueInspector).evictionPolicy()).toBe('noeviction');
    await worker.stop();
  });
});

describe('the lag of a queue', () => {
  const NAME = 'delivery.fcm';
  const TEN_MINUTES_MS = 600_000;
  let redis: RedisClient;
  let pool: QueuePool;

  beforeEach(() => {
    redis = createRedis(new Secret(testRedisUrl()), 'producer');
    redis.on('error', () => undefined);
    pool = new QueuePool(new ProducerConnection(redis, 60_000), uniquePrefix());
  });
  afterEach(() => pool.close());

  const moment = Date.now();
  const lag = (): Promise<number> =>
    new QueueInspector(pool, { now: () => new Date(moment), steadyMs: () => moment }).oldestAgeMs(NAME);

  /** Adds a job that was enqueued ten minutes before. */
  const addJob = (delay = 0): Promise<Job> =>
    pool.get(NAME).add('attempt-page', {}, { timestamp: moment - TEN_MINUTES_MS, delay });

  it('is the age of the first job that waits', async () => {
    expect(await lag()).toBe(0);
    await addJob();
    expect(await lag()).toBe(TEN_MINUTES_MS);
  });

  it('does not count the time for which a job was put off', async () => {
    const job = await addJob(TEN_MINUTES_MS - 1_000);
    // A worker does this with jobs that are due.
    await job.promote();
    expect(await lag()).toBe(1_000);
  });

  it('begins anew when a worker takes the job, also if it puts the job back', async () => {
    const { id = '' } = await addJob();
    // The queue notes this when a worker takes a job.
    await redis.hset(pool.get(NAME).toKey(id), 'processedOn', moment - 1_000);
    expect(await lag()).toBe(1_000);
  });
});
