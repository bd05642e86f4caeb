import { Module } from '@nestjs/common';
import { PromoImportsModule } from '@postrider/promo';
import { ImportPromoSetProcessor } from './importing/import-promo-set.processor';
import { ImportPromoSetService } from './importing/import-promo-set.service';
import { PromoMetrics } from './metrics/promo-metrics';

/** The promo worker, on a given platform, database and queues. */
@Module({
  imports: [PromoImportsModule],
  controllers: [ImportPromoSetProcessor],
  providers: [ImportPromoSetService, PromoMetrics],
})
export class PromoModule {}
