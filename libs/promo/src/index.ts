export { PromoCodeClaims, SAMPLE_PROMO_CODE } from './claiming/promo-code-claims.service';
export { PromoImporter } from './importing/promo-importer.service';
export type { ImportOutcome } from './importing/promo-importer.service';
export { SetSettlement } from './importing/set-settlement.service';
export { StretchCopier } from './importing/stretch-copier.service';
export { PromoImportsModule } from './importing/promo-imports.module';
export { LowStockThreshold } from './stock/low-stock-threshold.service';
