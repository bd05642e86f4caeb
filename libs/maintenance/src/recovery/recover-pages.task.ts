import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@postrider/domain';
import { LOCK_IDS, PagesRepository, duePages, type Sql } from '@postrider/persistence';
import { CLOCK, CONFIG, type Config } from '@postrider/platform';
import { Enqueuer } from '@postrider/queues';
import { LOOK_AGAIN_MS, ROWS_AT_ONCE, type MaintenanceTask } from '../registry/maintenance-task';

/**
 * Enqueues pages that no worker holds and whose job may be lost. A page that still has its job is not enqueued twice. While
 * Redis is away the pages stay due, so that they are enqueued as soon as it is back. Runs every second
 * (`SWEEP_INTERVAL_MS`).
 */
@Injectable()
export class RecoverPages implements MaintenanceTask {
  readonly name = 'recover-pages';
  readonly intervalMs: number;
  readonly lock = LOCK_IDS.recoverPages;

  constructor(
    private readonly pages: PagesRepository,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly enqueuer: Enqueuer,
    @Inject(CONFIG) { sweepIntervalMs }: Pick<Config, 'sweepIntervalMs'>,
  ) {
    this.intervalMs = sweepIntervalMs;
  }

  due(): Sql {
    return duePages(this.clock.now());
  }

  async run(): Promise<boolean> {
    const now = this.clock.now();
    const due = await this.pages.findDue(now, ROWS_AT_ONCE);
    if (due.length === 0 || !(await this.enqueuer.enqueuePages(due))) return false;
    await this.pages.releaseOverdue(due, { now, wakeAt: new Date(now.getTime() + LOOK_AGAIN_MS) });
    return due.length === ROWS_AT_ONCE;
  }
}
