import { type Logger, RepeatedWarning } from '@postrider/platform';
import { DelayedError, type Job as BullJob, WaitingError } from 'bullmq';
import type { JobMetrics } from './job-metrics';
import { type Again, isAgain } from './handle-job';

/** A job whose handler failed with a temporary error comes again after this time. */
const TEMPORARY_ERROR_PAUSE_MS = 500;

/** Calls the handler of a job and turns its result into the queue's next action. It logs and counts the job. */
export class JobRunner {
  readonly #postponed: RepeatedWarning;

  constructor(
    private readonly metrics: JobMetrics,
    private readonly logger: Logger,
    private readonly isTemporary: (error: unknown) => boolean = () => false,
  ) {
    this.#postponed = new RepeatedWarning(logger, 'job.postponed');
  }

  /**
   * @returns null if the job is done, because BullMQ writes the result as JSON
   * @throws BullMQ's own errors for a job that comes again, else the handler's error
   */
  async run(job: BullJob, token: string, handle: () => Promise<unknown>): Promise<null> {
    const startedAt = performance.now();
    let outcome: unknown;
    try {
      outcome = await handle();
    } catch (error) {
      if (this.isTemporary(error)) return this.#postpone(job, token, error, startedAt);
      this.#failed(job, error, startedAt);
      throw error instanceof Error ? error : new Error(describe(error));
    }
    this.metrics.record(job.queueName, job.name, isAgain(outcome) ? 'again' : 'done', performance.now() - startedAt);
    if (isAgain(outcome)) return putBack(job, token, outcome);
    return null;
  }

  #postpone(job: BullJob, token: string, error: unknown, startedAt: number): Promise<never> {
    this.metrics.record(job.queueName, job.name, 'again', performance.now() - startedAt);
    const reason = error instanceof Error ? error.message : describe(error);
    this.#postponed.log({ queue: job.queueName, job: job.name, jobId: job.id, reason });
    return putBack(job, token, { kind: 'again', delayMs: TEMPORARY_ERROR_PAUSE_MS });
  }

  #failed(job: BullJob, error: unknown, startedAt: number): void {
    const durationMs = performance.now() - startedAt;
    this.metrics.record(job.queueName, job.name, 'failed', durationMs);
    this.logger.error(
      {
        queue: job.queueName,
        job: job.name,
        jobId: job.id,
        payload: job.data as unknown,
        durationMs: Math.round(durationMs),
        err: error,
      },
      'job.failed',
    );
  }
}

async function putBack(job: BullJob, token: string, { delayMs }: Again): Promise<never> {
  if (delayMs <= 0) {
    await job.moveToWait(token);
    throw new WaitingError();
  }
  // The queue uses the clock of Redis and the machine. A test that turns the injected clock must not delay jobs.
  await job.moveToDelayed(Date.now() + Math.ceil(delayMs), token);
  throw new DelayedError();
}

/** Nest's filters may pass an object (`RpcException#getError`) instead of an error. */
function describe(error: unknown): string {
  return typeof error === 'string' ? error : JSON.stringify(error);
}
