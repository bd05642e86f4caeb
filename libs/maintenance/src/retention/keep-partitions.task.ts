import { Inject, Injectable } from '@nestjs/common';
import { type Clock, DAY_MS, HOUR_MS } from '@postrider/domain';
import { DAYS_REMEMBERED, LOCK_IDS, PartitionsRepository } from '@postrider/persistence';
import { CLOCK, CONFIG, type Config, LOGGER, type Logger } from '@postrider/platform';
import type { MaintenanceTask } from '../registry/maintenance-task';
import { retainedSince } from './retained-since';

/**
 * Keeps the ledger in days: makes the partitions of the days to come and drops those past `RETENTION_DAYS`, and those of reported
 * events past the days on which a report is known again. Every hour.
 */
@Injectable()
export class KeepPartitions implements MaintenanceTask {
  readonly name = 'keep-partitions';
  readonly intervalMs = HOUR_MS;
  readonly lock = LOCK_IDS.keepPartitions;

  constructor(
    private readonly partitions: PartitionsRepository,
    @Inject(CONFIG) private readonly config: Pick<Config, 'retentionDays'>,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async run(): Promise<boolean> {
    const now = this.clock.now();
    const made = await this.partitions.ensure(now);
    const dropped = await this.partitions.dropOld(retainedSince(now, this.config));
    // One day more: what was first reported on the last day is still known until midnight.
    await this.partitions.dropShortLived(new Date(now.getTime() - (DAYS_REMEMBERED + 1) * DAY_MS));
    this.logger.info({ made, dropped }, 'ledger.kept');
    return false;
  }
}
