import type { Executor } from '../database/executor';
import { preparedRows } from '../database/prepared-rows';

/** A user's tags: the keys, and the values of those that have one. */
export interface UserTags {
  tags: string[];
  tagValues: Record<string, string>;
}

/**
 * Common table expressions, the last of them `locked (tags, tag_values)`, one row: the user, made if there is none, and held
 * until the transaction ends. The arguments are placeholders.
 */
export function lockUserSql({ app, user, at }: Record<'app' | 'user' | 'at', string>): string {
  return `
    known AS (SELECT tags, tag_values FROM users WHERE app_id = ${app} AND user_id = ${user} FOR SHARE),
    made AS (
      INSERT INTO users (app_id, user_id, created_at, updated_at)
      SELECT ${app}::text, ${user}::text, ${at}::timestamptz, ${at}::timestamptz WHERE NOT EXISTS (SELECT 1 FROM known)
      ON CONFLICT (app_id, user_id) DO UPDATE SET user_id = excluded.user_id
      RETURNING tags, tag_values
    ),
    locked AS (SELECT tags, tag_values FROM known UNION ALL SELECT tags, tag_values FROM made)`;
}

/**
 * Makes the user if there is none and holds his row until the transaction ends, against changes of his tags but not
 * against other registrations. What is copied from the answer to an installation inside the transaction is what the user
 * has when it commits.
 */
export async function lockUser(executor: Executor, appId: string, userId: string, at: Date): Promise<UserTags> {
  const found = await preparedRows<UserTags>(
    executor,
    `WITH ${lockUserSql({ app: '$1', user: '$2', at: '$3' })} SELECT tags, tag_values AS "tagValues" FROM locked`,
    [appId, userId, at],
  );
  const user = found[0];
  if (!user) throw new Error('A user was made and is not there');
  return user;
}
