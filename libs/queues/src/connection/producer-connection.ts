import type { RedisClient } from './create-redis';

/**
 * Redis did not accept a job (or answer) in time. The ledger is not affected: a caller that has committed logs this and
 * goes on, and recovery enqueues again.
 */
export class QueueUnavailable extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'QueueUnavailable';
  }
}

/** Within this time a producer learns if Redis accepted its data. */
const PATIENCE_MS = 1_000;

/**
 * The common connection of everything that enqueues or reads queues. Nothing done through `use` hangs: it waits out a
 * short outage of Redis (a process that has just started, a restart) for at most a second, and fails at once if Redis
 * has been down for longer.
 */
export class ProducerConnection {
  #awaySince: number | undefined = performance.now();
  #ready: Promise<void>;

  /** @param patienceMs how long Redis may take, instead of a second */
  constructor(
    readonly redis: RedisClient,
    private readonly patienceMs = PATIENCE_MS,
  ) {
    this.#ready = this.#nextReady();
    redis.on('ready', () => (this.#awaySince = undefined));
    redis.on('close', () => {
      if (this.#awaySince !== undefined) return;
      this.#awaySince = performance.now();
      this.#ready = this.#nextReady();
    });
  }

  /** @throws QueueUnavailable if Redis is down, slow, or refuses */
  async use<T>(work: () => Promise<T>): Promise<T> {
    if (this.#awaySince !== undefined && performance.now() - this.#awaySince > this.patienceMs) {
      throw new QueueUnavailable('Redis is away');
    }
    try {
      return await within(this.patienceMs, this.#ready.then(work), () => tooLate(this.patienceMs));
    } catch (error) {
      if (error instanceof QueueUnavailable) throw error;
      throw new QueueUnavailable(error instanceof Error ? error.message : String(error), error);
    }
  }

  /** Closes it at once. Pending calls are rejected. */
  close(): void {
    this.redis.disconnect();
  }

  #nextReady(): Promise<void> {
    return new Promise((ready) => this.redis.once('ready', ready));
  }
}

function tooLate(afterMs: number): QueueUnavailable {
  return new QueueUnavailable(`Redis did not answer within ${afterMs} ms`);
}

/** Settles like `work`, or rejects with `late()` if that takes longer than `limitMs`. */
async function within<T>(limitMs: number, work: Promise<T>, late: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), limitMs);
  });
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
