import { Inject, Injectable } from '@nestjs/common';
import { type Clock, DAY_MS, HOUR_MS } from '@postrider/domain';
import { deleteOld, LOCK_IDS, PromoAssignmentsRepository, PromoSetsRepository } from '@postrider/persistence';
import { CLOCK, CONFIG, type Config, LOGGER, type Logger } from '@postrider/platform';
import type { MaintenanceTask } from '../registry/maintenance-task';

/**
 * Who was given which promo code, and sets that are over: deletes those that are older than `PROMO_RETENTION_DAYS`. Every hour.
 */
@Injectable()
export class DeleteOldPromoRecords implements MaintenanceTask {
  readonly name = 'delete-old-promo-records';
  readonly intervalMs = HOUR_MS;
  readonly lock = LOCK_IDS.deleteOldPromoRecords;

  constructor(
    private readonly promoSets: PromoSetsRepository,
    private readonly promoAssignments: PromoAssignmentsRepository,
    @Inject(CONFIG) private readonly config: Pick<Config, 'promoRetentionDays'>,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async run(signal: AbortSignal): Promise<boolean> {
    const before = new Date(this.clock.now().getTime() - this.config.promoRetentionDays * DAY_MS);
    const assignments = await this.#deleteAll(this.promoAssignments, before, signal);
    const sets = await this.#deleteAll(this.promoSets, before, signal);
    if (assignments + sets > 0) this.logger.info({ assignments, sets }, 'promo.kept');
    return false;
  }

  #deleteAll(of: Pick<PromoSetsRepository, 'deleteOld'>, before: Date, signal: AbortSignal): Promise<number> {
    return deleteOld((...some) => of.deleteOld(...some), before, signal);
  }
}
