import { Counter, Histogram, type Registry } from 'prom-client';

/** How a job ended: done, to come again, or failed with an unexpected error. */
type JobEnd = 'done' | 'again' | 'failed';

/** Counts and times the jobs of this process. */
export class JobMetrics {
  readonly #total: Counter<'queue' | 'job_name' | 'outcome'>;
  readonly #duration: Histogram<'queue' | 'job_name'>;

  constructor(registry: Registry) {
    this.#total = new Counter({
      name: 'postrider_jobs_total',
      help: 'Jobs worked on, by how they ended',
      labelNames: ['queue', 'job_name', 'outcome'],
      registers: [registry],
    });
    this.#duration = new Histogram({
      name: 'postrider_job_duration_seconds',
      help: 'Time a job took in its handler',
      labelNames: ['queue', 'job_name'],
      buckets: [0.005, 0.02, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60],
      registers: [registry],
    });
  }

  /** Counts how a job ended, and the duration of its handler. */
  record(queue: string, job: string, end: JobEnd, durationMs: number): void {
    // Exported beside the first success, so that the first failure shows as an increase.
    const labels = { queue, job_name: job };
    if (end !== 'failed') this.#total.inc({ ...labels, outcome: 'failed' }, 0);
    this.#total.inc({ ...labels, outcome: end });
    this.#duration.observe(labels, durationMs / 1_000);
  }
}
