import { type Executor, rows } from '../database/executor';

/**
 * Removes up to `limit` fallbacks that were written before `before`.
 *
 * @returns how many went; fewer than `limit` means that none is left
 */
export async function deleteOldFallbacks(executor: Executor, before: Date, limit: number): Promise<number> {
  const gone = await rows(
    executor,
    `DELETE FROM fallbacks WHERE (app_id, message_id, user_id) IN (
       SELECT app_id, message_id, user_id FROM fallbacks WHERE created_at < $1 ORDER BY created_at LIMIT $2
     )
     RETURNING 1`,
    [before, limit],
  );
  return gone.length;
}
