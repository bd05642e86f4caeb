import { Controller } from '@nestjs/common';
import { HOUR_MS } from '@postrider/domain';
import { Secret } from '@postrider/platform';
import { testRedisUrl, uniquePrefix, untilTrue } from '@postrider/testing';
import { createRedis, type RedisClient } from '../connection/create-redis';
import { attemptPage, type AttemptPagePayload } from '../jobs';
import { HandleJob } from '../server/handle-job';
import { startTestWorker, type TestWorker } from '../testing/start-test-worker';
import { JobLoss } from './queue-pool';
import { JOBS_CLIENT, type JobsClient } from './jobs-client';

const page: AttemptPagePayload = { appId: 'shop', messageId: 'm1', pageId: 'p1', lane: 'campaign' };

let attempted: string[] = [];
let fail: () => void = () => undefined;

@Controller()
class PageProcessor {
  @HandleJob([attemptPage.fcm, attemptPage.apns])
  attempt({ pageId }: AttemptPagePayload): void {
    attempted.push(pageId);
    fail();
  }
}

describe('wake-ups that would be lost', () => {
  const prefix = uniquePrefix();
  let worker: TestWorker;
  let jobs: JobsClient;
  let redis: RedisClient;

  beforeAll(async () => {
    const isTemporary = (error: unknown): boolean => (error as Error).message === 'terminating connection';
    worker = await startTestWorker(testRedisUrl(), prefix, [PageProcessor], { graceMs: 300, isTemporary });
    jobs = worker.get(JOBS_CLIENT);
    redis = createRedis(new Secret(testRedisUrl()), 'consumer');
  });
  afterAll(async () => {
    await worker.stop();
    redis.disconnect();
  });
  beforeEach(() => {
    attempted = [];
    fail = () => undefined;
  });

  it('a job that a clock two hours ahead put off runs when the ledger says that its work is due', async () => {
    await jobs.enqueue(attemptPage.fcm, [page], { delayMs: 2 * HOUR_MS });
    await jobs.enqueue(attemptPage.fcm, [page, { ...page, pageId: 'p2' }]);
    await untilTrue(() => attempted.includes('p2'));
    expect(attempted).toEqual(['p2']);
    await jobs.enqueue(attemptPage.fcm, [page], { delaysMs: [1_000], bringsForward: true });
    await jobs.enqueue(attemptPage.fcm, [{ ...page, pageId: 'p3' }], { bringsForward: true });
    await untilTrue(() => attempted.includes('p3'));
    expect(attempted).not.toContain('p1');
    await jobs.enqueue(attemptPage.fcm, [page], { bringsForward: true });
    await untilTrue(() => attempted.includes('p1'));
  });

  it('a job comes again when what its handler threw will pass, and is dropped when it will not', async () => {
    let failures = 0;
    fail = () => {
      failures += 1;
      if (failures === 1) throw new Error('terminating connection');
    };
    await jobs.enqueue(attemptPage.fcm, [{ ...page, pageId: 'p4' }]);
    await untilTrue(() => attempted.length === 2);
    expect(attempted).toEqual(['p4', 'p4']);
    expect(worker.lines).toContainEqual(expect.objectContaining({ level: 'warn', event: 'job.postponed' }));
    fail = () => {
      throw new Error('no such column');
    };
    await jobs.enqueue(attemptPage.fcm, [{ ...page, pageId: 'p5' }]);
    await untilTrue(() => worker.lines.some(({ event }) => event === 'job.failed'));
    fail = () => undefined;
    await jobs.enqueue(attemptPage.fcm, [{ ...page, pageId: 'p6' }]);
    await untilTrue(() => attempted.includes('p6'));
    expect(attempted).toEqual(['p4', 'p4', 'p5', 'p6']);
  });

  it('that Redis lost its jobs is noticed once, and again when it could not be mended', async () => {
    const loss = worker.get(JobLoss);
    let recovered = 0;
    const recover = (): Promise<void> => Promise.resolve(void (recovered += 1));
    await loss.recover(recover);
    expect(await loss.recover(recover)).toBe(false);
    const before = recovered;

    await redis.del(`${prefix}:known-run`);
    await expect(loss.recover(() => Promise.reject(new Error('PostgreSQL is away')))).rejects.toThrow('away');
    expect(await loss.recover(recover)).toBe(true);
    expect(await loss.recover(recover)).toBe(false);
    // Like after a restart that kept the keys: the keys of the last second may be lost.
    await redis.set(`${prefix}:known-run`, 'another run');
    expect(await loss.recover(recover)).toBe(true);
    expect(recovered).toBe(before + 2);
  });
});
