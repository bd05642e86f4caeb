import type { JsonObject } from '@postrider/domain';
import type { BulkJobOptions } from 'bullmq';
import type { Job } from '../jobs/job';

/** How one job differs from its definition. */
export interface JobOptions {
  /** Milliseconds before it may run. */
  delayMs?: number;
  /** Its id, when not the definition's. */
  id?: string;
}

/**
 * BullMQ's options for a job: what its definition says, unless `options` says otherwise. A job that ended leaves no trace. The
 * queue tries it once, since the ledger plans tries.
 *
 * @throws when the id holds a `:`, which BullMQ keeps for itself
 */
export function bullOptionsOf<Payload extends JsonObject>(
  job: Job<Payload>,
  payload: Payload,
  options: JobOptions = {},
): BulkJobOptions {
  const { delayMs = 0 } = options;
  const priority = job.priority?.(payload) ?? 0;
  return {
    jobId: checkId(options.id ?? job.id(payload)),
    attempts: 1,
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
