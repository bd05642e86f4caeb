import { Inject, Injectable } from '@nestjs/common';
import { type Clock, DAY_MS, HOUR_MS } from '@postrider/domain';
import {
  DATABASE,
  type Database,
  DAYS_REMEMBERED,
  LOCK_IDS,
  PartitionsRepository,
  withAdvisoryLock,
} from '@postrider/persistence';
import { CLOCK, CONFIG, type Config, LOGGER, type Logger, RecurringWork, Shutdown } from '@postrider/platform';
import { ExpiredRows } from './expired-rows';

/** Keeps the ledger in days: makes the days to come, drops those past `RETENTION_DAYS`, deletes old fallbacks and idempotency keys. */
@Injectable()
export class Upkeep extends RecurringWork {
  private readonly partitions: PartitionsRepository;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly shutdown: Shutdown,
    private readonly expiredRows: ExpiredRows,
  ) {
    super({ name: 'upkeep', intervalMs: HOUR_MS, logger, shutdown });
    this.partitions = new PartitionsRepository(database);
  }

  async turn(): Promise<boolean> {
    await withAdvisoryLock(this.database, LOCK_IDS.upkeep, () => this.keepUp());
    return false;
  }

  /** Does all of it once. Safe to repeat, and to run from several processes at once. */
  async keepUp(): Promise<void> {
    const now = this.clock.now();
    const made = await this.partitions.ensure(now);
    const retainedSince = new Date(now.getTime() - this.config.retentionDays * DAY_MS);
    const dropped = await this.partitions.dropOld(retainedSince);
    // One day more: what was first reported on the last day is still known until midnight.
    await this.partitions.dropShortLived(new Date(now.getTime() - (DAYS_REMEMBERED + 1) * DAY_MS));
    const deleted = await this.expiredRows.delete(now, retainedSince, this.shutdown.signal);
    this.logger.info({ made, dropped, ...deleted }, 'ledger.kept');
  }
}
