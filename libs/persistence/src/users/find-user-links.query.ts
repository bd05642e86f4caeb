import { type Executor, rows } from '../database/executor';

/** A link that a user's device reported as opened. */
export interface OpenedLink {
  id: string;
  link: string;
  openedAt: Date;
}

/** The links that a user opened, oldest first, at most `limit` behind `afterId`. */
export async function findUserLinks(
  executor: Executor,
  appId: string,
  userId: string,
  { afterId, limit }: { afterId: string; limit: number },
): Promise<OpenedLink[]> {
  return rows<OpenedLink>(
    executor,
    `SELECT id, link, opened_at AS "openedAt" FROM link_opens
     WHERE app_id = $1 AND user_id = $2 AND id > $3::bigint
     ORDER BY id LIMIT $4`,
    [appId, userId, afterId, limit],
  );
}
