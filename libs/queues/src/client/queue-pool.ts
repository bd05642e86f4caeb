import { Injectable } from '@nestjs/common';
import { ErrorCode, Queue } from 'bullmq';
import { type ProducerConnection, QueueUnavailable } from '../connection/producer-connection';

/** Reads a key, so that a cluster asks the node that has the queues. */
const UNKNOWN_RUN = `
  local run = string.match(redis.call('INFO', 'server'), 'run_id:(%w+)')
  if redis.call('GET', KEYS[1]) == run then return nil end
  return run`;

/** The key, behind the prefix, that shows whether Redis takes writes. */
const WRITTEN_KEY = 'written';
const WRITTEN_KEPT_SECONDS = 60;

/** The BullMQ `Queue` of each name, made on first use, all on one connection. */
export class QueuePool {
  readonly #queues = new Map<string, Queue>();

  constructor(
    private readonly connection: ProducerConnection,
    readonly prefix: string,
  ) {}

  /** The queue of that name; needs no Redis. */
  get(name: string): Queue {
    const known = this.#queues.get(name);
    if (known) return known;
    const queue = new Queue(name, { connection: this.connection.redis, prefix: this.prefix });
    // The connection's own listener logs outages. Without a listener here the same error would be thrown.
    queue.on('error', () => undefined);
    this.#queues.set(name, queue);
    return queue;
  }

  /** @throws QueueUnavailable, within a second */
  use<T>(name: string, work: (queue: Queue) => Promise<T>): Promise<T> {
    return this.connection.use(() => work(this.get(name)));
  }

  /**
   * Writes to Redis. One that is full, that cannot save its data, or that is a replica answers a PING but takes no jobs.
   *
   * @throws QueueUnavailable, within a second
   */
  async expectWritable(): Promise<void> {
    const { redis } = this.connection;
    await this.connection.use(() => redis.set(`${this.prefix}:${WRITTEN_KEY}`, 1, 'EX', WRITTEN_KEPT_SECONDS));
  }

  /** What Redis does when its memory is full. Null: it does not say. @throws QueueUnavailable, within a second */
  async evictionPolicy(): Promise<string | null> {
    const memory = await this.connection.use(() => this.connection.redis.info('memory'));
    return /^maxmemory_policy:(\S+)/m.exec(memory)?.[1] ?? null;
  }

  /** Lets delayed jobs of a queue run now. @throws QueueUnavailable, within a second */
  async bringForward(name: string, ids: readonly string[]): Promise<void> {
    await this.use(name, async (queue) => {
      const delayed = await this.connection.redis.zmscore(queue.toKey('delayed'), ...ids);
      const putOff = ids.filter((_, place) => delayed[place] != null);
      await Promise.all(putOff.map((id) => promote(queue, id)));
    });
  }

  /**
   * The lock token of the worker that holds each of a queue's jobs. Null: nobody. @throws QueueUnavailable, within a
   * second
   */
  async holdersOf(name: string, ids: readonly string[]): Promise<(string | null)[]> {
    return this.use(name, (queue) =>
      Promise.all(ids.map((id) => this.connection.redis.get(`${queue.toKey(id)}:lock`))),
    );
  }

  /**
   * The run id of Redis, if nobody has noted yet that this Redis has our jobs. Null if it was noted. A restarted Redis
   * has another id, and a wiped one has lost the note.
   *
   * @throws QueueUnavailable, within a second
   */
  async unknownRun(): Promise<string | null> {
    const run = await this.connection.use(() => this.connection.redis.eval(UNKNOWN_RUN, 1, this.#noteKey));
    return typeof run === 'string' ? run : null;
  }

  /** Notes that the Redis with that run id has our jobs. @throws QueueUnavailable, within a second */
  async noteRun(run: string): Promise<void> {
    await this.connection.use(() => this.connection.redis.set(this.#noteKey, run));
  }

  get #noteKey(): string {
    return `${this.prefix}:known-run`;
  }

  /** Publishes texts on channels, in one round trip. @throws QueueUnavailable, within a second */
  async publish(texts: readonly (readonly [channel: string, text: string])[]): Promise<void> {
    await this.connection.use(() =>
      Promise.all(texts.map(([channel, text]) => this.connection.redis.publish(channel, text))),
    );
  }

  /** Runs a script on one key of ours, which returns a text. @throws QueueUnavailable, within about a second */
  async run(script: string, key: string, values: readonly (string | number)[]): Promise<string> {
    const name = `${this.prefix}:${key}`;
    return this.connection.use(async () => String(await this.connection.redis.eval(script, 1, name, ...values)));
  }

  async close(): Promise<void> {
    this.connection.close();
    await Promise.allSettled([...this.#queues.values()].map((queue) => queue.close()));
  }
}

/** A job that began to run meanwhile needs no promotion. */
async function promote(queue: Queue, id: string): Promise<void> {
  const job = await queue.getJob(id);
  await job?.promote().catch((error: unknown) => {
    if (!isNotDelayed(error)) throw error;
  });
}

function isNotDelayed(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return code === ErrorCode.JobNotInState || code === ErrorCode.JobNotExist;
}

/** Detects that Redis lost its jobs: it was wiped or restarted, or another server replaced it. */
@Injectable()
export class JobLoss {
  constructor(private readonly pool: QueuePool) {}

  /** @returns true if jobs may be lost: `recover` would run; false also while Redis is down */
  async isSuspected(): Promise<boolean> {
    return (await this.#unknownRun()) !== null;
  }

  /**
   * Runs `recover` if jobs may be lost, and notes that it is done. If the process dies in between, the next one does
   * it.
   *
   * @returns true if it ran; false also while Redis is down
   */
  async recover(recover: () => Promise<void>): Promise<boolean> {
    try {
      const run = await this.#unknownRun();
      if (run === null) return false;
      await recover();
      await this.pool.noteRun(run);
      return true;
    } catch (error) {
      if (error instanceof QueueUnavailable) return false;
      throw error;
    }
  }

  async #unknownRun(): Promise<string | null> {
    return this.pool.unknownRun().catch((error: unknown) => {
      if (error instanceof QueueUnavailable) return null;
      throw error;
    });
  }
}
