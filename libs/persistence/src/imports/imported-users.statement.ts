import { textArray } from '../database/binary-array';
import { parameter, sql, type Sql } from '../sql';
import type { CarriedFacts } from './imported-facts';

/**
 * The facts to write for a user, and those that they had before imports changed them; null if an import made the user.
 */
export interface WrittenUser extends CarriedFacts {
  userId: string;
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
  /**
   * True if they are neither locked nor made: another request made them at the same moment. A second attempt finds
   * them.
   */
  isMissed: boolean;
}

/**
 * Returns a statement that locks those of these users who are known, in the order of their ids. Gives a `HeldUser` for
 * each.
 */
export function holdKnownUsers(asked: { appId: string; userIds: readonly string[] }): Sql {
  return sql`
    SELECT user_id AS "userId", tags, tag_values AS "tagValues", attributes, updated_at AS "updatedAt",
      imported_at IS NOT NULL AND imported_at = updated_at AS "isImported", import_base AS base, false AS "isMissed"
    FROM users WHERE app_id = ${asked.appId} AND user_id = ANY (ARRAY(SELECT unnest(${textArray(asked.userIds)}::text[])))
    ORDER BY user_id FOR NO KEY UPDATE`;
}

/**
 * Returns a statement that makes the users who are not known yet, with all facts of the file, and locks the others, in
 * the order of their ids. Gives a `HeldUser` for each user that it did not make. Most users of an import are new.
 */
export function holdOrMakeUsers(asked: { appId: string; users: readonly Omit<WrittenUser, 'base'>[]; now: Date }): Sql {
  const appId = parameter(asked.appId);
  const now = parameter(asked.now, 'timestamptz');
  const users = asked.users.map(({ userId, tags, tagValues, attributes }) => ({
    user_id: userId,
    tags,
    tag_values: tagValues,
    attributes,
  }));
  return sql`
    WITH sent AS MATERIALIZED (
      SELECT * FROM json_to_recordset(${JSON.stringify(users)}::json)
        AS s (user_id text, tags text[], tag_values jsonb, attributes jsonb)
    ), known AS MATERIALIZED (
      SELECT user_id, tags, tag_values, attributes, updated_at, imported_at, import_base FROM users
      WHERE app_id = ${appId} AND user_id = ANY (ARRAY(SELECT user_id FROM sent)) ORDER BY user_id FOR NO KEY UPDATE
    ), made AS (
      INSERT INTO users (app_id, user_id, tags, tag_values, attributes, created_at, updated_at, imported_at)
      SELECT ${appId}::text, s.user_id, s.tags, s.tag_values, s.attributes, ${now}, ${now}, ${now}
      FROM sent s WHERE NOT EXISTS (SELECT FROM known k WHERE k.user_id = s.user_id) ORDER BY s.user_id COLLATE "C"
      ON CONFLICT (app_id, user_id) DO NOTHING
      RETURNING user_id
    )
    SELECT user_id AS "userId", tags, tag_values AS "tagValues", attributes, updated_at AS "updatedAt",
      imported_at IS NOT NULL AND imported_at = updated_at AS "isImported", import_base AS base, false AS "isMissed"
    FROM known
    UNION ALL
    SELECT user_id, '{}', '{}', '{}', ${now}, false, NULL, true FROM sent
    WHERE user_id NOT IN (SELECT user_id FROM made) AND user_id NOT IN (SELECT user_id FROM known)`;
}

/** Returns a statement that writes the facts of locked users, and notes that an import wrote them. */
export function writeImportedUsers(changed: { appId: string; users: readonly WrittenUser[]; now: Date }): Sql {
  const now = parameter(changed.now, 'timestamptz');
  const users = changed.users.map(({ userId, tags, tagValues, attributes, base }) => ({
    user_id: userId,
    tags,
    tag_values: tagValues,
    attributes,
    base,
  }));
  return sql`
    WITH edited AS MATERIALIZED (
      SELECT * FROM json_to_recordset(${JSON.stringify(users)}::json)
        AS e (user_id text, tags text[], tag_values jsonb, attributes jsonb, base jsonb)
    )
    UPDATE users u SET tags = e.tags, tag_values = e.tag_values, attributes = e.attributes, updated_at = ${now},
      imported_at = ${now}, import_base = e.base
    FROM edited e
    WHERE u.app_id = ${changed.appId} AND u.user_id = ANY (ARRAY(SELECT user_id FROM edited)) AND u.user_id = e.user_id`;
}
