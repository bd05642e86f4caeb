import { Redis } from 'ioredis';

/** How a key of each type is read completely. */
const READ: Record<string, (redis: Redis, key: string) => Promise<unknown>> = {
  string: (redis, key) => redis.get(key),
  hash: (redis, key) => redis.hgetall(key),
  list: (redis, key) => redis.lrange(key, 0, -1),
  set: (redis, key) => redis.smembers(key),
  zset: (redis, key) => redis.zrange(key, 0, -1),
  stream: (redis, key) => redis.xrange(key, '-', '+'),
};

/**
 * Returns where a Redis holds one of `texts`: every key and every value.
 * @returns `key: text`, in order
 */
export async function tracesInRedis(url: string, texts: readonly string[]): Promise<string[]> {
  const redis = new Redis(url);
  try {
    const found: string[] = [];
    for (const key of (await redis.keys('*')).sort()) {
      const type = await redis.type(key);
      // It may have gone meanwhile.
      if (type === 'none') continue;
      const read = READ[type];
      if (read === undefined) throw new Error(`${key} is of the type ${type}, which is not searched`);
      const held = `${key} ${JSON.stringify(await read(redis, key))}`;
      found.push(...texts.filter((text) => held.includes(text)).map((text) => `${key}: ${text}`));
    }
    return found;
  } finally {
    redis.disconnect();
  }
}
