import { Controller } from '@nestjs/common';
import { testRedisUrl, uniquePrefix, untilTrue } from '@postrider/testing';
import { attemptPage } from '../jobs';
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

describe('what is known of a queue', () => {
  it('tells if any process takes its jobs', async () => {
    const worker = await startTestWorker(testRedisUrl(), uniquePrefix(), [PageProcessor]);
    const inspector = worker.get(QueueInspector);
    await untilTrue(() => inspector.hasWorker('delivery.fcm'));
    expect(await inspector.hasWorker('delivery.fcm.campaign')).toBe(false);
    await worker.stop();
  });

  it('tells what Redis does when its memory is full', async () => {
    const worker = await startTestWorker(testRedisUrl(), uniquePrefix(), [PageProcessor]);
    expect(await worker.get(QueueInspector).evictionPolicy()).toBe('noeviction');
    await worker.stop();
  });
});
