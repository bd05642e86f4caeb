import type { Executor } from '../database/executor';
import { preparedRows } from '../database/prepared-rows';
import type { UserTags } from './user-tags';

/**
 * Adds tags to a user and sets values of some of them, in his own row. Locks the row, so that edits at the same time follow
 * one another; `copyTagsToDevices` has to follow in the same transaction.
 *
 * @param values the values of key/value tags; a tag that is not named keeps the value that it has
 * @returns his tags now, or null for an unknown user
 */
export async function addUserTags(
  executor: Executor,
  appId: string,
  userId: string,
  tags: readonly string[],
  values: Readonly<Record<string, string>>,
): Promise<UserTags | null> {
  const changed = await preparedRows<UserTags>(
    executor,
    `UPDATE users SET tags = (SELECT array_agg(DISTINCT tag) FROM unnest(tags || $3::text[]) AS tag),
       tag_values = tag_values || $4::jsonb, updated_at = now()
     WHERE app_id = $1 AND user_id = $2
     RETURNING tags, tag_values AS "tagValues"`,
    [appId, userId, tags, JSON.stringify(values)],
  );
  return changed[0] ?? null;
}

/**
 * Removes tags and their values from a user, in his own row; see `addUserTags`.
 *
 * @returns his tags now, or null when he is unknown or carries none of them
 */
export async function removeUserTags(
  executor: Executor,
  appId: string,
  userId: string,
  tags: readonly string[],
): Promise<UserTags | null> {
  const changed = await preparedRows<UserTags>(
    executor,
    `UPDATE users SET tags = ARRAY(SELECT tag FROM unnest(tags) AS tag WHERE tag <> ALL($3::text[])),
       tag_values = tag_values - $3::text[], updated_at = now()
     WHERE app_id = $1 AND user_id = $2 AND tags && $3::text[] COLLATE "C"
     RETURNING tags, tag_values AS "tagValues"`,
    [appId, userId, tags],
  );
  return changed[0] ?? null;
}
