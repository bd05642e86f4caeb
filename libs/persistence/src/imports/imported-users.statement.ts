import { parameter, sql, type Sql } from '../sql';
import type { CarriedFacts } from './imported-facts';

/** What a user who is written carries, and what they had before imports changed them; null: an import makes them. */
export interface WrittenUser extends CarriedFacts {
  userId: string;
  base: StoredBase | null;
}

/** What a user had before imports changed them, as it is stored. */
export interface StoredBase {
  at: string;
  tags: readonly string[];
  attributes: readonly string[];
}

/** A user as they stand when a file names them. */
export interface HeldUser extends CarriedFacts {
  userId: string;
  updatedAt: Date;
  /** Whether nobody but imports has changed them since `base`, or since an import made them (null). */
  isImported: boolean;
  base: StoredBase | null;
  /** Neither held nor made: somebody else made them at the same moment. Asked again, they are there. */
  isMissed: boolean;
}

/** Holds those of these users who are known, in the order of their ids. Gives a `HeldUser` for each. */
export function holdKnownUsers(asked: { appId: string; userIds: readonly string[] }): Sql {
  return sql`
    SELECT user_id AS "userId", tags, tag_values AS "tagValues", attributes, updated_at AS "updatedAt",
      imported_at IS NOT NULL AND imported_at = updated_at AS "isImported", import_base AS base, false AS "isMissed"
    FROM users WHERE app_id = ${asked.appId} AND user_id = ANY (ARRAY(SELECT unnest(${asked.userIds}::text[])))
    ORDER BY user_id FOR NO KEY UPDATE`;
}

/**
 * Makes the users who are not known yet, with all that the file says, and holds the others, in the order of their ids. Gives a
 * `HeldUser` for each that it did not make: most users of an import are new, and nothing is to be told of those.
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

/** Writes what users, who are held, carry now, and that an import wrote it. */
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
