import { type Executor, rows } from '../database/executor';

/** A set in force that is nearly, or wholly, used up. */
export interface PromoShortage {
  /** Null: the application's global set. */
  trackId: string | null;
  remaining: number;
  total: number;
}

const MOST_SHOWN = 20;

/** The application's sets in force whose stock is low, the emptiest first, at most 20. */
export async function findPromoShortages(executor: Executor, appId: string): Promise<PromoShortage[]> {
  return rows<PromoShortage>(
    executor,
    `SELECT nullif(track_id, '') AS "trackId", remaining::float8 AS remaining, coalesce(total, 0)::float8 AS total
     FROM promo_sets WHERE app_id = $1 AND state = 'in_force' AND low_since IS NOT NULL
     ORDER BY remaining LIMIT ${MOST_SHOWN}`,
    [appId],
  );
}
