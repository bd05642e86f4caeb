import type { JsonObject } from '@postrider/domain';
import type { EnqueueOptions, Job, JobsClient } from '@postrider/queues';
import type { TestClock } from '@postrider/testing';

/** A job that waits for its moment. */
export interface WaitingJob {
  queue: string;
  name: string;
  id: string;
  payload: JsonObject;
  at: number;
  /** Among jobs of one moment the smaller goes first. */
  priority: number;
}

/** Queues that keep a virtual clock's time. As on the real ones, a job whose id waits is not added again. */
export class VirtualJobs implements JobsClient {
  readonly #waiting = new Map<string, WaitingJob>();

  constructor(private readonly clock: TestClock) {}

  enqueue<Payload extends JsonObject>(
    { queue, name, ...job }: Job<Payload>,
    payloads: readonly Payload[],
    { delayMs = 0, delaysMs }: EnqueueOptions = {},
  ): Promise<void> {
    payloads.forEach((payload, place) => {
      const at = this.clock.now().getTime() + (delaysMs?.[place] ?? delayMs);
      this.add({ queue, name, id: job.id(payload), payload, at, priority: job.priority?.(payload) ?? 0 });
    });
    return Promise.resolve();
  }

  add(job: WaitingJob): void {
    if (!this.#waiting.has(job.id)) this.#waiting.set(job.id, job);
  }

  /** When the next job is due; null if none waits. */
  get nextAt(): number | null {
    const times = [...this.#waiting.values()].map(({ at }) => at);
    return times.length === 0 ? null : times.reduce((one, other) => Math.min(one, other));
  }

  /** Returns the jobs that are due now. */
  takeDue(): WaitingJob[] {
    const now = this.clock.now().getTime();
    const due = [...this.#waiting.values()].filter(({ at }) => at <= now);
    for (const { id } of due) this.#waiting.delete(id);
    return due.sort((one, other) => one.at - other.at || one.priority - other.priority);
  }
}
