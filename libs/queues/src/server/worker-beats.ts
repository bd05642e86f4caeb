import type { RedisClient } from '../connection/create-redis';

const BEAT_EVERY_MS = 5_000;
/** A worker that has been silent for longer is forgotten. */
const KEPT_SECONDS = 3_600;

/** The key, behind the prefix, of when each worker last said that it works on a queue. */
export const BEATS_KEY = 'beats';

/** The times are of Redis, so that the clocks of the machines do not matter. KEYS: the beats. ARGV: `<queue> <instance>`. */
const BEAT = `
local now = tonumber(redis.call('TIME')[1])
for _, member in ipairs(ARGV) do redis.call('ZADD', KEYS[1], now, member) end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ${KEPT_SECONDS})`;

/** Returns JSON, `{ "<queue>": <seconds> }`: for each queue, the time since one of its workers was last heard. KEYS: the beats. */
export const READ_BEATS = `
local now = tonumber(redis.call('TIME')[1])
local found = redis.call('ZRANGE', KEYS[1], 0, -1, 'WITHSCORES')
local ages = {}
for at = 1, #found, 2 do ages[string.match(found[at], '^%S+')] = now - tonumber(found[at + 1]) end
return cjson.encode(ages)`;

/**
 * Says in Redis, every five seconds, that this process works on its queues. A process that is suspended, or whose event
 * loop is blocked, keeps its connection, but says nothing. Beats are information only: nothing waits for them.
 */
export class WorkerBeats {
  readonly #key: string;
  readonly #members: string[];
  readonly #timer: NodeJS.Timeout;
  #isUnderWay = false;

  /** Begins at once. */
  constructor(
    private readonly redis: RedisClient,
    { prefix, instanceId, queues }: { prefix: string; instanceId: string; queues: readonly string[] },
  ) {
    this.#key = `${prefix}:${BEATS_KEY}`;
    this.#members = queues.map((queue) => `${queue} ${instanceId}`);
    this.#timer = setInterval(() => this.#beat(), BEAT_EVERY_MS).unref();
    this.#beat();
  }

  /** Says that this process no longer works on its queues. Returns at once. */
  stop(): void {
    clearInterval(this.#timer);
    this.redis.zrem(this.#key, ...this.#members).catch(() => undefined);
  }

  /** While Redis is away, one beat waits for it. */
  #beat(): void {
    if (this.#isUnderWay) return;
    this.#isUnderWay = true;
    const beat = this.redis.eval(BEAT, 1, this.#key, ...this.#members).catch(() => undefined);
    void beat.then(() => (this.#isUnderWay = false));
  }
}
