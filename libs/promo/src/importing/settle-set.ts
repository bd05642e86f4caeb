import {
  allowLongSort,
  type Database,
  type GivenThrough,
  holdPromoSets,
  inTransaction,
  noteGivenCodes,
  notePromoTotal,
  type PromoImport,
  readGivenThrough,
  removeDoubledCodes,
  removeGivenCodes,
  swapPromoSet,
} from '@postrider/persistence';
import { recordLowStock } from '../claiming/record-low-stock';
import { ImportLost } from './import-lost';

/** Counts every code of a file once that is copied whole. Done once an import. @throws ImportLost */
export async function countCodes(database: Database, held: PromoImport): Promise<number> {
  if (held.total !== null) return held.total;
  return inTransaction(database, async (executor) => {
    await allowLongSort(executor);
    const total = await removeDoubledCodes(executor, held);
    if (!(await notePromoTotal(executor, held, total))) throw new ImportLost();
    return total;
  });
}

/**
 * Takes out what earlier sets of the same source have given away: those codes stay with whom they were given to, although the
 * file has them again.
 *
 * @returns up to where each of those sets was looked at
 * @throws ImportLost
 */
export async function leaveGivenCodes(database: Database, held: PromoImport): Promise<GivenThrough> {
  return inTransaction(database, async (executor) => {
    await allowLongSort(executor);
    const through = await readGivenThrough(executor, held, held.trackId);
    const count = await removeGivenCodes(executor, held, { after: {}, through });
    if (count > 0 && !(await noteGivenCodes(executor, held, count))) throw new ImportLost();
    return through;
  });
}

/**
 * Puts the set in force, in one transaction that no claim of the application runs beside: all that was given away before it
 * is known, also what was given while the set was settled.
 *
 * @throws ImportLost
 */
export async function putInForce(
  database: Database,
  held: PromoImport,
  { after, now }: { after: GivenThrough; now: () => Date },
): Promise<void> {
  await inTransaction(database, async (executor) => {
    await allowLongSort(executor);
    await holdPromoSets(executor, held.appId);
    const through = await readGivenThrough(executor, held, held.trackId);
    const count = await removeGivenCodes(executor, held, { after, through });
    if (count > 0) await noteGivenCodes(executor, held, count);
    const swapped = await swapPromoSet(executor, held, now());
    if (swapped === null) throw new ImportLost();
    if (swapped.lowSet) await recordLowStock(executor, held.appId, [swapped.lowSet]);
  });
}
