import type { Executor } from '../database/executor';
import { preparedRows } from '../database/prepared-rows';
import type { UserTags } from './user-tags';

/** How long a common edit waits for somebody who holds a user's device: then each user is edited alone. */
const PATIENCE = '100ms';

/** A user's tags, held. */
export type HeldTags = UserTags & { userId: string };

/**
 * Holds users until the transaction ends and reads their tags: edits at the same time follow one another. Waits for nobody
 * who holds one of them, nor for long in what follows in this transaction.
 *
 * @returns those that are held, and `unknown` ones; one that somebody else holds is neither
 */
export async function holdTagsTogether(
  executor: Executor,
  appId: string,
  userIds: readonly string[],
): Promise<{ held: HeldTags[]; unknown: string[] }> {
  const found = await preparedRows<HeldTags & { isHeld: boolean }>(executor, HOLD, [appId, userIds, PATIENCE]);
  return {
    held: found.filter(({ isHeld }) => isHeld),
    unknown: found.filter(({ isHeld }) => !isHeld).map(({ userId }) => userId),
  };
}

/**
 * Writes tags of users that `holdTagsTogether` holds, and copies them to their installations. A statement of its own behind
 * the lock: it sees installations that were registered a moment before.
 *
 * @returns by user id how many installations the user has: of `unchanged` ones too, who only are counted
 * @throws when somebody held an installation for too long
 */
export async function writeTagsTogether(
  executor: Executor,
  appId: string,
  changed: readonly HeldTags[],
  unchanged: readonly string[],
): Promise<Map<string, number>> {
  const json = JSON.stringify(
    changed.map(({ userId, tags, tagValues }) => ({ user_id: userId, tags, tag_values: tagValues })),
  );
  const counted = await preparedRows<{ userId: string; count: number }>(executor, WRITE, [appId, json, unchanged]);
  return new Map(counted.map(({ userId, count }) => [userId, count]));
}

const HOLD = `
  WITH patience AS MATERIALIZED (SELECT set_config('lock_timeout', $3, true)), held AS MATERIALIZED (
    SELECT user_id, tags, tag_values FROM users
    WHERE (SELECT count(*) FROM patience) = 1 AND app_id = $1 AND user_id = ANY (ARRAY(SELECT unnest($2::text[])))
    ORDER BY user_id FOR NO KEY UPDATE SKIP LOCKED
  )
  SELECT user_id AS "userId", tags, tag_values AS "tagValues", true AS "isHeld" FROM held
  UNION ALL
  SELECT wanted.user_id, '{}', '{}', false FROM unnest($2::text[]) AS wanted (user_id)
  WHERE NOT EXISTS (SELECT 1 FROM users u WHERE u.app_id = $1 AND u.user_id = wanted.user_id)`;

/** Rows are named one by one, so that PostgreSQL finds them by key whatever its statistics say. */
const WRITE = `
  WITH edited AS MATERIALIZED (
    SELECT * FROM json_to_recordset($2::json) AS e (user_id text, tags text[], tag_values jsonb)
  ), written AS (
    UPDATE users u SET tags = e.tags, tag_values = e.tag_values, updated_at = now() FROM edited e
    WHERE u.app_id = $1 AND u.user_id = ANY (ARRAY(SELECT user_id FROM edited)) AND u.user_id = e.user_id
  ), held AS MATERIALIZED (
    SELECT id, user_id, tags, tag_values FROM installations
    WHERE app_id = $1 AND user_id = ANY (ARRAY(SELECT user_id FROM edited))
    ORDER BY id FOR NO KEY UPDATE
  ), copied AS (
    UPDATE installations i SET tags = e.tags, tag_values = e.tag_values, updated_at = now()
    FROM held JOIN edited e ON e.user_id = held.user_id
    WHERE i.app_id = $1 AND i.id = ANY (ARRAY(SELECT id FROM held)) AND i.id = held.id
      AND (held.tags <> e.tags OR held.tag_values <> e.tag_values)
  )
  SELECT user_id AS "userId", count(*)::int AS count FROM held GROUP BY user_id
  UNION ALL
  SELECT wanted.user_id, (SELECT count(*)::int FROM installations i WHERE i.app_id = $1 AND i.user_id = wanted.user_id)
  FROM unnest($3::text[]) AS wanted (user_id)`;
