import { Counter, Histogram, type Registry } from 'prom-client';

/** How a job ended: done, to come again, or failed with an error that nobody foresaw. */
export type JobEnd = 'done' | 'again' | 'failed';

/** Counts and times the jobs that this process does. */
export class JobMetrics {
  readonly #total: Counter<'queue' | 'job' | 'outcome'>;
  readonly #duration: Histogram<'queue' | 'job'>;

  constructor(registry: Registry) {
    this.#total = new Counter({
      name: 'postrider_jobs_total',
      help: 'Jobs worked on, by how they ended',
      labelNames: ['queue', 'job', 'outcome'],
      registers: [registry],
    });
    this.#duration = new Histogram({
      name: 'postrider_job_duration_seconds',
      help: 'Time a job took in its handler',
      labelNames: ['queue', 'job'],
      buckets: [0.005, 0.02, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60],
      registers: [registry],
    });
  }

  record(queue: string, job: string, end: JobEnd, durationMs: number): void {
    this.#total.inc({ queue, job, outcome: end });
    this.#duration.observe({ queue, job }, durationMs / 1_000);
  }
}
