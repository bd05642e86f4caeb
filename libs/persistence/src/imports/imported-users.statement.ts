import type { JsonObject } from '@postrider/domain';
import { parameter, sql, type Sql } from '../sql';
import type { UserTags } from '../tags/tags-of-many-users';

/** What a file says of a user. */
export interface ImportedUser extends UserTags {
  userId: string;
  attributes: JsonObject;
  /** When this was true; null: nobody says. */
  at: Date | null;
}

/** A user as they stand when a file names them. */
export interface HeldUser extends UserTags {
  userId: string;
  attributes: JsonObject;
  updatedAt: Date;
  /** Neither held nor made: somebody else made them at the same moment. Asked again, they are there. */
  isMissed: boolean;
}

/**
 * Makes the users who are not known yet, with all that the file says, and holds the others, in the order of their ids. Gives a
 * `HeldUser` for each that it did not make: most users of an import are new, and nothing is to be told of those.
 */
export function holdOrMakeUsers(asked: { appId: string; users: readonly ImportedUser[]; now: Date }): Sql {
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
      SELECT user_id, tags, tag_values, attributes, updated_at FROM users
      WHERE app_id = ${appId} AND user_id = ANY (ARRAY(SELECT user_id FROM sent)) ORDER BY user_id FOR NO KEY UPDATE
    ), made AS (
      INSERT INTO users (app_id, user_id, tags, tag_values, attributes, created_at, updated_at)
      SELECT ${appId}::text, s.user_id, ARRAY(SELECT unnest(s.tags) COLLATE "C" ORDER BY 1), s.tag_values, s.attributes, ${now}, ${now}
      FROM sent s WHERE NOT EXISTS (SELECT FROM known k WHERE k.user_id = s.user_id) ORDER BY s.user_id COLLATE "C"
      ON CONFLICT (app_id, user_id) DO NOTHING
      RETURNING user_id
    )
    SELECT user_id AS "userId", tags, tag_values AS "tagValues", attributes, updated_at AS "updatedAt", false AS "isMissed"
    FROM known
    UNION ALL
    SELECT user_id, '{}', '{}', '{}', ${now}, true FROM sent
    WHERE user_id NOT IN (SELECT user_id FROM made) AND user_id NOT IN (SELECT user_id FROM known)`;
}

/** Writes what users, who are held, carry now. */
export function writeImportedUsers(changed: {
  appId: string;
  users: readonly (UserTags & { userId: string; attributes: JsonObject })[];
}): Sql {
  const users = changed.users.map(({ userId, tags, tagValues, attributes }) => ({
    user_id: userId,
    tags,
    tag_values: tagValues,
    attributes,
  }));
  return sql`
    WITH edited AS MATERIALIZED (
      SELECT * FROM json_to_recordset(${JSON.stringify(users)}::json)
        AS e (user_id text, tags text[], tag_values jsonb, attributes jsonb)
    )
    UPDATE users u SET tags = e.tags, tag_values = e.tag_values, attributes = e.attributes, updated_at = now()
    FROM edited e
    WHERE u.app_id = ${changed.appId} AND u.user_id = ANY (ARRAY(SELECT user_id FROM edited)) AND u.user_id = e.user_id`;
}
