import { Controller } from '@nestjs/common';
import { testRedisUrl, uniquePrefix, untilTrue } from '@postrider/testing';
import { Redis } from 'ioredis';
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
    await redis.zadd(`${prefix}:beats`, seconds - 100, 'promo dead', seconds - 40, 'promo suspended');
    const silence = (await inspector.secondsUnheard()).get('promo') ?? 0;
    expect(silence).toBeGreaterThanOrEqual(40);
    expect(silence).toBeLessThan(100);
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
