import type { HealthRegistry } from '@postrider/platform';
import { type QueueInspector, QueueUnavailable } from '@postrider/queues';
import { RedisEvictionCheck } from './redis-eviction.check';

describe('the check of what Redis deletes', () => {
  const checkOf = (evictionPolicy: () => Promise<string | null>): Promise<void> =>
    new RedisEvictionCheck({} as HealthRegistry, { evictionPolicy } as unknown as QueueInspector).check();

  it('is content if Redis keeps all, or does not say', async () => {
    for (const policy of ['noeviction', null]) {
      await expect(checkOf(() => Promise.resolve(policy))).resolves.toBeUndefined();
    }
  });

  it('names the policy under which jobs are deleted, and the right one', async () => {
    await expect(checkOf(() => Promise.resolve('allkeys-lru'))).rejects.toThrow(
      'Redis deletes jobs when its memory is full (maxmemory-policy is allkeys-lru): set maxmemory-policy to noeviction',
    );
  });

  it('says nothing while Redis is away', async () => {
    await expect(checkOf(() => Promise.reject(new QueueUnavailable('away')))).resolves.toBeUndefined();
  });
});
