export { claimPromoCodes, findPromoCodes, SAMPLE_PROMO_CODE } from './claiming/claim-promo-codes';
export { clearSet, importPromoSet } from './importing/import-promo-set';
export type { ImportOutcome, ImportSurroundings } from './importing/import-promo-set';
export { changeLowStock } from './stock/change-low-stock';
