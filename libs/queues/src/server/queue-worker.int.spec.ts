import { once } from 'node:events';
import { testRedisUrl, uniquePrefix, untilTrue } from '@postrider/testing';
import { Secret } from '@postrider/platform';
import type { Redis } from 'ioredis';
import { createRedis, type RedisClient } from '../connection/create-redis';
import { type LogLine, listLogger } from '../testing/start-test-worker';
import { QueueWorker, type QueueWorkerOptions } from './queue-worker';

type Given = QueueWorkerOptions & { lines: LogLine[] };

describe('the worker of a queue', () => {
  let redis: RedisClient;

  beforeEach(async () => {
    redis = createRedis(new Secret(testRedisUrl()), 'consumer');
    await untilTrue(() => redis.status === 'ready');
  });
  afterEach(async () => {
    const ended = once(redis, 'end');
    redis.disconnect();
    await ended;
  });

  function open(
    queue: string,
    { prefix = uniquePrefix(), lines = [] as LogLine[], ...options }: Partial<Given> = {},
  ): QueueWorker {
    const work = (): Promise<unknown> => Promise.resolve(null);
    return new QueueWorker({
      ...{ queue, redis, work, prefix, concurrency: 1, owner: 'test', logger: listLogger(lines) },
      ...options,
    });
  }

  it('leaves the common connection open when it closes: another queue may still end a job over it', async () => {
    const [idle, busy] = [open('idle'), open('busy')];
    await idle.close(300);
    await expect(redis.ping()).resolves.toBe('PONG');
    await busy.close(300);
  });

  it('warns once a minute of what Redis refuses again and again', async () => {
    const [prefix, lines] = [uniquePrefix(), [] as LogLine[]];
    await redis.set(`${prefix}:broken:wait`, 'no list');
    const worker = open('broken', { prefix, lines });
    const refusals = (): LogLine[] => lines.filter(({ event }) => event === 'queue.error');
    await untilTrue(() => refusals().length >= 3);
    await worker.close(300);
    expect(refusals().filter(({ level }) => level === 'warn')).toEqual([
      expect.objectContaining({ queue: 'broken', reason: expect.stringContaining('WRONGTYPE') as unknown }),
    ]);
  });

  it('warns once a minute of jobs whose worker is gone, however many it had', async () => {
    const [prefix, lines] = [uniquePrefix(), [] as LogLine[]];
    const ids = ['job-1', 'job-2', 'job-3'];
    for (const id of ids) {
      await redis.hset(`${prefix}:left:${id}`, { name: 'work', data: '{}', opts: '{}', timestamp: Date.now() });
    }
    await redis.rpush(`${prefix}:left:active`, ...ids);
    const worker = open('left', { prefix, lines });
    const stalled = (): LogLine[] => lines.filter(({ event }) => event === 'job.stalled');
    await untilTrue(() => stalled().length === ids.length);
    await worker.close(300);
    expect(stalled().map(({ level }) => level)).toEqual(['warn', 'debug', 'debug']);
    expect(stalled()[0]).toMatchObject({ queue: 'left', jobId: expect.stringMatching(/^job-/) as unknown });
  });

  it('does not ask Redis again at once for the job that it was refused', async () => {
    const prefix = uniquePrefix();
    await redis.set(`${prefix}:broken:wait`, 'no list');
    const commands = jest.spyOn(redis as Redis, 'sendCommand');
    const questions = (): number =>
      commands.mock.calls.filter(([{ args }]) => args[2] === `${prefix}:broken:wait`).length;
    const worker = open('broken', { prefix, againAfterRefusalMs: 3_600_000 });
    await untilTrue(() => questions() > 0);
    for (let turn = 0; turn < 20; turn++) await redis.ping();
    expect(questions()).toBe(1);
    await worker.close(300);
  });

  it('keeps the process up with no timer when it closes before the time to ask again', async () => {
    const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const prefix = uniquePrefix();
    await redis.set(`${prefix}:broken:wait`, 'no list');
    const commands = jest.spyOn(redis as Redis, 'sendCommand');
    const before = timers();
    const worker = open('broken', { prefix, againAfterRefusalMs: 3_600_000 });
    await untilTrue(() => commands.mock.calls.some(([{ args }]) => args[2] === `${prefix}:broken:wait`));
    await redis.ping();
    await worker.close(300);
    // Until Redis has closed the worker's own connection too, ioredis keeps a timer that would cut it off.
    await untilTrue(() => timers() === before);
  });
});
