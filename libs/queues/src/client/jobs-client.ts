import type { JsonObject } from '@postrider/domain';
import type { Job } from '../jobs';

/** Nest injection token of the `JobsClient`. */
export const JOBS_CLIENT = Symbol('JobsClient');

/** How one enqueueing differs from the job's definition. */
export interface EnqueueOptions {
  /** Milliseconds before the job may run. */
  delayMs?: number;
  /** The same for each payload by itself, in their order. */
  delaysMs?: readonly number[];
  /**
   * Makes the jobs others than those that wait under the usual ids: the work is due now although its job was put off. The
   * one that comes second finds nothing to do.
   */
  isHastened?: boolean;
  /**
   * Those without a delay are due now, whatever their jobs say: one that is put off under the same id runs now instead. (A job
   * is put off by the clock of whoever adds it.)
   */
  bringsForward?: boolean;
}

/** Wakes workers up. Redis may lose what is enqueued here at any time: the ledger and its recovery do not depend on it. */
export interface JobsClient {
  /**
   * Adds one job for each payload, in one round trip.
   *
   * @throws QueueUnavailable when Redis does not take them within a second or so; callers that have committed to the
   * ledger log it and go on, recovery enqueues again
   */
  enqueue<Payload extends JsonObject>(
    job: Job<Payload>,
    payloads: readonly Payload[],
    options?: EnqueueOptions,
  ): Promise<void>;
}
