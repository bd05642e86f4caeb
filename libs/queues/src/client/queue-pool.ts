import { ErrorCode, Queue } from 'bullmq';
import { type ProducerConnection, QueueUnavailable } from '../connection/producer-connection';

/** By way of a key, so that in a cluster the node is asked that has the queues. */
const UNKNOWN_RUN = `
  local run = string.match(redis.call('INFO', 'server'), 'run_id:(%w+)')
  if redis.call('GET', KEYS[1]) == run then return nil end
  return run`;

/** The BullMQ `Queue` of each name, made when first asked for, all on one connection. */
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
    // The connection's own listener logs outages; without one here the same error would be thrown.
    queue.on('error', () => undefined);
    this.#queues.set(name, queue);
    return queue;
  }

  /** @throws QueueUnavailable, within a second */
  use<T>(name: string, work: (queue: Queue) => Promise<T>): Promise<T> {
    return this.connection.use(() => work(this.get(name)));
  }

  /** Asks Redis for a sign of life. @throws QueueUnavailable, within a second */
  async ping(): Promise<void> {
    await this.connection.use(() => this.connection.redis.ping());
  }

  /** Lets those of a queue's jobs run now that are put off. @throws QueueUnavailable, within a second */
  async bringForward(name: string, ids: readonly string[]): Promise<void> {
    await this.use(name, async (queue) => {
      const delayed = await this.connection.redis.zmscore(queue.toKey('delayed'), ...ids);
      const putOff = ids.filter((_, place) => delayed[place] != null);
      await Promise.all(putOff.map((id) => promote(queue, id)));
    });
  }

  /** The token of whoever has each of a queue's jobs in hand; null: nobody. @throws QueueUnavailable, within a second */
  async holdersOf(name: string, ids: readonly string[]): Promise<(string | null)[]> {
    return this.use(name, (queue) =>
      Promise.all(ids.map((id) => this.connection.redis.get(`${queue.toKey(id)}:lock`))),
    );
  }

  /**
   * The name of the Redis that runs now, when nobody has noted yet that it knows our jobs; null when it is the one that
   * was noted. A Redis that was started again has another name, and one that was wiped has lost the note.
   *
   * @throws QueueUnavailable, within a second
   */
  async unknownRun(): Promise<string | null> {
    const run = await this.connection.use(() => this.connection.redis.eval(UNKNOWN_RUN, 1, this.#noteKey));
    return typeof run === 'string' ? run : null;
  }

  /** Notes that the Redis of that name has our jobs. @throws QueueUnavailable, within a second */
  async noteRun(run: string): Promise<void> {
    await this.connection.use(() => this.connection.redis.set(this.#noteKey, run));
  }

  get #noteKey(): string {
    return `${this.prefix}:known-run`;
  }

  /** Publishes texts on channels, all in one round. @throws QueueUnavailable, within a second */
  async publish(texts: readonly (readonly [channel: string, text: string])[]): Promise<void> {
    await this.connection.use(() =>
      Promise.all(texts.map(([channel, text]) => this.connection.redis.publish(channel, text))),
    );
  }

  /** Runs a script on one key of ours, which gives a text. @throws QueueUnavailable, within a second or so */
  async run(script: string, key: string, values: readonly (string | number)[]): Promise<string> {
    const name = `${this.prefix}:${key}`;
    return this.connection.use(async () => String(await this.connection.redis.eval(script, 1, name, ...values)));
  }

  async close(): Promise<void> {
    this.connection.close();
    await Promise.allSettled([...this.#queues.values()].map((queue) => queue.close()));
  }
}

/** One that began to run meanwhile is where it should be. */
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

/** Finds out that Redis lost its jobs: it was wiped, started again, or another server stands in for it. */
export class JobLoss {
  constructor(private readonly pool: QueuePool) {}

  /**
   * Does `recover` when jobs may be lost, and notes that it is done. A process that dies in between leaves it to the
   * next.
   *
   * @returns true if it was done; false also while Redis is away
   */
  async recover(recover: () => Promise<void>): Promise<boolean> {
    try {
      const run = await this.pool.unknownRun();
      if (run === null) return false;
      await recover();
      await this.pool.noteRun(run);
      return true;
    } catch (error) {
      if (error instanceof QueueUnavailable) return false;
      throw error;
    }
  }
}
