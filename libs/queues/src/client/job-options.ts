import type { JsonObject } from '@postrider/domain';
import type { BulkJobOptions } from 'bullmq';
import type { Job } from '../jobs/job';

/** How one job differs from its definition. */
export interface JobOptions {
  /** Milliseconds before it may run. */
  delayMs?: number;
  /** 0 goes first, higher later. */
  priority?: number;
  /** Tries that the queue makes by itself; 1, since the ledger plans tries. */
  attempts?: number;
  /** Its id, when not the definition's. */
  id?: string;
}

/**
 * BullMQ's options for a job: what its definition says, unless `options` says otherwise. A job that ended leaves no trace.
 *
 * @throws when the id holds a `:`, which BullMQ keeps for itself
 */
export function bullOptionsOf<Payload extends JsonObject>(
  job: Job<Payload>,
  payload: Payload,
  options: JobOptions = {},
): BulkJobOptions {
  const { delayMs = 0, priority = job.priority?.(payload) ?? 0 } = options;
  return {
    jobId: checkId(options.id ?? job.id(payload)),
    attempts: options.attempts ?? 1,
    removeOnComplete: true,
    removeOnFail: true,
    ...(priority > 0 ? { priority } : {}),
    ...(delayMs > 0 ? { delay: Math.ceil(delayMs) } : {}),
  };
}

function checkId(id: string): string {
  if (id === '' || id.includes(':')) throw new TypeError(`"${id}" cannot be the id of a job`);
  return id;
}
