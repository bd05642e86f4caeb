import { type Executor, rows } from '../database/executor';

/** Forgets the paces of messages that nothing was sent of since `before`, at most `limit`. @returns how many went */
export async function deleteOldPaces(executor: Executor, before: Date, limit: number): Promise<number> {
  const gone = await rows(
    executor,
    `DELETE FROM paces WHERE (app_id, message_id) IN (SELECT app_id, message_id FROM paces WHERE next_at < $1 LIMIT $2)
     RETURNING 1`,
    [before, limit],
  );
  return gone.length;
}
