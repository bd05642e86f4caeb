import { type Executor, rows } from '../database/executor';
import type { LowPromoSet } from './claim-promo-codes.query';
import type { PromoSetKey } from './promo-set';

/**
 * Gives a set in force another threshold. Has to run in a transaction that holds the sets (`holdPromoSets`).
 *
 * @returns null when it is not in force; else the set when it comes to be low by this
 */
export async function setLowStock(
  executor: Executor,
  { appId, setId }: PromoSetKey,
  { lowStockAt, now }: { lowStockAt: number | null; now: Date },
): Promise<{ lowSet: LowPromoSet | null } | null> {
  const changed = await rows<LowPromoSet & { isNewlyLow: boolean }>(
    executor,
    `UPDATE promo_sets s SET low_stock_at = $3::bigint,
       low_since = CASE WHEN s.remaining <= $3::bigint THEN coalesce(s.low_since, $4::timestamptz) END
     FROM promo_sets old
     WHERE s.app_id = $1 AND s.set_id = $2 AND s.state = 'in_force' AND old.app_id = $1 AND old.set_id = $2
     RETURNING s.set_id AS "setId", s.track_id AS "trackId", s.remaining::float8 AS remaining,
       s.low_stock_at::float8 AS "lowStockAt", s.low_since IS NOT NULL AND old.low_since IS NULL AS "isNewlyLow"`,
    [appId, setId, lowStockAt, now],
  );
  const [set] = changed;
  if (!set) return null;
  const { isNewlyLow, ...lowSet } = set;
  return { lowSet: isNewlyLow ? lowSet : null };
}
