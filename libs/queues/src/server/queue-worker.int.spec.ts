import { testRedisUrl, uniquePrefix, untilTrue } from '@postrider/testing';
import { Secret } from '@postrider/platform';
import { createRedis, type RedisClient } from '../connection/create-redis';
import { type LogLine, listLogger } from '../testing/start-test-worker';
import { QueueWorker } from './queue-worker';

describe('the worker of a queue', () => {
  let redis: RedisClient;

  beforeEach(async () => {
    redis = createRedis(new Secret(testRedisUrl()), 'consumer');
    await untilTrue(() => redis.status === 'ready');
  });
  afterEach(() => redis.disconnect());

  function open(queue: string): QueueWorker {
    const lines: LogLine[] = [];
    const work = (): Promise<unknown> => Promise.resolve(null);
    return new QueueWorker({
      ...{ queue, redis, work, prefix: uniquePrefix(), concurrency: 1, owner: 'test', logger: listLogger(lines) },
    });
  }

  it('leaves the common connection open when it closes: another queue may still end a job over it', async () => {
    const [idle, busy] = [open('idle'), open('busy')];
    await idle.close(300);
    await expect(redis.ping()).resolves.toBe('PONG');
    await busy.close(300);
  });
});
