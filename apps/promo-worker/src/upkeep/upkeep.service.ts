import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { Clock } from '@postrider/domain';
import {
  DATABASE,
  type Database,
  deleteOldPromoAssignments,
  deleteOldPromoSets,
  withAdvisoryLock,
} from '@postrider/persistence';
import { CLOCK, CONFIG, type Config, LOGGER, type Logger, Shutdown } from '@postrider/platform';
import { repeat } from '../recurring/repeat';

/** Any number that no other lock of this database has. */
const UPKEEP_LOCK = 7_276_338;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Rows that one statement deletes: a statement that holds up nobody. */
const DELETE_LIMIT = 1_000;

/** Deletes who was given which code, and sets that are over, when they are older than `PROMO_RETENTION_DAYS`. */
@Injectable()
export class Upkeep implements OnApplicationBootstrap, OnModuleDestroy {
  #running: Promise<void> | undefined;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CONFIG) private readonly config: Pick<Config, 'promoRetentionDays'>,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly shutdown: Shutdown,
  ) {}

  onApplicationBootstrap(): void {
    const turn = async (): Promise<boolean> => {
      await withAdvisoryLock(this.database, UPKEEP_LOCK, () => this.keepUp());
      return false;
    };
    const { signal } = this.shutdown;
    this.#running = repeat({ name: 'upkeep', intervalMs: HOUR_MS, turn, signal, logger: this.logger });
  }

  async onModuleDestroy(): Promise<void> {
    if (this.shutdown.isShuttingDown) await this.#running;
  }

  /** Does all of it once. Safe to repeat, and to run from several processes at once. */
  async keepUp(): Promise<void> {
    const before = new Date(this.clock.now().getTime() - this.config.promoRetentionDays * DAY_MS);
    const assignments = await this.#deleteAll(deleteOldPromoAssignments, before);
    const sets = await this.#deleteAll(deleteOldPromoSets, before);
    if (assignments + sets > 0) this.logger.info({ assignments, sets }, 'promo.kept');
  }

  async #deleteAll(deleteSome: typeof deleteOldPromoSets, before: Date): Promise<number> {
    let deleted = 0;
    while (!this.shutdown.isShuttingDown) {
      const some = await deleteSome(this.database, before, DELETE_LIMIT);
      deleted += some;
      if (some < DELETE_LIMIT) break;
    }
    return deleted;
  }
}
