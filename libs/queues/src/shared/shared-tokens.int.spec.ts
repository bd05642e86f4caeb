import { Secret, SecretBox } from '@postrider/platform';
import { testRedisUrl, uniquePrefix } from '@postrider/testing';
import { QueuePool } from '../client/queue-pool';
import { createRedis, type RedisClient } from '../connection/create-redis';
import { ProducerConnection } from '../connection/producer-connection';
import { SharedTokens } from './shared-tokens';

const MINUTE = 60_000;
const NAME = 'apns:jwt:KEY:abc';
const box = new SecretBox(new Secret('s'.repeat(32)));

let redis: RedisClient;
let pool: QueuePool;
let key: string;

beforeEach(() => {
  redis = createRedis(new Secret(testRedisUrl()), 'producer');
  redis.on('error', () => undefined);
  const prefix = uniquePrefix();
  key = `${prefix}:${NAME}`;
  pool = new QueuePool(new ProducerConnection(redis), prefix);
});

afterEach(() => pool.close());

const token = (value: string, minute: number): { value: string; issuedAt: number } => ({
  value,
  issuedAt: 1_767_225_600_000 + minute * MINUTE,
});

/** Offers a token at a minute, like a process whose last token is due for renewal. */
function offer(value: string, minute: number, with_ = new SharedTokens(pool, box)): Promise<{ value: string }> {
  const offered = token(value, minute);
  return with_.share(NAME, offered, offered.issuedAt - 45 * MINUTE);
}

it('the store of shared tokens takes one of those that are offered at a time, and gives it to all', async () => {
  const given = await Promise.all(['a', 'b', 'c', 'd'].map((value) => offer(value, 0)));
  expect(new Set(given.map(({ value }) => value)).size).toBe(1);
  expect(await offer('e', 44)).toEqual({ ...token(given[0]!.value, 0) });
});

it('the store of shared tokens takes another one after 45 minutes, but for 20 minutes by the clock of Redis none, whatever a process thinks', async () => {
  await offer('first', 0);
  expect((await offer('by a wrong clock', 50)).value).toBe('first');
  await redis.pexpire(key, 40 * MINUTE - 1);
  expect((await offer('second', 50)).value).toBe('second');
  expect((await offer('third', 60)).value).toBe('second');
});

it('the store of shared tokens stores nothing that can be read there, and says so when it cannot be read at all', async () => {
  await offer('header.claims.signature', 0);
  expect(await redis.get(key)).not.toContain('claims');
  const other = new SharedTokens(pool, new SecretBox(new Secret('t'.repeat(32))));
  await expect(offer('x', 1, other)).rejects.toThrow();
});

it('the store of shared tokens lets go of a token that no vendor takes any more', async () => {
  await offer('first', 0);
  expect(await redis.pttl(key)).toBeGreaterThan(59 * MINUTE);
  expect(await redis.pttl(key)).toBeLessThanOrEqual(60 * MINUTE);
});

it('the store of shared tokens fails within a second or so while Redis is away', async () => {
  redis.disconnect();
  await expect(offer('first', 0)).rejects.toMatchObject({ name: 'QueueUnavailable' });
});
