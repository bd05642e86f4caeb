import { type Executor, rows } from '../database/executor';
import { SHOWN } from './user-proof';

/** How many installations a user has. */
export async function countInstallations(executor: Executor, appId: string, userId: string): Promise<number> {
  const counted = await rows<{ count: number }>(
    executor,
    `SELECT count(*)::int AS count FROM installations WHERE app_id = $1 AND user_id = $2`,
    [appId, userId],
  );
  return counted[0]?.count ?? 0;
}

/**
 * How many installations have not proved their user: those that get nothing while the application requires it, or would if it
 * did. Looks at every installation: not for every page view.
 */
export async function countUnproved(executor: Executor, appId: string): Promise<number> {
  const counted = await rows<{ count: number }>(
    executor,
    `SELECT count(*)::float8 AS count FROM installations
     WHERE app_id = $1 AND user_proof < (
       SELECT CASE WHEN require_user_hash THEN least_proof ELSE ${SHOWN} END FROM applications WHERE app_id = $1)`,
    [appId],
  );
  return counted[0]?.count ?? 0;
}
