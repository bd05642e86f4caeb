import { Inject, Injectable } from '@nestjs/common';
import { PromoSweep } from '@postrider/maintenance';
import { DATABASE, type Database, LOCK_IDS, withAdvisoryLock } from '@postrider/persistence';
import { CONFIG, type Config, LOGGER, type Logger, RecurringWork, Shutdown } from '@postrider/platform';

/** Sweeps again and again. Every process has one; one at a time sweeps. Two at once would do no harm. */
@Injectable()
export class Sweeper extends RecurringWork {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CONFIG) { sweepIntervalMs: intervalMs }: Pick<Config, 'sweepIntervalMs'>,
    @Inject(LOGGER) logger: Logger,
    shutdown: Shutdown,
    private readonly promoSweep: PromoSweep,
  ) {
    super({ name: 'sweep', intervalMs, logger, shutdown });
  }

  /** Takes one turn, unless another process is at it. @returns whether there is more to do at once */
  async turn(): Promise<boolean> {
    let hasMore = false;
    await withAdvisoryLock(this.database, LOCK_IDS.promoSweep, async () => {
      hasMore = await this.promoSweep.sweep();
    });
    return hasMore;
  }
}
