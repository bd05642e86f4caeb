import { Module } from '@nestjs/common';
import { ImportPromoSetProcessor } from './importing/import-promo-set.processor';
import { ImportPromoSetService } from './importing/import-promo-set.service';
import { PromoMetrics } from './metrics/promo-metrics';
import { PromoSweep } from './sweeping/promo-sweep.service';
import { Sweeper } from './sweeping/sweeper.service';
import { Upkeep } from './upkeep/upkeep.service';

/** What the promo worker does, on a platform, a database and queues that its surroundings give. */
@Module({
  controllers: [ImportPromoSetProcessor],
  providers: [ImportPromoSetService, PromoMetrics, PromoSweep, Sweeper, Upkeep],
})
export class PromoModule {}
