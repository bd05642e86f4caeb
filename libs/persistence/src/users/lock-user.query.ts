import { type Executor, rows } from '../database/executor';

/** A user's tags: the keys, and the values of those that have one. */
export interface UserTags {
  tags: string[];
  tagValues: Record<string, string>;
}

/**
 * Makes the user if there is none and holds his row until the transaction ends, against changes of his tags but not
 * against other registrations. What is copied from the answer to an installation inside the transaction is what the user
 * has when it commits.
 */
export async function lockUser(executor: Executor, appId: string, userId: string, at: Date): Promise<UserTags> {
  const found = await rows<UserTags>(
    executor,
    `WITH known AS (SELECT tags, tag_values FROM users WHERE app_id = $1 AND user_id = $2 FOR SHARE),
     made AS (
       INSERT INTO users (app_id, user_id, created_at, updated_at)
       SELECT $1, $2, $3, $3 WHERE NOT EXISTS (SELECT 1 FROM known)
       ON CONFLICT (app_id, user_id) DO UPDATE SET user_id = excluded.user_id
       RETURNING tags, tag_values
     )
     SELECT tags, tag_values AS "tagValues" FROM known UNION ALL SELECT tags, tag_values FROM made`,
    [appId, userId, at],
  );
  const user = found[0];
  if (!user) throw new Error('A user was made and is not there');
  return user;
}
