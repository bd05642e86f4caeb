import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@postrider/domain';
import { PagesRepository } from '@postrider/persistence';
import { CLOCK } from '@postrider/platform';
import { Enqueuer } from '@postrider/queues';
import { LOOK_AGAIN_MS, type Sweep, SWEEP_LIMIT } from './recovery-limits';

/**
 * Pages that no worker holds and no job may be left for: enqueues them. One that still has its job is not enqueued twice.
 * While Redis is away they stay due, so that they go out as soon as it is back.
 */
@Injectable()
export class PageSweep implements Sweep {
  constructor(
    private readonly pages: PagesRepository,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly enqueuer: Enqueuer,
  ) {}

  async sweep(): Promise<boolean> {
    const now = this.clock.now();
    const due = await this.pages.findDue(now, SWEEP_LIMIT);
    if (due.length === 0 || !(await this.enqueuer.enqueuePages(due))) return false;
    await this.pages.postpone(due, { now, wakeAt: new Date(now.getTime() + LOOK_AGAIN_MS) });
    return due.length === SWEEP_LIMIT;
  }
}
