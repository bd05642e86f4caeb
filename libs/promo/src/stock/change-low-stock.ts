import { type Database, holdPromoSets, inTransaction, type PromoSetKey, setLowStock } from '@postrider/persistence';
import { recordLowStock } from '../claiming/record-low-stock';

/**
 * Gives a set in force another threshold; the sets that come after it take it over. Its webhooks are told when that makes it
 * low.
 *
 * @returns false when the set is not in force
 */
export async function changeLowStock(
  database: Database,
  key: PromoSetKey,
  change: { lowStockAt: number | null; now: Date },
): Promise<boolean> {
  return inTransaction(database, async (executor) => {
    await holdPromoSets(executor, key.appId);
    const changed = await setLowStock(executor, key, change);
    if (changed?.lowSet) await recordLowStock(executor, key.appId, [changed.lowSet]);
    return changed !== null;
  });
}
