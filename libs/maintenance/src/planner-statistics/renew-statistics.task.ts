import { Inject, Injectable } from '@nestjs/common';
import { type Clock, SECOND_MS } from '@postrider/domain';
import { LOCK_IDS, PlannerStatisticsRepository } from '@postrider/persistence';
import { CLOCK, LOGGER, type Logger } from '@postrider/platform';
import type { MaintenanceTask } from '../registry/maintenance-task';

/**
 * Tells PostgreSQL's planner of applications that have grown since it last looked at devices and users. Autovacuum does so only
 * after a tenth of a table has changed: until then each lookup of a device or a user reads all of the new application. Runs every
 * 15 seconds.
 */
@Injectable()
export class RenewStatistics implements MaintenanceTask {
  readonly name = 'renew-statistics';
  readonly intervalMs = 15 * SECOND_MS;
  readonly lock = LOCK_IDS.renewStatistics;

  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly statistics: PlannerStatisticsRepository,
  ) {}

  async run(): Promise<boolean> {
    const tables = await this.statistics.renew(this.clock.now());
    if (tables.length > 0) this.logger.info({ tables }, 'statistics.renewed');
    return false;
  }
}
