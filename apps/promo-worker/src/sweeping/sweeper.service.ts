import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DATABASE, type Database, withAdvisoryLock } from '@postrider/persistence';
import { CONFIG, type Config, LOGGER, type Logger, Shutdown } from '@postrider/platform';
import { repeat } from '../recurring/repeat';
import { PromoSweep } from './promo-sweep.service';

/** The advisory lock of whoever sweeps: any number that no other lock of this database has. */
const SWEEP_LOCK = 7_276_337;

/** Sweeps again and again. Every process has one; one at a time sweeps. Two at once would do no harm. */
@Injectable()
export class Sweeper implements OnApplicationBootstrap, OnModuleDestroy {
  #running: Promise<void> | undefined;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CONFIG) private readonly config: Pick<Config, 'sweepIntervalMs'>,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly shutdown: Shutdown,
    private readonly promoSweep: PromoSweep,
  ) {}

  onApplicationBootstrap(): void {
    const { signal } = this.shutdown;
    const intervalMs = this.config.sweepIntervalMs;
    this.#running = repeat({ name: 'sweep', intervalMs, turn: () => this.sweep(), signal, logger: this.logger });
  }

  async onModuleDestroy(): Promise<void> {
    if (this.shutdown.isShuttingDown) await this.#running;
  }

  /** Takes one turn, unless another process is at it. @returns whether there is more to do at once */
  async sweep(): Promise<boolean> {
    let hasMore = false;
    await withAdvisoryLock(this.database, SWEEP_LOCK, async () => {
      hasMore = await this.promoSweep.sweep();
    });
    return hasMore;
  }
}
