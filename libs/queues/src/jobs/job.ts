import type { JsonObject } from '@postrider/domain';

/**
 * One kind of job: its queue, its name there, and how its id is made. Jobs carry ids, never the work itself; what is to do
 * is read from PostgreSQL when the job runs, so a job that runs twice or after its work was done finds nothing to do.
 */
export interface Job<Payload extends JsonObject> {
  queue: string;
  name: string;
  /**
   * Adding a job whose id is already waiting, delayed or active does nothing: the sweeper may enqueue what it likes.
   * A finished or failed job leaves no trace in Redis, so its id is free again. No `:` (BullMQ refuses it).
   */
  id(payload: Payload): string;
  /** BullMQ priority: 0 goes first, higher later. */
  priority?(payload: Payload): number;
  /** Type only. */
  readonly payload?: Payload;
}

/** Defines a job. */
export function defineJob<Payload extends JsonObject>(job: Job<Payload>): Job<Payload> {
  return job;
}
