import { QueueEvents } from 'bullmq';
import type { RedisClient } from '../connection/create-redis';
import { QueueUnavailable } from '../connection/queue-unavailable';
import { within } from '../connection/within';
import { JobFailed, JobTimedOut } from './job-errors';
import type { QueuePool } from './queue-pool';

/** Somebody waits for this. */
interface Waiter {
  resolve(reply: unknown): void;
  fail(reason: string): void;
}

const START_LIMIT_MS = 1_000;

/**
 * Waits for what becomes of jobs, by listening to their queue's events. A job that ended leaves nothing to look up, so
 * listening begins before the job is added: no reply can be missed.
 */
export class JobReplies {
  readonly #listeners = new Map<string, Promise<QueueEvents>>();
  readonly #waiters = new Map<string, Waiter>();

  #redis: RedisClient | undefined;

  /** @param open opens the connection to listen on, when the first request is made */
  constructor(
    private readonly pool: QueuePool,
    private readonly open: () => RedisClient,
  ) {}

  /**
   * Runs `add`, which adds the job of that id, and waits for how it ends.
   *
   * @throws JobFailed with the handler's message, JobTimedOut, or what `add` throws
   */
  async request(
    job: { queue: string; id: string; route: string },
    timeoutMs: number,
    add: () => Promise<unknown>,
  ): Promise<unknown> {
    const key = `${job.queue}:${job.id}`;
    await this.#listenTo(job.queue);
    const reply = new Promise<unknown>((resolve, reject) => {
      this.#waiters.set(key, { resolve, fail: (reason) => reject(new JobFailed(job.route, reason)) });
    });
    reply.catch(() => undefined);
    try {
      await add();
      return await within(timeoutMs, reply, () => new JobTimedOut(job.route, timeoutMs));
    } finally {
      this.#waiters.delete(key);
    }
  }

  /** Stops listening; whoever still waits runs into the time limit. */
  async close(): Promise<void> {
    const listeners = await Promise.allSettled(this.#listeners.values());
    await Promise.allSettled(
      listeners.map(async (one) => (one.status === 'fulfilled' ? one.value.close() : undefined)),
    );
    this.#redis?.disconnect();
  }

  #listenTo(queue: string): Promise<QueueEvents> {
    const known = this.#listeners.get(queue);
    if (known) return known;
    const listener = this.#start(queue);
    this.#listeners.set(queue, listener);
    listener.catch(() => this.#listeners.delete(queue));
    return listener;
  }

  async #start(queue: string): Promise<QueueEvents> {
    // Begin after the last event there is by now, not after whatever is last when the first read reaches Redis.
    const lastEventId = await this.pool.lastEventId(queue);
    this.#redis ??= this.open();
    const events = new QueueEvents(queue, {
      connection: this.#redis,
      prefix: this.pool.prefix,
      lastEventId,
    });
    events.on('error', () => undefined);
    events.on('completed', ({ jobId, returnvalue }) => this.#waiters.get(`${queue}:${jobId}`)?.resolve(returnvalue));
    events.on('failed', ({ jobId, failedReason }) => this.#waiters.get(`${queue}:${jobId}`)?.fail(failedReason));
    await within(START_LIMIT_MS, events.waitUntilReady(), () => new QueueUnavailable('Redis did not answer'));
    return events;
  }
}
