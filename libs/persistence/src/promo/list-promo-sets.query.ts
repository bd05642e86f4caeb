import { type Executor, rows } from '../database/executor';
import { PROMO_SET_COLUMNS, type PromoSet } from './promo-set';

/** Which sets to list; null: no matter which. */
export interface PromoSetFilter {
  trackId: string | null;
  inForce: boolean | null;
  beforeId: string | null;
}

/** Sets that are or were in force, the newest upload first. */
export async function listPromoSets(
  executor: Executor,
  appId: string,
  { trackId, inForce, beforeId }: PromoSetFilter,
  limit: number,
): Promise<PromoSet[]> {
  return rows<PromoSet>(
    executor,
    `SELECT ${PROMO_SET_COLUMNS} FROM promo_sets
     WHERE app_id = $1 AND state = ANY ($2::text[]) AND ($3::text IS NULL OR track_id = $3)
       AND ($4::uuid IS NULL OR set_id < $4)
     ORDER BY set_id DESC LIMIT $5`,
    [
      appId,
      inForce === null ? ['in_force', 'replaced'] : inForce ? ['in_force'] : ['replaced'],
      trackId,
      beforeId,
      limit,
    ],
  );
}
