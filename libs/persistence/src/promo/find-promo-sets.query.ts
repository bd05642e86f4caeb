import { type Executor, rows } from '../database/executor';
import { GLOBAL_TRACK_ID, PROMO_SET_COLUMNS, type PromoSet, type PromoSetKey } from './promo-set';

/** The set, or null. */
export async function findPromoSet(executor: Executor, { appId, setId }: PromoSetKey): Promise<PromoSet | null> {
  const found = await rows<PromoSet>(
    executor,
    `SELECT ${PROMO_SET_COLUMNS} FROM promo_sets WHERE app_id = $1 AND set_id = $2`,
    [appId, setId],
  );
  return found[0] ?? null;
}

/** The application's global set in force, or null. */
export async function findGlobalPromoSet(executor: Executor, appId: string): Promise<PromoSet | null> {
  const found = await rows<PromoSet>(
    executor,
    `SELECT ${PROMO_SET_COLUMNS} FROM promo_sets WHERE app_id = $1 AND track_id = $2 AND state = 'in_force'`,
    [appId, GLOBAL_TRACK_ID],
  );
  return found[0] ?? null;
}
