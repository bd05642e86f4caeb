import { type Executor, rows } from '../database/executor';

/** Deletes up to `limit` records of codes that were given before `before`. @returns how many went */
export async function deleteOldPromoAssignments(executor: Executor, before: Date, limit: number): Promise<number> {
  const deleted = await rows(
    executor,
    `DELETE FROM promo_assignments WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM promo_assignments WHERE claimed_at < $1 LIMIT $2
     )) RETURNING 1`,
    [before, limit],
  );
  return deleted.length;
}

/**
 * Deletes up to `limit` sets that are over since before `before` and hold nothing any more: whose codes are deleted, and of
 * which no record of a given code is left.
 *
 * @returns how many went
 */
export async function deleteOldPromoSets(executor: Executor, before: Date, limit: number): Promise<number> {
  const deleted = await rows(
    executor,
    `DELETE FROM promo_sets s WHERE (s.app_id, s.set_id) IN (
       SELECT o.app_id, o.set_id FROM promo_sets o
       WHERE o.state IN ('replaced', 'failed') AND o.ended_at < $1 AND o.wake_at IS NULL
         AND NOT EXISTS (SELECT 1 FROM promo_assignments a WHERE a.app_id = o.app_id AND a.set_id = o.set_id)
       LIMIT $2
     ) RETURNING 1`,
    [before, limit],
  );
  return deleted.length;
}
