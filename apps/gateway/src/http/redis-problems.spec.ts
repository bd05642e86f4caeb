import { type QueueInspector, QueueUnavailable } from '@postrider/queues';
import type { RedisEvictionCheck } from './redis-eviction.check';
import { RedisProblems } from './redis-problems';

describe('what is wrong with Redis while work waits', () => {
  const problemOf = (expectWritable: () => Promise<void>, ofEviction: string | null): Promise<string | null> =>
    new RedisProblems(
      { expectWritable } as unknown as QueueInspector,
      { problem: () => Promise.resolve(ofEviction) } as unknown as RedisEvictionCheck,
    ).find();
  const works = (): Promise<void> => Promise.resolve();

  it('is that it refuses writes, or does not answer', async () => {
    const refuses = (): Promise<void> => Promise.reject(new QueueUnavailable('MISCONF No space left on device'));
    expect(await problemOf(refuses, null)).toBe(
      'Redis takes no jobs (MISCONF No space left on device): start it, or make it take writes',
    );
  });

  it('is that it may delete jobs', async () => {
    expect(await problemOf(works, 'Redis deletes jobs')).toBe('Redis deletes jobs');
  });

  it('is nothing otherwise', async () => {
    expect(await problemOf(works, null)).toBeNull();
  });
});
