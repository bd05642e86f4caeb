import { Module } from '@nestjs/common';
import { PromoImportsModule } from '@postrider/promo';
import { ImportPromoSetProcessor } from './importing/import-promo-set.processor';
import { ImportPromoSetService } from './importing/import-promo-set.service';
import { PromoMetrics } from './metrics/promo-metrics';

/** What the promo worker does, on a platform, a database and queues that its surroundings give. */
@Module({
  imports: [PromoImportsModule],
  controllers: [ImportPromoSetProcessor],
  providers: [ImportPromoSetService, PromoMetrics],
})
export class PromoModule {}
