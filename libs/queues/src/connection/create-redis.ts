import { backoffMs, withJitter } from '@postrider/domain';
import { describeFailure, type Logger, parseRedisUrl, type RedisAddress, type Secret } from '@postrider/platform';
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
/** How often a server is asked for a sign of life. */
const ASK_EVERY_MS = 5_000;
/** A server that has not answered by so many questions later is left. */
const MOST_UNANSWERED = 3;

/**
 * Opens a connection to the Redis of `REDIS_URL`: a server, a master behind sentinels, or a cluster. It reconnects for
 * ever, also if a server vanishes without a word. The caller listens to `error`, and closes it.
 *
 * @param askEveryMs how often a server is asked for a sign of life, instead of every five seconds
 * @throws ConfigError if the URL cannot be read
 */
export function createRedis(url: Secret, role: RedisRole, askEveryMs = ASK_EVERY_MS): RedisClient {
  const redis = openRedis(url, role);
  allowManyRefusals(redis);
  disconnectSilentServers(redis, askEveryMs);
  return redis;
}

/**
 * For each command that a new replica refuses, ioredis closes the connection and listens for its end. Node.js would
 * write a warning of a possible memory leak about each socket with more than ten of them.
 */
function allowManyRefusals(redis: RedisClient): void {
  const allow = (server: Redis): void => void server.on('connect', () => server.stream.setMaxListeners(0));
  if (redis instanceof Cluster) redis.on('+node', allow);
  else allow(redis);
}

function openRedis(url: Secret, role: RedisRole): RedisClient {
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
    reconnectOnError: nextConnectionAfter,
    ...(role === 'producer' ? { enableOfflineQueue: false, maxRetriesPerRequest: 1 } : { maxRetriesPerRequest: null }),
  };
}

/** @returns 2 to send the command again on the next connection, 1 to fail it there, false to stay */
function nextConnectionAfter(error: Error & { command?: { name: string } }): 1 | 2 | false {
  // After a failover the old master answers READONLY until it is left (Redis Sentinel docs, "clients").
  if (error.message.startsWith('READONLY')) return 2;
  // ioredis would stay, in database 0, which may be that of another installation.
  return error.command?.name === 'select' ? 1 : false;
}

function reconnectDelayMs(times: number): number {
  return Math.round(withJitter(backoffMs(RECONNECTS, times), JITTER));
}

/**
 * Breaks connections whose server answers nothing: its host lost its power or its network. TCP would send what was not
 * acknowledged again for a quarter of an hour before it gives up. What is under way is sent again on the next
 * connection.
 *
 * Questions are counted, not time: a process that was suspended asks once when it goes on.
 */
function disconnectSilentServers(redis: RedisClient, askEveryMs: number): void {
  const unanswered = new WeakMap<Redis, number>();
  const ask = (server: Redis): void => {
    if (server.status !== 'ready') return;
    const asked = unanswered.get(server);
    if (asked !== undefined) {
      unanswered.set(server, asked + 1);
      if ((asked + 1) % MOST_UNANSWERED === 0) server.disconnect(true);
      return;
    }
    unanswered.set(server, 0);
    const forget = (): boolean => unanswered.delete(server);
    server.ping().then(forget, forget);
  };
  const timer = setInterval(() => {
    for (const server of redis instanceof Cluster ? redis.nodes() : [redis]) ask(server);
  }, askEveryMs).unref();
  redis.once('end', () => clearInterval(timer));
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
    logger.warn({ connection, reason: describeFailure(error) }, 'redis.unavailable');
  });
  redis.on('ready', () => {
    if (isAway) logger.info({ connection }, 'redis.recovered');
    isAway = false;
  });
}
