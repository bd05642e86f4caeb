import type { Logger } from '@postrider/platform';
import { type Job as BullJob, WaitingError, Worker, ErrorCode } from 'bullmq';
import type { RedisClient } from '../connection/create-redis';

/** Redis was wiped while the job ran, or another worker has it by now. */
const LOST: readonly unknown[] = [
  ErrorCode.JobNotExist,
  ErrorCode.JobLockNotExist,
  ErrorCode.JobNotInState,
  ErrorCode.JobLockMismatch,
];

/**
 * Whether an error only says that Redis no longer knows a job as ours. That is nothing to worry about: its work stands in
 * the ledger, and so does what became of it.
 */
function isLostJob(error: Error): boolean {
  return LOST.includes((error as { code?: unknown }).code) || error.message.startsWith('could not renew lock for job');
}

/** What one queue's worker is made from. */
export interface QueueWorkerOptions {
  queue: string;
  concurrency: number;
  prefix: string;
  redis: RedisClient;
  logger: Logger;
  /** Whose jobs they are while they are in hand: what `StrandedJobs` finds them by. */
  owner: string;
  /** Does a job. What it gives is the job's reply; what it throws fails the job. */
  work: (job: BullJob, token: string) => Promise<unknown>;
}

/** A killed worker's job is given to another after these (docs/decisions/0005-jobs-are-taken-back-quickly.md). */
const LOCK_MS = 8_000;
const STALLED_CHECK_MS = 2_000;
/** The ledger's lease decides how often a page is tried; the queue must not give up before it. */
const MAX_STALLED = 10;
const RETRY_AFTER_LOST_CONNECTION_MS = 500;
/** Closing is a matter of milliseconds once nothing is in hand, unless Redis is away. */
const CLOSE_LIMIT_MS = 2_000;

/** Works one queue with BullMQ: outlives a Redis that restarts or is wiped, and lets go of nothing in hand when it closes. */
export class QueueWorker {
  readonly #worker: Worker;
  readonly #inHand = new Map<BullJob, Promise<unknown>>();
  #isClosing = false;

  constructor(private readonly options: QueueWorkerOptions) {
    this.#worker = new Worker(options.queue, (job, token = '') => this.#work(job, token), {
      connection: options.redis,
      prefix: options.prefix,
      concurrency: options.concurrency,
      lockDuration: LOCK_MS,
      stalledInterval: STALLED_CHECK_MS,
      maxStalledCount: MAX_STALLED,
      runRetryDelay: RETRY_AFTER_LOST_CONNECTION_MS,
      removeOnComplete: { count: 0 },
      removeOnFail: { count: 0 },
    });
    // The beginning of each job's lock.
    Object.assign(this.#worker, { id: options.owner });
    this.#worker.on('error', (error) => this.#report(error));
    this.#worker.on('stalled', (jobId) => this.#log('warn', 'job.stalled', { jobId }));
  }

  /**
   * Takes no more jobs, waits up to `graceMs` for those in hand, gives the rest back to the queue, and lets go of Redis.
   * Never rejects.
   */
  async close(graceMs: number): Promise<void> {
    this.#isClosing = true;
    await this.#worker.pause(true);
    await Promise.race([this.#whenDone(), after(graceMs)]);
    const isStuck = this.#inHand.size > 0;
    if (isStuck) await Promise.race([this.#giveBack(), after(CLOSE_LIMIT_MS)]);
    // Without Redis an orderly close would wait for it.
    const isForced = isStuck || this.options.redis.status !== 'ready';
    await Promise.race([this.#worker.close(isForced).catch(() => undefined), after(CLOSE_LIMIT_MS)]);
    await Promise.race([this.#worker.disconnect().catch(() => undefined), after(CLOSE_LIMIT_MS)]);
  }

  /** A read that was waiting for a job when closing began may still bring one: it goes straight back. */
  async #work(job: BullJob, token: string): Promise<unknown> {
    if (this.#isClosing) {
      await job.moveToWait(token);
      throw new WaitingError();
    }
    const work = this.options.work(job, token);
    this.#inHand.set(job, work);
    try {
      return await work;
    } finally {
      this.#inHand.delete(job);
    }
  }

  async #whenDone(): Promise<void> {
    await Promise.allSettled(this.#inHand.values());
  }

  async #giveBack(): Promise<void> {
    for (const job of this.#inHand.keys()) {
      this.#log('warn', 'job.given-back', { jobId: job.id });
      await job.moveToWait(job.token).catch((error: unknown) => this.#report(error as Error));
    }
  }

  #report(error: Error): void {
    const isOutage = this.options.redis.status !== 'ready' || isConnectionFault(error);
    if (isLostJob(error)) this.#log('debug', 'job.lost', { reason: error.message });
    else if (isOutage) this.#log('debug', 'queue.disconnected', { reason: error.message });
    else this.#log('warn', 'queue.error', { reason: error.message });
  }

  #log(level: 'debug' | 'warn', event: string, facts: object): void {
    this.options.logger[level]({ queue: this.options.queue, ...facts }, event);
  }
}

/** `ECONNREFUSED` and its like: the connection itself logs its outage, once. */
function isConnectionFault(error: Error): boolean {
  return /^E[A-Z]{3,}$/.test(String((error as NodeJS.ErrnoException).code));
}

function after(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
