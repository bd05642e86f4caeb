import type { JsonObject } from '@postrider/domain';
import type { Job } from '../jobs';

/** Nest injection token of the `JobsClient`. */
export const JOBS_CLIENT = Symbol('JobsClient');

/** How one call differs from the job's definition. */
export interface EnqueueOptions {
  /** Milliseconds before the job may run. */
  delayMs?: number;
  /** The delay of each payload, in their order. */
  delaysMs?: readonly number[];
  /**
   * Adds jobs under other ids than the usual ones: the work is due now although its job was delayed. The job that runs
   * second finds nothing to do.
   */
  isHastened?: boolean;
  /**
   * Jobs without a delay run now, even if a job with the same id is delayed: that job is moved forward. (The delay was
   * computed by the clock of the process that added it.)
   */
  bringsForward?: boolean;
}

/**
 * Wakes workers up. Redis may lose what is enqueued here at any time: the ledger and its recovery do not depend on it.
 */
export interface JobsClient {
  /**
   * Adds one job for each payload, in one round trip.
   *
   * @throws QueueUnavailable if Redis does not accept them within about a second; callers that have committed log it
   * and go on, and recovery enqueues again
   */
  enqueue<Payload extends JsonObject>(
    job: Job<Payload>,
    payloads: readonly Payload[],
    options?: EnqueueOptions,
  ): Promise<void>;
}
