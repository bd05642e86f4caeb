import { Injectable } from '@nestjs/common';
import { inParts, type JsonObject } from '@postrider/domain';
import type { BulkJobOptions, Queue } from 'bullmq';
import type { Job } from '../jobs';
import type { EnqueueOptions, JobsClient } from './jobs-client';
import { QueuePool } from './queue-pool';

/** Most jobs in one command pipeline: Redis runs it without a break, so it stays short. */
const MAX_JOBS_AT_ONCE = 1_000;
/**
 * So many jobs are added one by one: making a pipeline copies hundreds of commands, which takes this process longer than a
 * job (187 in place of 68 µs for one job, as long for ten).
 */
const FEW_JOBS = 3;

/** Enqueues on BullMQ, at least once: if it throws, some of the jobs may still be added. */
@Injectable()
export class BullMqJobsClient implements JobsClient {
  constructor(private readonly queues: QueuePool) {}

  async enqueue<Payload extends JsonObject>(
    job: Job<Payload>,
    payloads: readonly Payload[],
    options: EnqueueOptions = {},
  ): Promise<void> {
    const { delayMs, delaysMs, isHastened = false, bringsForward = false } = options;
    const jobs = payloads.map((payload, place) => ({
      name: job.name,
      data: payload,
      opts: bullOptionsOf(job, payload, {
        delayMs: delaysMs?.[place] ?? delayMs,
        ...(isHastened ? { id: `${job.id(payload)}-now` } : {}),
      }),
    }));
    for (const some of inParts(jobs, MAX_JOBS_AT_ONCE)) {
      await this.queues.use(job.queue, (queue) => add(queue, some));
      const due = some.flatMap(({ opts: { jobId, delay = 0 } }) => (jobId !== undefined && delay === 0 ? [jobId] : []));
      if (bringsForward && due.length > 0) await this.queues.bringForward(job.queue, due);
    }
  }
}

interface JobToAdd {
  name: string;
  data: JsonObject;
  opts: BulkJobOptions;
}

/** Adds jobs in their order, without waiting between them. */
function add(queue: Queue, jobs: JobToAdd[]): Promise<unknown> {
  if (jobs.length > FEW_JOBS) return queue.addBulk(jobs);
  return Promise.all(jobs.map(({ name, data, opts }) => queue.add(name, data, opts)));
}

/** How one job differs from its definition. */
interface JobOptions {
  /** Milliseconds before it may run. */
  delayMs?: number;
  /** Its id, if it is not the definition's. */
  id?: string;
}

/**
 * BullMQ's options for a job: those of its definition, unless `options` overrides them. A job that ended leaves no
 * trace. The queue tries it once, because retries are planned in PostgreSQL.
 *
 * @throws if the id contains a `:`, which BullMQ reserves
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
