import { once } from 'node:events';
import {
  type CallHandler,
  Controller,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  type PipeTransform,
  UseInterceptors,
  UsePipes,
} from '@nestjs/common';
import { METRICS } from '@postrider/platform';
import { testRedisUrl, uniquePrefix, untilTrue } from '@postrider/testing';
import type { Registry } from 'prom-client';
import type { Observable } from 'rxjs';
import { JOBS_CLIENT, type JobsClient } from '../client/jobs-client';
import { QueueInspector } from '../inspector/queue-inspector';
import {
  attemptCampaignPage,
  attemptPage,
  type AttemptPagePayload,
  editTags,
  importDevices,
  resolveMessage,
  type ResolveMessagePayload,
} from '../jobs';
import { startTestWorker, type TestWorker } from '../testing/start-test-worker';
import { HandleJob, JobContext, again, type JobOutcome } from './handle-job';

/** The calls of handlers, in order. */
let seen: { payload: unknown; context: JobContext }[] = [];
let handle: (payload: ResolveMessagePayload, context: JobContext) => unknown = () => undefined;
let order: string[] = [];

@Injectable()
class TracingInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    order.push(`interceptor of ${context.switchToRpc().getContext<JobContext>().name}`);
    return next.handle();
  }
}

@Injectable()
class UpperCasePipe implements PipeTransform {
  transform(value: unknown): unknown {
    return value instanceof JobContext
      ? value
      : { ...(value as ResolveMessagePayload), appId: (value as ResolveMessagePayload).appId.toUpperCase() };
  }
}

@Controller()
@UseInterceptors(TracingInterceptor)
class ResolveProcessor {
  /** The queue's other jobs. */
  @HandleJob([editTags, importDevices])
  edit(): void {
    // nothing to do
  }

  @UsePipes(UpperCasePipe)
  @HandleJob(resolveMessage)
  async resolve(payload: ResolveMessagePayload, context: JobContext): Promise<JobOutcome> {
    seen.push({ payload, context });
    return (await handle(payload, context)) as JobOutcome;
  }
}

@Controller()
class PageProcessor {
  @HandleJob([attemptPage.fcm, attemptCampaignPage.fcm], { concurrency: 2 })
  attempt(payload: AttemptPagePayload, context: JobContext): void {
    seen.push({ payload, context });
  }
}

@Controller()
class SecondResolveProcessor {
  @HandleJob(resolveMessage)
  resolve(): void {
    seen.push({ payload: null, context: null as never });
  }
}

describe('the queue transport', () => {
  let worker: TestWorker | undefined;
  let jobs: JobsClient;

  async function start(...controllers: Parameters<typeof startTestWorker>[2]): Promise<TestWorker> {
    worker = await startTestWorker(testRedisUrl(), uniquePrefix(), controllers);
    jobs = worker.get(JOBS_CLIENT);
    return worker;
  }

  beforeEach(() => {
    seen = [];
    order = [];
    handle = () => undefined;
  });

  afterEach(async () => {
    await worker?.stop();
    worker = undefined;
  });

  it('calls the handler with the payload, what is known about the job, and through pipes and interceptors', async () => {
    await start(ResolveProcessor);
    await jobs.enqueue(resolveMessage, [{ appId: 'shop', messageId: 'm1' }]);
    await untilTrue(() => seen.length === 1);
    expect(seen[0]?.payload).toEqual({ appId: 'SHOP', messageId: 'm1' });
    expect(seen[0]?.context).toMatchObject({ queue: 'audience', name: 'resolve-message' });
    expect(order).toEqual(['interceptor of resolve-message']);
  });

  it('leaves jobs in their queue until its process can work, and then takes them', async () => {
    let becomeAble: (isAble: boolean) => void = () => undefined;
    const health = { untilAbleToWork: () => new Promise<boolean>((resolve) => (becomeAble = resolve)) };
    worker = await startTestWorker(testRedisUrl(), uniquePrefix(), [ResolveProcessor], { health });
    await worker.get<JobsClient>(JOBS_CLIENT).enqueue(resolveMessage, [{ appId: 'shop', messageId: 'm1' }]);
    expect(worker.lines.map(({ event }) => event)).not.toContain('queues.listening');
    expect(await worker.get(QueueInspector).counts('audience')).toMatchObject({ active: 0 });
    becomeAble(true);
    await untilTrue(() => seen.length === 1);
  });

  it('gives one handler the jobs of several queues', async () => {
    const { get } = await start(PageProcessor);
    const page = (pageId: string, lane: 'direct' | 'campaign'): AttemptPagePayload =>
      ({ appId: 'shop', messageId: 'm', pageId, lane }) as AttemptPagePayload;
    await jobs.enqueue(attemptPage.fcm, [page('1', 'direct')]);
    await jobs.enqueue(attemptCampaignPage.fcm, [page('2', 'campaign')]);
    await untilTrue(() => seen.length === 2);
    expect(seen.map(({ context }) => context.queue).sort()).toEqual(['delivery.fcm', 'delivery.fcm.campaign']);
    expect(await get(QueueInspector).counts('delivery.fcm')).toMatchObject({ waiting: 0, prioritized: 0, delayed: 0 });
  });

  it('does a job once that is enqueued again while it waits, and again once it ended', async () => {
    const { get } = await start(ResolveProcessor);
    const payload = { appId: 'shop', messageId: 'm1' };
    await jobs.enqueue(resolveMessage, [payload, payload, payload], { delayMs: 3_600_000 });
    await jobs.enqueue(resolveMessage, [payload]);
    const [queue] = get(QueueInspector).queues();
    // A worker does this with jobs that are due.
    await (await queue!.getJob('resolve-m1'))!.promote();
    await untilTrue(() => seen.length === 1);
    await untilTrue(async () => (await get(QueueInspector).counts('audience')).active === 0);
    await jobs.enqueue(resolveMessage, [payload]);
    await untilTrue(() => seen.length === 2);
  });

  it('brings a job again when its handler says so, after the delay', async () => {
    await start(ResolveProcessor);
    handle = () => (seen.length === 1 ? again(150) : seen.length === 2 ? again(0) : undefined);
    await jobs.enqueue(resolveMessage, [{ appId: 'shop', messageId: 'm1' }]);
    await untilTrue(() => seen.length === 3);
    expect(await worker!.get<Registry>(METRICS).getSingleMetricAsString('postrider_jobs_total')).toContain(
      'postrider_jobs_total{queue="audience",job_name="resolve-message",outcome="again",app="test"} 2',
    );
  });

  it('keeps a job back for the delay that its handler asks for', async () => {
    const { get } = await start(ResolveProcessor);
    handle = () => again(3_600_000);
    await jobs.enqueue(resolveMessage, [{ appId: 'shop', messageId: 'm1' }]);
    await untilTrue(async () => (await get(QueueInspector).counts('audience')).delayed === 1);
    expect(await get(QueueInspector).counts('audience')).toMatchObject({ waiting: 0, prioritized: 0, active: 0 });
    expect(seen).toHaveLength(1);
  });

  it('logs one line about a handler that throws, with the job and the error, and leaves nothing of it', async () => {
    const { lines, get } = await start(ResolveProcessor);
    handle = () => {
      throw new Error('the sky fell');
    };
    await jobs.enqueue(resolveMessage, [{ appId: 'shop', messageId: 'm1' }]);
    await untilTrue(() => lines.some(({ event }) => event === 'job.failed'));
    const failed = lines.filter(({ level }) => level === 'error' || level === 'warn');
    expect(failed).toHaveLength(1);
    expect(failed[0]).toMatchObject({
      event: 'job.failed',
      queue: 'audience',
      job: 'resolve-message',
      jobId: 'resolve-m1',
      payload: { appId: 'shop', messageId: 'm1' },
      err: expect.objectContaining({ message: 'the sky fell' }),
    });
    const [queue] = get(QueueInspector).queues();
    await untilTrue(async () => (await queue!.getJob('resolve-m1')) === undefined);
  });

  it('tells a handler that the process stops, and waits for it', async () => {
    const { stop } = await start(ResolveProcessor);
    let finished = false;
    handle = async (_, { signal }) => {
      await once(signal, 'abort');
      await new Promise((done) => setImmediate(done));
      finished = true;
    };
    await jobs.enqueue(resolveMessage, [{ appId: 'shop', messageId: 'm1' }]);
    await untilTrue(() => seen.length === 1);
    await stop();
    worker = undefined;
    expect(finished).toBe(true);
  });

  it('gives a job back to the queue when its handler does not end in time', async () => {
    const prefix = uniquePrefix();
    const stuck = await startTestWorker(testRedisUrl(), prefix, [ResolveProcessor], { graceMs: 50 });
    handle = () => new Promise(() => undefined);
    await stuck.get<JobsClient>(JOBS_CLIENT).enqueue(resolveMessage, [{ appId: 'shop', messageId: 'm1' }]);
    await untilTrue(() => seen.length === 1);
    await stuck.stop();
    expect(stuck.lines).toContainEqual(expect.objectContaining({ event: 'job.given-back', jobId: 'resolve-m1' }));
    handle = () => undefined;
    worker = await startTestWorker(testRedisUrl(), prefix, [ResolveProcessor]);
    await untilTrue(() => seen.length === 2);
  });

  it('refuses to start when a job has two handlers, or an owned queue a job without one', async () => {
    await expect(start(ResolveProcessor, SecondResolveProcessor)).rejects.toThrow(
      'two handlers for "audience/resolve-message"',
    );
    await expect(
      startTestWorker(testRedisUrl(), uniquePrefix(), [ResolveProcessor], { owns: ['audience', 'delivery.hms'] }),
    ).rejects.toThrow('no handler for "delivery.hms/attempt-page"');
  });
});
