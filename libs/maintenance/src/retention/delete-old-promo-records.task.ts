import { Inject, Injectable } from '@nestjs/common';
import { type Clock, DAY_MS, HOUR_MS } from '@postrider/domain';
import {
  DATABASE,
  type Database,
  deleteOld,
  LOCK_IDS,
  PromoAssignmentsRepository,
  PromoSetsRepository,
  withAdvisoryLock,
} from '@postrider/persistence';
import { CLOCK, CONFIG, type Config, LOGGER, type Logger, RecurringWork, Shutdown } from '@postrider/platform';

/** Deletes who was given which code, and sets that are over, when they are older than `PROMO_RETENTION_DAYS`. */
@Injectable()
export class Upkeep extends RecurringWork {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly promoSets: PromoSetsRepository,
    private readonly promoAssignments: PromoAssignmentsRepository,
    @Inject(CONFIG) private readonly config: Pick<Config, 'promoRetentionDays'>,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly shutdown: Shutdown,
  ) {
    super({ name: 'upkeep', intervalMs: HOUR_MS, logger, shutdown });
  }

  async turn(): Promise<boolean> {
    await withAdvisoryLock(this.database, LOCK_IDS.promoUpkeep, () => this.keepUp());
    return false;
  }

  /** Does all of it once. Safe to repeat, and to run from several processes at once. */
  async keepUp(): Promise<void> {
    const before = new Date(this.clock.now().getTime() - this.config.promoRetentionDays * DAY_MS);
    const assignments = await this.#deleteAll(this.promoAssignments, before);
    const sets = await this.#deleteAll(this.promoSets, before);
    if (assignments + sets > 0) this.logger.info({ assignments, sets }, 'promo.kept');
  }

  #deleteAll(of: Pick<PromoSetsRepository, 'deleteOld'>, before: Date): Promise<number> {
    return deleteOld((...some) => of.deleteOld(...some), before, this.shutdown.signal);
  }
}
