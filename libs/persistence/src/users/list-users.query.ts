import { type Executor, rows } from '../database/executor';

/** A user in a list. */
export interface ListedUser {
  userId: string;
  tags: string[];
  devices: number;
  createdAt: Date;
}

/** An application's users whose ids begin with `prefix`, in the order of their ids, at most `limit` behind `afterId`. */
export async function listUsers(
  executor: Executor,
  appId: string,
  { prefix, afterId, limit }: { prefix: string; afterId: string; limit: number },
): Promise<ListedUser[]> {
  const pattern = `${prefix.replace(/[\\%_]/g, '\\$&')}%`;
  return rows<ListedUser>(
    executor,
    `SELECT u.user_id AS "userId", u.tags, u.created_at AS "createdAt",
       (SELECT count(*)::int FROM installations i WHERE i.app_id = $1 AND i.user_id = u.user_id) AS devices
     FROM users u
     WHERE u.app_id = $1 AND u.user_id LIKE $2 AND u.user_id > $3
     ORDER BY u.user_id LIMIT $4`,
    [appId, pattern, afterId, limit],
  );
}
