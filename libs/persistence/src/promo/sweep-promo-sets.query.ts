import { type Executor, rows } from '../database/executor';
import type { PromoSetKey, PromoSetState } from './promo-set';

/** A set that somebody should see to. */
export type DuePromoSet = PromoSetKey & { state: PromoSetState };

/** Sets whose upload broke off, whose import nobody gets on with, or whose codes are to go. Imports come first. */
export async function findDuePromoSets(executor: Executor, now: Date, limit: number): Promise<DuePromoSet[]> {
  return rows<DuePromoSet>(
    executor,
    `SELECT app_id AS "appId", set_id AS "setId", state FROM promo_sets
     WHERE wake_at <= $1 ORDER BY state <> 'importing', wake_at LIMIT $2`,
    [now, limit],
  );
}

/** Ends an upload that broke off. @returns false when it came to its end meanwhile */
export async function giveUpPromoUpload(
  executor: Executor,
  { appId, setId }: PromoSetKey,
  now: Date,
): Promise<boolean> {
  const given = await rows(
    executor,
    `UPDATE promo_sets SET state = 'failed', failure = 'file', reason = 'The upload broke off', ended_at = $3
     WHERE app_id = $1 AND set_id = $2 AND state = 'uploading' AND wake_at <= $3 RETURNING 1`,
    [appId, setId, now],
  );
  return given.length > 0;
}

/**
 * Deletes some of the codes and pieces of a set that is over.
 *
 * @returns whether there are more
 */
export async function clearPromoSet(
  executor: Executor,
  { appId, setId }: PromoSetKey,
  limit: number,
): Promise<boolean> {
  const [deleted] = await rows<{ count: number }>(
    executor,
    `WITH over AS (
       SELECT 1 FROM promo_sets WHERE app_id = $1 AND set_id = $2 AND state IN ('replaced', 'failed')
     ), codes AS (
       DELETE FROM promo_codes WHERE app_id = $1 AND set_id = $2 AND EXISTS (SELECT 1 FROM over) AND number IN (
         SELECT number FROM promo_codes WHERE app_id = $1 AND set_id = $2 ORDER BY number LIMIT $3
       ) RETURNING 1
     ), chunks AS (
       DELETE FROM promo_chunks WHERE app_id = $1 AND set_id = $2 AND EXISTS (SELECT 1 FROM over) AND number IN (
         SELECT number FROM promo_chunks WHERE app_id = $1 AND set_id = $2 ORDER BY number LIMIT $3 / 50
       ) RETURNING 1
     )
     SELECT ((SELECT count(*) FROM codes) + (SELECT count(*) FROM chunks))::integer AS count`,
    [appId, setId, limit],
  );
  return (deleted?.count ?? 0) > 0;
}

/** Notes that nothing is left to be deleted of a set that is over. What it came to can be read on. */
export async function restPromoSet(executor: Executor, { appId, setId }: PromoSetKey): Promise<void> {
  await rows(
    executor,
    `UPDATE promo_sets SET wake_at = NULL
     WHERE app_id = $1 AND set_id = $2 AND state IN ('replaced', 'failed')`,
    [appId, setId],
  );
}
