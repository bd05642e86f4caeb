import { setTimeout as pause } from 'node:timers/promises';
import { type Logger, RepeatedWarning } from '@postrider/platform';
import { type Job as BullJob, type Processor, WaitingError, Worker, type WorkerOptions, ErrorCode } from 'bullmq';
import type { RedisClient } from '../connection/create-redis';

/** Redis was wiped while the job ran, or another worker has the job by now. */
const LOST: readonly unknown[] = [
  ErrorCode.JobNotExist,
  ErrorCode.JobLockNotExist,
  ErrorCode.JobNotInState,
  ErrorCode.JobLockMismatch,
];

/**
 * True if an error only means that Redis no longer knows the job as ours. That is harmless: its work and its results
 * are in the ledger.
 */
function isLostJob(error: Error): boolean {
  return LOST.includes((error as { code?: unknown }).code) || error.message.startsWith('could not renew lock for job');
}

/** The options of one queue's worker. */
export interface QueueWorkerOptions {
  queue: string;
  concurrency: number;
  prefix: string;
  redis: RedisClient;
  logger: Logger;
  /** The owner of its running jobs, by which `StrandedJobs` finds them. */
  owner: string;
  /** Handles a job. Its result is the job's reply; an exception fails the job. */
  work: (job: BullJob, token: string) => Promise<unknown>;
  /** How long it waits after Redis refused it a job, instead of half a second. */
  againAfterRefusalMs?: number;
}

/** Another worker gets a killed worker's job after these times (docs/decisions/0005-jobs-are-taken-back-quickly.md). */
const LOCK_MS = 8_000;
const STALLED_CHECK_MS = 2_000;
/** The lease in the ledger decides how often a page is tried. The queue must not give up earlier. */
const MAX_STALLED = 10;
const RETRY_AFTER_LOST_CONNECTION_MS = 500;
const AGAIN_AFTER_REFUSAL_MS = 500;
/** Closing takes milliseconds once no job runs, unless Redis is down. */
const CLOSE_LIMIT_MS = 2_000;

/**
 * BullMQ's worker asks for the next job again as soon as Redis has refused one, as fast as Redis answers. A Redis that is
 * full or read-only would be asked hundreds of times a second. This one waits before it asks again, unless it is closing.
 */
class PausingWorker extends Worker {
  readonly #closing = new AbortController();

  constructor(
    private readonly againAfterMs: number,
    queue: string,
    processor: Processor,
    options: WorkerOptions,
  ) {
    super(queue, processor, options);
    this.once('closing', () => this.#closing.abort());
  }

  protected override async moveToActive(token: string, name?: string): ReturnType<Worker['moveToActive']> {
    try {
      return await super.moveToActive(token, name);
    } catch (error) {
      await pause(this.againAfterMs, undefined, { signal: this.#closing.signal, ref: false }).catch(() => undefined);
      throw error;
    }
  }
}

/** Works on one queue with BullMQ. It survives a restart or wipe of Redis, and loses no running job when it closes. */
export class QueueWorker {
  readonly #worker: Worker;
  readonly #inHand = new Map<BullJob, Promise<unknown>>();
  readonly #refused: RepeatedWarning;
  readonly #stalled: RepeatedWarning;
  #isClosing = false;

  constructor(private readonly options: QueueWorkerOptions) {
    this.#refused = new RepeatedWarning(options.logger, 'queue.error');
    this.#stalled = new RepeatedWarning(options.logger, 'job.stalled');
    this.#worker = new PausingWorker(
      options.againAfterRefusalMs ?? AGAIN_AFTER_REFUSAL_MS,
      options.queue,
      (job, token = '') => this.#work(job, token),
      {
        connection: options.redis,
        prefix: options.prefix,
        concurrency: options.concurrency,
        lockDuration: LOCK_MS,
        stalledInterval: STALLED_CHECK_MS,
        maxStalledCount: MAX_STALLED,
        runRetryDelay: RETRY_AFTER_LOST_CONNECTION_MS,
        removeOnComplete: { count: 0 },
        removeOnFail: { count: 0 },
      },
    );
    // The beginning of each job's lock.
    Object.assign(this.#worker, { id: options.owner });
    this.#worker.on('error', (error) => this.#report(error));
    this.#worker.on('stalled', (jobId) => this.#stalled.log({ queue: options.queue, jobId }));
  }

  /**
   * Takes no more jobs, waits up to `graceMs` for running ones, and gives the rest back to the queue. It ends its own
   * connection to Redis; that of `options` stays open, because other workers still need it. Never rejects.
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
    await Promise.race([this.#endOwnConnection().catch(() => undefined), after(CLOSE_LIMIT_MS)]);
  }

  /** A pending read may still return a job after closing began: the job is given back at once. */
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

  /** Ends the connection on which the worker waits for jobs, also if closing it in order takes too long. */
  async #endOwnConnection(): Promise<void> {
    await this.#worker.getBackend().disconnectBlocking(false);
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
    else this.#refused.log({ queue: this.options.queue, reason: error.message });
  }

  #log(level: 'debug' | 'warn', event: string, facts: object): void {
    this.options.logger[level]({ queue: this.options.queue, ...facts }, event);
  }
}

/** `ECONNREFUSED` and similar errors: the connection itself logs its outage, once. */
function isConnectionFault(error: Error): boolean {
  return /^E[A-Z]{3,}$/.test(String((error as NodeJS.ErrnoException).code));
}

function after(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
