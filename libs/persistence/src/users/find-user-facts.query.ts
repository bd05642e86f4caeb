import type { JsonObject } from '@postrider/domain';
import type { Executor } from '../database/executor';
import { preparedRows } from '../database/prepared-rows';
import { attributesOf } from './attributes-of';

/** A user as far as a text may speak of him, whatever device he reads it on. */
export interface StoredUserFacts {
  userId: string;
  attributes: JsonObject;
  tags: string[];
  tagValues: JsonObject;
}

/**
 * What personal texts say of these users, by user. Users that nobody has heard of have no entry.
 *
 * @param wanted without `tags` these come as if there were none; with `attributes` those are enough, and others may be left
 * out
 */
export async function findUserFacts(
  executor: Executor,
  appId: string,
  userIds: readonly string[],
  wanted: { tags: boolean; attributes?: readonly string[] | null } = { tags: true },
): Promise<Map<string, StoredUserFacts>> {
  const [found] = await preparedRows<{ users: StoredUserFacts[] }>(executor, FIND_USER_FACTS, [
    appId,
    userIds,
    wanted.tags,
    wanted.attributes ?? null,
  ]);
  return new Map((found?.users ?? []).map((user) => [user.userId, user]));
}

/** One JSON text is read faster than many rows. */
const FIND_USER_FACTS = `
  SELECT coalesce(json_agg(json_build_object('userId', u.user_id, 'attributes', ${attributesOf('u.attributes', '$4')},
    'tags', CASE WHEN $3 THEN u.tags ELSE '{}' END, 'tagValues', CASE WHEN $3 THEN u.tag_values ELSE '{}' END)), '[]') AS users
  FROM unnest($2::text[]) AS wanted (user_id)
  CROSS JOIN LATERAL (SELECT * FROM users WHERE app_id = $1 AND user_id = wanted.user_id LIMIT 1) u`;
