import { Inject, Injectable } from '@nestjs/common';
import type { Sweep } from '@postrider/maintenance';
import { DATABASE, type Database, LOCK_IDS, withAdvisoryLock } from '@postrider/persistence';
import { CONFIG, type Config, LOGGER, type Logger, RecurringWork, Shutdown } from '@postrider/platform';
import { Endings, WakeUps } from './all-sweeps.service';

/** Sweeps in every process, one at a time. Two at once would do no harm. */
abstract class LockedSweeping extends RecurringWork {
  /** Which lock, and what is swept under it. */
  protected abstract readonly lock: number;
  protected abstract readonly sweeps: Sweep;
  protected abstract readonly database: Database;

  /**
   * Takes one turn, unless another process is at it.
   *
   * @returns whether there is more to do
   */
  async turn(): Promise<boolean> {
    let hasMore = false;
    await withAdvisoryLock(this.database, this.lock, async () => {
      hasMore = await this.sweeps.sweep();
    });
    return hasMore;
  }
}

/**
 * Finds accepted work that nobody holds and wakes somebody up for it: the reason why nothing accepted is lost when Redis, a
 * gateway or a worker is.
 */
@Injectable()
export class Sweeper extends LockedSweeping {
  protected readonly lock = LOCK_IDS.sweep;

  constructor(
    @Inject(DATABASE) protected readonly database: Database,
    @Inject(CONFIG) { sweepIntervalMs: intervalMs }: Config,
    @Inject(LOGGER) logger: Logger,
    shutdown: Shutdown,
    protected readonly sweeps: WakeUps,
  ) {
    super({ name: 'sweep', intervalMs, logger, shutdown });
  }
}

/** Ends what nobody else ends: inboxes, what a connection did not acknowledge, pages of cancelled messages. */
@Injectable()
export class Ender extends LockedSweeping {
  protected readonly lock = LOCK_IDS.endings;

  constructor(
    @Inject(DATABASE) protected readonly database: Database,
    @Inject(CONFIG) { sweepIntervalMs: intervalMs }: Config,
    @Inject(LOGGER) logger: Logger,
    shutdown: Shutdown,
    protected readonly sweeps: Endings,
  ) {
    super({ name: 'endings', intervalMs, logger, shutdown });
  }
}
