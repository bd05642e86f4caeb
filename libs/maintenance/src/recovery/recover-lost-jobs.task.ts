import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@postrider/domain';
import { PagesRepository } from '@postrider/persistence';
import { CLOCK, LOGGER, type Logger } from '@postrider/platform';
import { JobLoss } from '@postrider/queues';
import type { Sweep } from './recovery-limits';

/** After Redis was started again or wiped: everything that is due is looked at now, not when its next look would be. */
@Injectable()
export class LostJobsSweep implements Sweep {
  constructor(
    private readonly pages: PagesRepository,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly jobLoss: JobLoss,
  ) {}

  async sweep(): Promise<boolean> {
    await this.jobLoss.recover(async () => {
      const woken = await this.pages.wakeDueWork(this.clock.now());
      this.logger.info(woken, 'jobs.made-again');
    });
    return false;
  }
}
