import { randomUUID } from 'node:crypto';
import { ClientProxy, type ReadPacket, type WritePacket } from '@nestjs/microservices';
import type { JsonObject } from '@postrider/domain';
import type { Job } from '../jobs/job';
import { JOBS, routeOf } from '../queue-registry';
import { bullOptionsOf } from './job-options';
import type { JobReplies } from './job-replies';
import { JobRecord, type RecordOptions } from './job-record';
import type { QueuePool } from './queue-pool';

const DEFAULT_TIMEOUT_MS = 10_000;

/**
 * Nest's way to the queues: `emit(job, payload)` enqueues, `send(job, payload)` also waits for the handler's reply. The
 * pattern is a job's definition or its route; the payload may be a `JobRecord` that carries options. A job emitted while
 * its id waits, is delayed or runs is not added again; a request has an id of its own unless one is given.
 *
 * Fails with QueueUnavailable within a second or so when Redis is away, JobTimedOut when no reply came, and JobFailed when
 * the handler threw.
 */
export class BullMqClient extends ClientProxy {
  constructor(
    private readonly queues: QueuePool,
    private readonly replies: JobReplies,
  ) {
    super();
  }

  /** The connection opens and mends itself. */
  override connect(): Promise<void> {
    return Promise.resolve();
  }

  override async close(): Promise<void> {
    await this.replies.close();
  }

  override unwrap<T>(): T {
    return this.queues as T;
  }

  protected override publish(packet: ReadPacket, callback: (packet: WritePacket) => void): () => void {
    let isWanted = true;
    const answer = (reply: WritePacket): void => {
      if (isWanted) callback(reply);
    };
    this.#request(packet).then(
      (response) => answer({ response, isDisposed: true }),
      (err: unknown) => answer({ err }),
    );
    return () => (isWanted = false);
  }

  protected override async dispatchEvent<T = unknown>(packet: ReadPacket): Promise<T> {
    const { job, payload, options } = read(packet);
    return (await this.#add(job, payload, options)) as T;
  }

  async #request(packet: ReadPacket): Promise<unknown> {
    const { job, payload, options } = read(packet);
    const id = options.id ?? `request-${randomUUID()}`;
    return this.replies.request(
      { queue: job.queue, id, route: routeOf(job) },
      options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
      () => this.#add(job, payload, { ...options, id }),
    );
  }

  #add(job: Job<JsonObject>, payload: JsonObject, options: RecordOptions): Promise<unknown> {
    const bullOptions = bullOptionsOf(job, payload, options);
    return this.queues.use(job.queue, (queue) => queue.add(job.name, payload, bullOptions));
  }
}

function read({ pattern, data }: ReadPacket): { job: Job<JsonObject>; payload: JsonObject; options: RecordOptions } {
  const route = typeof pattern === 'string' ? pattern : routeOf(pattern as Job<JsonObject>);
  const job = JOBS.find((known) => routeOf(known) === route);
  if (!job) throw new Error(`There is no job "${route}" in the registry`);
  if (data instanceof JobRecord) return { job, payload: data.payload as JsonObject, options: data.options };
  return { job, payload: data as JsonObject, options: {} };
}
