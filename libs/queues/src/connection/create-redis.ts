import { backoffMs, withJitter } from '@postrider/domain';
import { type Logger, parseRedisUrl, type RedisAddress, type Secret } from '@postrider/platform';
import { Cluster, Redis, type RedisOptions } from 'ioredis';

/** A connection to Redis in any of its forms. */
export type RedisClient = Redis | Cluster;

/**
 * The purpose of a connection. A `producer` must not hang: what cannot be written now fails. A `consumer` (a worker)
 * waits for Redis without limit.
 */
export type RedisRole = 'producer' | 'consumer';

const RECONNECTS = { firstMs: 100, maxMs: 1_000 };
/** The largest random addition, so that processes that lost Redis together do not come back together. */
const JITTER = 0.5;
const CONNECT_TIMEOUT_MS = 5_000;

/**
 * Opens a connection to the Redis of `REDIS_URL`: a server, a master behind sentinels, or a cluster. It reconnects for
 * ever. The caller listens to `error`, and closes it.
 *
 * @throws ConfigError if the URL cannot be read
 */
export function createRedis(url: Secret, role: RedisRole): RedisClient {
  const address = parseRedisUrl(url.reveal());
  const options = optionsFor(address, role);
  if (address.form === 'cluster') {
    return new Cluster(address.hosts, {
      redisOptions: options,
      enableOfflineQueue: role === 'consumer',
      clusterRetryStrategy: reconnectDelayMs,
    });
  }
  if (address.form === 'sentinel') {
    return new Redis({
      ...options,
      sentinels: address.hosts,
      name: address.master,
      sentinelPassword: address.password,
      sentinelRetryStrategy: reconnectDelayMs,
      enableTLSForSentinelMode: address.tls,
      ...(address.tls ? { sentinelTLS: {} } : {}),
    });
  }
  return new Redis({ ...options, ...address.hosts[0] });
}

function optionsFor(address: RedisAddress, role: RedisRole): RedisOptions {
  return {
    username: address.username,
    password: address.password,
    db: address.db,
    ...(address.tls ? { tls: {} } : {}),
    connectTimeout: CONNECT_TIMEOUT_MS,
    keepAlive: 10_000,
    retryStrategy: reconnectDelayMs,
    // After a failover the old master answers READONLY until it is left (Redis Sentinel docs, "clients").
    reconnectOnError: (error) => (error.message.startsWith('READONLY') ? 2 : false),
    ...(role === 'producer' ? { enableOfflineQueue: false, maxRetriesPerRequest: 1 } : { maxRetriesPerRequest: null }),
  };
}

function reconnectDelayMs(times: number): number {
  return Math.round(withJitter(backoffMs(RECONNECTS, times), JITTER));
}

/**
 * Logs an outage once when it begins and once when it is over, however often the connection tries in between. It is
 * also the `error` listener, without which ioredis writes to the console.
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
