import { type Executor, rows } from '../database/executor';

/**
 * Deletes idempotency keys that were taken before `before`, at most `limit`.
 *
 * @returns how many were deleted
 */
export async function deleteOldIdempotencyKeys(executor: Executor, before: Date, limit: number): Promise<number> {
  const deleted = await rows(
    executor,
    `DELETE FROM idempotency_keys
     WHERE (app_id, key) IN (
       SELECT app_id, key FROM idempotency_keys WHERE created_at < $1 ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED
     )
     RETURNING 1`,
    [before, limit],
  );
  return deleted.length;
}
