import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@postrider/domain';
import { LOCK_IDS, PagesRepository } from '@postrider/persistence';
import { CLOCK, CONFIG, type Config, LOGGER, type Logger } from '@postrider/platform';
import { JobLoss } from '@postrider/queues';
import type { MaintenanceTask } from '../registry/maintenance-task';

/**
 * Makes all due work due for recovery at once after Redis was started again or wiped, because its jobs are lost. The other
 * tasks of recovery then enqueue the work. Runs every second (`SWEEP_INTERVAL_MS`).
 */
@Injectable()
export class RecoverLostJobs implements MaintenanceTask {
  readonly name = 'recover-lost-jobs';
  readonly intervalMs: number;
  readonly lock = LOCK_IDS.recoverLostJobs;

  constructor(
    private readonly pages: PagesRepository,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly jobLoss: JobLoss,
    @Inject(CONFIG) { sweepIntervalMs }: Pick<Config, 'sweepIntervalMs'>,
  ) {
    this.intervalMs = sweepIntervalMs;
  }

  async isIdle(): Promise<boolean> {
    return !(await this.jobLoss.isSuspected());
  }

  async run(): Promise<boolean> {
    await this.jobLoss.recover(async () => {
      const woken = await this.pages.wakeDueWork(this.clock.now());
      this.logger.info(woken, 'jobs.made-again');
    });
    return false;
  }
}
