import { Module } from '@nestjs/common';
import { LowStockThreshold } from '@postrider/promo';
import { ExportAssignments, PromoSets } from './promo-sets.service';
import { PromoSetsController } from './promo-sets.controller';
import { PromoUploadController } from './promo-upload.controller';
import { StorePromoFile, StreamPromoFiles } from './store-promo-file.service';
import { UpdatePromoCodes } from './update-promo-codes.service';

/** Promo codes: uploads of them, and who got which. */
@Module({
  controllers: [PromoUploadController, PromoSetsController],
  providers: [StreamPromoFiles, StorePromoFile, UpdatePromoCodes, PromoSets, ExportAssignments, LowStockThreshold],
})
export class PromoModule {}
