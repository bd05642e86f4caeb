import { type Executor, rows } from '../database/executor';

/** How many installations a user has. */
export async function countInstallations(executor: Executor, appId: string, userId: string): Promise<number> {
  const counted = await rows<{ count: number }>(
    executor,
    `SELECT count(*)::int AS count FROM installations WHERE app_id = $1 AND user_id = $2`,
    [appId, userId],
  );
  return counted[0]?.count ?? 0;
}
