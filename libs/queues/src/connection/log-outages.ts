import type { Logger } from '@postrider/platform';
import type { RedisClient } from './create-redis';

/**
 * Logs an outage once when it begins and once when it is over, however often the connection tries in between. It is also
 * the `error` listener without which ioredis writes to the console.
 */
export function logOutages(redis: RedisClient, logger: Logger, connection: string): void {
  let isAway = false;
  redis.on('error', (error: Error) => {
    if (isAway) return;
    isAway = true;
    logger.warn({ connection, reason: error.message === '' ? error.name : error.message }, 'redis.unavailable');
  });
  redis.on('ready', () => {
    if (isAway) logger.info({ connection }, 'redis.recovered');
    isAway = false;
  });
}
