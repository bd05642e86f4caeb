export { claimPromoCodes, findPromoCodes, SAMPLE_PROMO_CODE } from './claiming/claim-promo-codes';
export { recordLowStock } from './claiming/record-low-stock';
export { BadPromoFile } from './files/bad-promo-file';
export { PromoFileReader } from './files/promo-file-reader';
export { clearSet, importPromoSet } from './importing/import-promo-set';
export type { ImportOutcome, ImportSurroundings } from './importing/import-promo-set';
export { changeLowStock } from './stock/change-low-stock';
