import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@postrider/domain';
import { DATABASE, type Database, type PromoSetKey } from '@postrider/persistence';
import { CLOCK, CONFIG, type Config, LOGGER, type Logger } from '@postrider/platform';
import { importPromoSet, type ImportOutcome } from '@postrider/promo';
import { PromoMetrics } from '../metrics/promo-metrics';

/** Imports uploads, and says how it went. */
@Injectable()
export class ImportPromoSetService {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Pick<Config, 'maxPromoCodes'>,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly metrics: PromoMetrics,
  ) {}

  /** Takes one turn at an upload (`importPromoSet`); may be repeated at will. */
  async import(key: PromoSetKey, signal: AbortSignal): Promise<ImportOutcome> {
    const startedAt = performance.now();
    const { database, clock } = this;
    const outcome = await importPromoSet({ database, clock, mostCodes: this.config.maxPromoCodes }, key, signal);
    const durationMs = Math.round(performance.now() - startedAt);
    const { kind, ...facts } = outcome;
    this.logger.info({ ...key, outcome: kind, ...facts, durationMs }, 'promo.imported');
    this.metrics.imported(outcome, durationMs);
    return outcome;
  }
}
