import { Module } from '@nestjs/common';
import { PromoSweep, PromoUpkeep } from '@postrider/maintenance';
import { PromoImportsModule } from '@postrider/promo';
import { ImportPromoSetProcessor } from './importing/import-promo-set.processor';
import { ImportPromoSetService } from './importing/import-promo-set.service';
import { PromoMetrics } from './metrics/promo-metrics';
import { Sweeper } from './sweeping/sweeper.service';

/** What the promo worker does, on a platform, a database and queues that its surroundings give. */
@Module({
  imports: [PromoImportsModule],
  controllers: [ImportPromoSetProcessor],
  providers: [ImportPromoSetService, PromoMetrics, PromoSweep, Sweeper, PromoUpkeep],
})
export class PromoModule {}
