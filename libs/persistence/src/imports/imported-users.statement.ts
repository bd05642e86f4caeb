import { textArray } from '../database/binary-array';
import { parameter, sql, type Sql } from '../sql';
import type { CarriedFacts } from './imported-facts';

/**
 * The facts to write for a user, and those that they had before imports changed them; null if an import made the user.
 */
export interface WrittenUser extends CarriedFacts {
  userId: string;
  /** The last line of the file that names them. */
  line: number;
  base: StoredBase | null;
}

/** The stored form of `ImportBase`. */
export interface StoredBase {
  at: string;
  tags: readonly string[];
  attributes: readonly string[];
}

/** A user as they are stored when a file names them. */
export interface HeldUser extends CarriedFacts {
  userId: string;
  updatedAt: Date;
  /** True if only imports have changed them since `base`, or since an import made them (null). */
  isImported: boolean;
  base: StoredBase | null;
  /** The line of the same file that wrote them last, if nothing else has changed them since; else null. */
  writtenTo: number | null;
  /**
   * True if they are neither locked nor made: another request made them at the same moment. A second attempt finds
   * them.
   */
  isMissed: boolean;
}

/** The columns of a `HeldUser` who is locked. @param file the fingerprint of the file that is imported */
function heldColumns(file: number | null): Sql {
  return sql`user_id AS "userId", tags, tag_values AS "tagValues", attributes, updated_at AS "updatedAt",
    imported_at IS NOT NULL AND imported_at = updated_at AS "isImported", import_base AS base,
    CASE WHEN imported_at = updated_at AND imported_file = ${parameter(file, 'bigint')} THEN imported_line::float8 END
      AS "writtenTo", false AS "isMissed"`;
}

/**
 * Returns a statement that locks those of these users who are known, in the order of their ids. Gives a `HeldUser` for
 * each.
 */
export function holdKnownUsers(asked: { appId: string; userIds: readonly string[]; file: number | null }): Sql {
  return sql`
    SELECT ${heldColumns(asked.file)}
    FROM users WHERE app_id = ${asked.appId} AND user_id = ANY (ARRAY(SELECT unnest(${textArray(asked.userIds)}::text[])))
    ORDER BY user_id FOR NO KEY UPDATE`;
}

/**
 * Returns a statement that makes the users who are not known yet, with all facts of the file, and locks the others, in
 * the order of their ids. Gives a `HeldUser` for each user that it did not make. Most users of an import are new.
 */
export function holdOrMakeUsers(asked: {
  appId: string;
  users: readonly Omit<WrittenUser, 'base'>[];
  now: Date;
  file: number | null;
}): Sql {
  const appId = parameter(asked.appId);
  const now = parameter(asked.now, 'timestamptz');
  const users = asked.users.map(({ userId, line, tags, tagValues, attributes }) => ({
    user_id: userId,
    line,
    tags,
    tag_values: tagValues,
    attributes,
  }));
  return sql`
    WITH sent AS MATERIALIZED (
      SELECT * FROM json_to_recordset(${JSON.stringify(users)}::json)
        AS s (user_id text, line bigint, tags text[], tag_values jsonb, attributes jsonb)
    ), known AS MATERIALIZED (
      SELECT user_id, tags, tag_values, attributes, updated_at, imported_at, import_base, imported_file, imported_line FROM users
      WHERE app_id = ${appId} AND user_id = ANY (ARRAY(SELECT user_id FROM sent)) ORDER BY user_id FOR NO KEY UPDATE
    ), made AS (
      INSERT INTO users (app_id, user_id, tags, tag_values, attributes, created_at, updated_at, imported_at, imported_file,
        imported_line)
      SELECT ${appId}::text, s.user_id, s.tags, s.tag_values, s.attributes, ${now}, ${now}, ${now},
        ${parameter(asked.file, 'bigint')}, s.line
      FROM sent s WHERE NOT EXISTS (SELECT FROM known k WHERE k.user_id = s.user_id) ORDER BY s.user_id COLLATE "C"
      ON CONFLICT (app_id, user_id) DO NOTHING
      RETURNING user_id
    )
    SELECT ${heldColumns(asked.file)} FROM known
    UNION ALL
    SELECT user_id, '{}', '{}', '{}', ${now}, false, NULL, NULL, true FROM sent
    WHERE user_id NOT IN (SELECT user_id FROM made) AND user_id NOT IN (SELECT user_id FROM known)`;
}

/** Returns a statement that writes the facts of locked users, and notes that an import wrote them. */
export function writeImportedUsers(changed: {
  appId: string;
  users: readonly WrittenUser[];
  now: Date;
  file: number | null;
}): Sql {
  const now = parameter(changed.now, 'timestamptz');
  const users = changed.users.map(({ userId, line, tags, tagValues, attributes, base }) => ({
    user_id: userId,
    line,
    tags,
    tag_values: tagValues,
    attributes,
    base,
  }));
  return sql`
    WITH edited AS MATERIALIZED (
      SELECT * FROM json_to_recordset(${JSON.stringify(users)}::json)
        AS e (user_id text, line bigint, tags text[], tag_values jsonb, attributes jsonb, base jsonb)
    )
    UPDATE users u SET tags = e.tags, tag_values = e.tag_values, attributes = e.attributes, updated_at = ${now},
      imported_at = ${now}, import_base = e.base, imported_file = ${parameter(changed.file, 'bigint')}, imported_line = e.line
    FROM edited e
    WHERE u.app_id = ${changed.appId} AND u.user_id = ANY (ARRAY(SELECT user_id FROM edited)) AND u.user_id = e.user_id`;
}
