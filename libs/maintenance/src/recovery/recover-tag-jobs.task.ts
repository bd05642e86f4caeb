import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@postrider/domain';
import { LOCK_IDS, type DueTagJob, TagJobsRepository } from '@postrider/persistence';
import { CLOCK, CONFIG, type Config } from '@postrider/platform';
import { Enqueuer } from '@postrider/queues';
import type { MaintenanceTask } from '../registry/maintenance-task';
import { LOOK_AGAIN_MS } from './recovery-limits';

/** A forgotten file may be large. */
const AT_ONCE = 20;

/**
 * Files of tags: wakes a worker for those that nobody gets on with, and forgets those whose upload broke off or that were
 * kept long enough. While Redis is away they stay due. Every second (`SWEEP_INTERVAL_MS`).
 */
@Injectable()
export class RecoverTagJobs implements MaintenanceTask {
  readonly name = 'recover-tag-jobs';
  readonly intervalMs: number;
  readonly lock = LOCK_IDS.recoverTagJobs;

  constructor(
    private readonly jobs: TagJobsRepository,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly enqueuer: Enqueuer,
    @Inject(CONFIG) { sweepIntervalMs }: Pick<Config, 'sweepIntervalMs'>,
  ) {
    this.intervalMs = sweepIntervalMs;
  }

  async run(): Promise<boolean> {
    const now = this.clock.now();
    const due = await this.jobs.findDue(now, AT_ONCE);
    for (const job of due) await this.#seeTo(job, now);
    return false;
  }

  async #seeTo({ status, ...job }: DueTagJob, now: Date): Promise<void> {
    if (status !== 'working') return this.jobs.delete(job);
    if (!(await this.enqueuer.enqueueTagJobs([job]))) return;
    await this.jobs.postpone(job, { now, wakeAt: new Date(now.getTime() + LOOK_AGAIN_MS) });
  }
}
