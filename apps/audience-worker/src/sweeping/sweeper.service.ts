import { Inject, Injectable } from '@nestjs/common';
import { DATABASE, type Database, withAdvisoryLock } from '@postrider/persistence';
import { CONFIG, type Config, LOGGER, type Logger, RecurringWork, Shutdown } from '@postrider/platform';
import { AllSweeps } from './all-sweeps.service';

/** The advisory lock of whoever sweeps: any number that no other lock of this database has. */
export const SWEEP_LOCK = 7_276_333;

/**
 * Finds accepted work that nobody holds and wakes somebody up for it: the reason why nothing accepted is lost when Redis, a
 * gateway or a worker is. Every process has one; one at a time sweeps. Two at once would do no harm.
 */
@Injectable()
export class Sweeper extends RecurringWork {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CONFIG) { sweepIntervalMs: intervalMs }: Config,
    @Inject(LOGGER) logger: Logger,
    shutdown: Shutdown,
    private readonly sweeps: AllSweeps,
  ) {
    super({ name: 'sweep', intervalMs, logger, shutdown });
  }

  /**
   * Takes one turn, unless another process is at it.
   *
   * @returns whether there is more to do
   */
  async turn(): Promise<boolean> {
    let hasMore = false;
    await withAdvisoryLock(this.database, SWEEP_LOCK, async () => {
      hasMore = await this.sweeps.sweep();
    });
    return hasMore;
  }
}
