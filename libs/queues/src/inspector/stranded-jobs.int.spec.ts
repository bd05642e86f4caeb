import { Controller } from '@nestjs/common';
import { testRedisUrl, uniquePrefix, untilTrue } from '@postrider/testing';
import { JOBS_CLIENT, type JobsClient } from '../client/jobs-client';
import { attemptPage, type AttemptPagePayload, QUEUES } from '../jobs';
import { HandleJob } from '../server/handle-job';
import { startTestWorker, testConfig, type TestWorker } from '../testing/start-test-worker';
import { StrandedJobs } from './stranded-jobs';

let attempted: string[] = [];
/** The promise that a handler waits for. */
let gate: Promise<void> | undefined;

@Controller()
class PageProcessor {
  @HandleJob([attemptPage.fcm, attemptPage.apns], { concurrency: 5 })
  async attempt({ pageId }: AttemptPagePayload): Promise<void> {
    attempted.push(pageId);
    await gate;
  }
}

describe('jobs that a process had in hand when it died', () => {
  const prefix = uniquePrefix();
  let open: () => void;

  beforeEach(() => {
    attempted = [];
    gate = new Promise((resolve) => (open = resolve));
  });

  const start = (instanceId: string): Promise<TestWorker> =>
    startTestWorker(testRedisUrl(), prefix, [PageProcessor], {
      config: { ...testConfig(testRedisUrl()), instanceId },
      graceMs: 300,
    });
  const page = (pageId: string): AttemptPagePayload => ({ appId: 'shop', messageId: 'm', pageId, lane: 'campaign' });

  it('go to the next worker, and only those', async () => {
    const dead = await start('dead');
    const jobs = dead.get<JobsClient>(JOBS_CLIENT);
    await jobs.enqueue(attemptPage.fcm, ['p1', 'p2', 'p3', 'p4', 'p5'].map(page));
    await jobs.enqueue(attemptPage.apns, [page('p6')]);
    await untilTrue(() => attempted.length === 6);
    const heir = await start('heir');
    const stranded = heir.get(StrandedJobs);
    expect(await stranded.giveBack('dea', QUEUES)).toBe(0);
    expect(await stranded.giveBack('heir', QUEUES)).toBe(0);
    expect(await stranded.giveBack('dead', QUEUES)).toBe(6);
    await untilTrue(() => attempted.length === 12);
    expect(attempted.slice(6).sort()).toEqual(['p1', 'p2', 'p3', 'p4', 'p5', 'p6']);
    open();
    await Promise.all([dead.stop(), heir.stop()]);
    // Later results of the first owner are refused.
    expect(dead.lines.filter(({ level }) => level === 'error')).toEqual([]);
  });
});
