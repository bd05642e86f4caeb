import { type Executor, rows } from '../database/executor';
import type { LowPromoSet } from './claim-promo-codes.query';
import type { PromoImport } from './import-promo-set.query';

/**
 * Notes what an import came to, once its codes are settled.
 *
 * @returns false when it is no longer this worker's: the transaction must not be committed
 */
export async function notePromoTotal(
  executor: Executor,
  { appId, setId, fence }: PromoImport,
  total: number,
): Promise<boolean> {
  const noted = await rows(
    executor,
    `UPDATE promo_sets SET total = $4 WHERE app_id = $1 AND set_id = $2 AND fence = $3 AND state = 'importing' RETURNING 1`,
    [appId, setId, fence, total],
  );
  return noted.length > 0;
}

/** Counts codes that were taken out of an import because they were given before. @returns as `notePromoTotal` */
export async function noteGivenCodes(
  executor: Executor,
  { appId, setId, fence }: PromoImport,
  count: number,
): Promise<boolean> {
  const noted = await rows(
    executor,
    `UPDATE promo_sets SET given_before = given_before + $4
     WHERE app_id = $1 AND set_id = $2 AND fence = $3 AND state = 'importing' RETURNING 1`,
    [appId, setId, fence, count],
  );
  return noted.length > 0;
}

/**
 * Puts an import in force in the place of the present set of its source, whose threshold it takes over. Has to run in a
 * transaction that holds the sets (`holdPromoSets`), so that claims draw from the one before it and from the other behind it.
 *
 * @returns null when the import is no longer this worker's; else the set when it begins at or below its threshold
 */
export async function swapPromoSet(
  executor: Executor,
  { appId, setId, trackId, fence }: PromoImport,
  now: Date,
): Promise<{ lowSet: LowPromoSet | null } | null> {
  const [replaced] = await rows<{ lowStockAt: number | null }>(
    executor,
    `UPDATE promo_sets SET state = 'replaced', ended_at = $3, wake_at = $3
     WHERE app_id = $1 AND track_id = $2 AND state = 'in_force' RETURNING low_stock_at::float8 AS "lowStockAt"`,
    [appId, trackId, now],
  );
  const swapped = await rows<{ remaining: number; isLow: boolean }>(
    executor,
    `UPDATE promo_sets SET state = 'in_force', in_force_at = $4, wake_at = NULL, remaining = total - given_before,
       low_stock_at = $5, low_since = CASE WHEN total - given_before <= $5::bigint THEN $4::timestamptz END
     WHERE app_id = $1 AND set_id = $2 AND fence = $3 AND state = 'importing' AND total IS NOT NULL
     RETURNING remaining::float8 AS remaining, low_since IS NOT NULL AS "isLow"`,
    [appId, setId, fence, now, replaced?.lowStockAt ?? null],
  );
  const [set] = swapped;
  if (!set) return null;
  await rows(executor, `DELETE FROM promo_chunks WHERE app_id = $1 AND set_id = $2`, [appId, setId]);
  const lowStockAt = replaced?.lowStockAt ?? 0;
  return { lowSet: set.isLow ? { setId, trackId, remaining: set.remaining, lowStockAt } : null };
}
