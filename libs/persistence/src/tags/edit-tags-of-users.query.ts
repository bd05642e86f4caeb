import { type Executor, rows } from '../database/executor';

/** What becomes of one user's tags: first tags go, with their values; then tags come, and values are set. */
export interface UserTagEdit {
  userId: string;
  removed: string[];
  added: string[];
  values: Record<string, string>;
}

/** What a set of edits came to. */
export interface TagEditOutcome {
  usersChanged: number;
  devicesChanged: number;
  unknownUsers: number;
  /** Users who would carry too many tags; nothing of theirs was changed. */
  overfullUsers: string[];
}

/**
 * Changes the tags of many users and of their installations. Has to run in a transaction: every user is held, in the order
 * of the ids, so that edits of the same users at the same time follow one another and none is lost.
 *
 * @param edits one a user
 */
export async function editTagsOfUsers(
  executor: Executor,
  appId: string,
  edits: readonly UserTagEdit[],
  mostTags: number,
): Promise<TagEditOutcome> {
  const held = await rows<{ userId: string }>(executor, HOLD_USERS, [appId, edits.map(({ userId }) => userId)]);
  const known = new Set(held.map(({ userId }) => userId));
  const wanted = edits.filter(({ userId }) => known.has(userId));
  const [edited] = await rows<{ changed: string[]; overfull: string[] }>(executor, EDIT_USERS, [
    appId,
    JSON.stringify(wanted.map(({ userId, ...edit }) => ({ user_id: userId, ...edit }))),
    mostTags,
  ]);
  const changed = edited?.changed ?? [];
  const devices = changed.length > 0 ? await rows(executor, COPY_TO_DEVICES, [appId, changed]) : [];
  return {
    usersChanged: changed.length,
    devicesChanged: devices.length,
    unknownUsers: edits.length - wanted.length,
    overfullUsers: edited?.overfull ?? [],
  };
}

/**
 * In these statements rows are named one by one (`LATERAL … LIMIT`, `ANY (ARRAY (SELECT …))`), so that PostgreSQL finds them by
 * key whatever its statistics say: a file may come right behind a million new users.
 */
const HOLD_USERS = `
  SELECT user_id AS "userId" FROM users WHERE app_id = $1 AND user_id = ANY (ARRAY(SELECT unnest($2::text[])))
  ORDER BY user_id FOR NO KEY UPDATE`;

/** A statement of its own behind the lock: it sees what the users have now. */
const EDIT_USERS = `
  WITH edits AS (
    SELECT e.user_id COLLATE "C" AS user_id, ARRAY(SELECT jsonb_array_elements_text(e.removed)) AS removed,
      ARRAY(SELECT jsonb_array_elements_text(e.added)) AS added, e."values"
    FROM jsonb_to_recordset($2::jsonb) AS e (user_id text, removed jsonb, added jsonb, "values" jsonb)
  ), planned AS MATERIALIZED (
    SELECT u.user_id, u.tags AS had, u.tag_values AS had_values, (u.tag_values - e.removed) || e."values" AS tag_values,
      ARRAY(
        (SELECT unnest(u.tags) COLLATE "C" EXCEPT SELECT unnest(e.removed) COLLATE "C")
        UNION SELECT unnest(e.added) COLLATE "C" ORDER BY 1
      ) AS tags
    FROM edits e CROSS JOIN LATERAL (
      SELECT user_id, tags, tag_values FROM users WHERE app_id = $1 AND user_id = e.user_id LIMIT 1
    ) u
  ), overfull AS (
    SELECT user_id FROM planned WHERE cardinality(tags) > $3::int AND cardinality(tags) > cardinality(had)
  ), changed AS (
    UPDATE users u SET tags = p.tags, tag_values = p.tag_values, updated_at = now()
    FROM planned p
    WHERE u.app_id = $1 AND u.user_id = ANY (ARRAY(SELECT user_id FROM planned)) AND u.user_id = p.user_id
      AND p.user_id NOT IN (SELECT user_id FROM overfull)
      AND (p.tag_values <> p.had_values OR NOT (p.tags @> p.had AND p.had @> p.tags))
    RETURNING u.user_id
  )
  SELECT ARRAY(SELECT user_id FROM changed) AS changed, ARRAY(SELECT user_id FROM overfull) AS overfull`;

/**
 * A statement of its own behind the change: it sees installations that were registered while it waited for its locks. One
 * that moves to another user at the same time is his by then, and is left alone.
 */
const COPY_TO_DEVICES = `
  WITH owned AS MATERIALIZED (
    SELECT d.id, u.user_id, u.tags, u.tag_values FROM unnest($2::text[]) AS changed (user_id)
    CROSS JOIN LATERAL (
      SELECT user_id, tags, tag_values FROM users WHERE app_id = $1 AND user_id = changed.user_id LIMIT 1
    ) u
    CROSS JOIN LATERAL (
      SELECT id FROM installations WHERE app_id = $1 AND user_id = changed.user_id OFFSET 0
    ) d
  ), held AS MATERIALIZED (
    SELECT id FROM installations WHERE app_id = $1 AND id = ANY (ARRAY(SELECT id FROM owned))
    ORDER BY id FOR NO KEY UPDATE
  )
  UPDATE installations i SET tags = owned.tags, tag_values = owned.tag_values, updated_at = now()
  FROM owned
  WHERE i.app_id = $1 AND i.id = ANY (ARRAY(SELECT id FROM held)) AND i.id = owned.id AND i.user_id = owned.user_id
  RETURNING 1`;
