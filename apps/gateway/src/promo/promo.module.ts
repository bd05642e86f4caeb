import { Module } from '@nestjs/common';
import { LowStockThreshold } from '@postrider/promo';
import { ExportAssignments } from './export-assignments.service';
import { PromoSetsController } from './promo-sets.controller';
import { PromoSets } from './promo-sets.service';
import { PromoUploadController } from './promo-upload.controller';
import { StorePromoFile } from './store-promo-file.service';
import { StreamPromoFiles } from './stream-promo-files.service';
import { UpdatePromoCodes } from './update-promo-codes.service';

/** Promo codes: uploads of them, and who was given which. */
@Module({
  controllers: [PromoUploadController, PromoSetsController],
  providers: [StreamPromoFiles, StorePromoFile, UpdatePromoCodes, PromoSets, ExportAssignments, LowStockThreshold],
})
export class PromoModule {}
