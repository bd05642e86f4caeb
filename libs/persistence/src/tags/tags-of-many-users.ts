import { parameter, sql, type Sql } from '../sql';

/** A user's tags: the keys, and the values of those that have one. */
export interface UserTags {
  tags: string[];
  tagValues: Record<string, string>;
}

/** The tags of a user whose row is locked. */
export type HeldTags = UserTags & { userId: string };

/**
 * The changes to one user's tags: first tags are removed, with their values; then tags are added, and values are set.
 */
export interface UserTagEdit {
  userId: string;
  removed: string[];
  added: string[];
  values: Record<string, string>;
}

/*
 * The statements that change the tags of many users at once. Rows are named one by one (`LATERAL … LIMIT`,
 * `ANY (ARRAY (SELECT …))`), so that PostgreSQL finds them by key whatever its statistics say: a file may come right behind a
 * million new users.
 */

/** Locks these users in the order of their ids, and waits for other holders. */
export function holdUsers({ appId, userIds }: { appId: string; userIds: readonly string[] }): Sql {
  return sql`
    SELECT user_id AS "userId" FROM users
    WHERE app_id = ${appId} AND user_id = ANY (ARRAY(SELECT unnest(${userIds}::text[])))
    ORDER BY user_id FOR NO KEY UPDATE`;
}

/**
 * Locks those of these users whom nobody else has locked, and reads their tags. Unknown users are returned too, as not
 * held. Later statements of the transaction wait for no lock longer than `patience`: the count of the rows of
 * `patience` makes PostgreSQL set it first.
 */
export function holdUsersUnlessHeld(named: { appId: string; userIds: readonly string[]; patience: string }): Sql {
  const appId = parameter(named.appId);
  const userIds = parameter(named.userIds, 'text[]');
  return sql`
    WITH patience AS MATERIALIZED (SELECT set_config('lock_timeout', ${named.patience}, true)), held AS MATERIALIZED (
      SELECT user_id, tags, tag_values FROM users
      WHERE (SELECT count(*) FROM patience) = 1 AND app_id = ${appId} AND user_id = ANY (ARRAY(SELECT unnest(${userIds})))
      ORDER BY user_id FOR NO KEY UPDATE SKIP LOCKED
    )
    SELECT user_id AS "userId", tags, tag_values AS "tagValues", true AS "isHeld" FROM held
    UNION ALL
    SELECT wanted.user_id, '{}', '{}', false FROM unnest(${userIds}) AS wanted (user_id)
    WHERE NOT EXISTS (SELECT 1 FROM users u WHERE u.app_id = ${appId} AND u.user_id = wanted.user_id)`;
}

/**
 * Writes the tags of `changed` users, whose rows are locked, and of their installations, and counts the installations
 * of all.
 */
export function writeTags(users: { appId: string; changed: readonly HeldTags[]; unchanged: readonly string[] }): Sql {
  const appId = parameter(users.appId);
  const changed = users.changed.map(({ userId, tags, tagValues }) => ({
    user_id: userId,
    tags,
    tag_values: tagValues,
  }));
  return sql`
    WITH edited AS MATERIALIZED (
      SELECT * FROM json_to_recordset(${JSON.stringify(changed)}::json) AS e (user_id text, tags text[], tag_values jsonb)
    ), written AS (
      UPDATE users u SET tags = e.tags, tag_values = e.tag_values, updated_at = now() FROM edited e
      WHERE u.app_id = ${appId} AND u.user_id = ANY (ARRAY(SELECT user_id FROM edited)) AND u.user_id = e.user_id
    ), held AS MATERIALIZED (
      SELECT id, user_id, tags, tag_values FROM installations
      WHERE app_id = ${appId} AND user_id = ANY (ARRAY(SELECT user_id FROM edited))
      ORDER BY id FOR NO KEY UPDATE
    ), copied AS (
      UPDATE installations i SET tags = e.tags, tag_values = e.tag_values, updated_at = now()
      FROM held JOIN edited e ON e.user_id = held.user_id
      WHERE i.app_id = ${appId} AND i.id = ANY (ARRAY(SELECT id FROM held)) AND i.id = held.id
        AND (held.tags <> e.tags OR held.tag_values <> e.tag_values)
    )
    SELECT user_id AS "userId", count(*)::int AS count FROM held GROUP BY user_id
    UNION ALL
    SELECT wanted.user_id,
      (SELECT count(*)::int FROM installations i WHERE i.app_id = ${appId} AND i.user_id = wanted.user_id)
    FROM unnest(${users.unchanged}::text[]) AS wanted (user_id)`;
}

/** Changes the tags of locked users. A separate statement after the lock, so that it sees the users' present tags. */
export function editTags(wanted: { appId: string; edits: readonly UserTagEdit[]; mostTags: number }): Sql {
  const appId = parameter(wanted.appId);
  const edits = wanted.edits.map(({ userId, ...edit }) => ({ user_id: userId, ...edit }));
  return sql`
    WITH edits AS (
      SELECT e.user_id COLLATE "C" AS user_id, ARRAY(SELECT jsonb_array_elements_text(e.removed)) AS removed,
        ARRAY(SELECT jsonb_array_elements_text(e.added)) AS added, e."values"
      FROM jsonb_to_recordset(${JSON.stringify(edits)}::jsonb)
        AS e (user_id text, removed jsonb, added jsonb, "values" jsonb)
    ), planned AS MATERIALIZED (
      SELECT u.user_id, u.tags AS had, u.tag_values AS had_values, (u.tag_values - e.removed) || e."values" AS tag_values,
        ARRAY(
          (SELECT unnest(u.tags) COLLATE "C" EXCEPT SELECT unnest(e.removed) COLLATE "C")
          UNION SELECT unnest(e.added) COLLATE "C" ORDER BY 1
        ) AS tags
      FROM edits e CROSS JOIN LATERAL (
        SELECT user_id, tags, tag_values FROM users WHERE app_id = ${appId} AND user_id = e.user_id LIMIT 1
      ) u
    ), overfull AS (
      SELECT user_id FROM planned
      WHERE cardinality(tags) > ${wanted.mostTags}::int AND cardinality(tags) > cardinality(had)
    ), changed AS (
      UPDATE users u SET tags = p.tags, tag_values = p.tag_values, updated_at = now()
      FROM planned p
      WHERE u.app_id = ${appId} AND u.user_id = ANY (ARRAY(SELECT user_id FROM planned)) AND u.user_id = p.user_id
        AND p.user_id NOT IN (SELECT user_id FROM overfull)
        AND (p.tag_values <> p.had_values OR NOT (p.tags @> p.had AND p.had @> p.tags))
      RETURNING u.user_id
    )
    SELECT ARRAY(SELECT user_id FROM changed) AS changed, ARRAY(SELECT user_id FROM overfull) AS overfull`;
}

/**
 * Copies users' tags to their installations. A separate statement after the change, so that it sees installations that
 * were registered while the change waited for its locks. An installation that moves to another user at the same time
 * belongs to them by then, and is left alone.
 */
export function copyTags(changed: { appId: string; userIds: readonly string[] }): Sql {
  const appId = parameter(changed.appId);
  return sql`
    WITH owned AS MATERIALIZED (
      SELECT d.id, u.user_id, u.tags, u.tag_values FROM unnest(${changed.userIds}::text[]) AS changed (user_id)
      CROSS JOIN LATERAL (
        SELECT user_id, tags, tag_values FROM users WHERE app_id = ${appId} AND user_id = changed.user_id LIMIT 1
      ) u
      CROSS JOIN LATERAL (
        SELECT id FROM installations WHERE app_id = ${appId} AND user_id = changed.user_id OFFSET 0
      ) d
    ), held AS MATERIALIZED (
      SELECT id FROM installations WHERE app_id = ${appId} AND id = ANY (ARRAY(SELECT id FROM owned))
      ORDER BY id FOR NO KEY UPDATE
    )
    UPDATE installations i SET tags = owned.tags, tag_values = owned.tag_values, updated_at = now()
    FROM owned
    WHERE i.app_id = ${appId} AND i.id = ANY (ARRAY(SELECT id FROM held)) AND i.id = owned.id
      AND i.user_id = owned.user_id
    RETURNING 1`;
}
