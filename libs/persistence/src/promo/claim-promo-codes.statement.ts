import { type Parameter, parameter, type Sql, sql } from '../sql';
import { PROMO_BLOCK_CODES } from './promo-set';

/** Users of one message who each get a code. */
export interface PromoClaim {
  appId: string;
  messageId: string;
  /** The campaign, whose own set is used first. Null: only the global set is used. */
  trackId: string | null;
  userIds: readonly string[];
  now: Date;
}

/** What one user got. `code` is null if every set was used up when it was first asked for. */
export interface ClaimedPromoCode {
  userId: string;
  code: string | null;
}

/**
 * The codes that a message gave to these users. Each is looked up by its whole key, whatever the statistics of a table
 * say that a running campaign fills.
 */
export function givenTo({ app, message, users }: Record<'app' | 'message' | 'users', Parameter>): Sql {
  return sql`
  SELECT a.user_id, a.code FROM (SELECT DISTINCT unnest(${users}::text[]) AS user_id) u
  CROSS JOIN LATERAL (
    SELECT user_id, code FROM promo_assignments WHERE app_id = ${app} AND message_id = ${message} AND user_id = u.user_id LIMIT 1
  ) a`;
}

/**
 * The next codes of a set in force, in the order of the file. Rows are read as they are needed; `wanted` rows are
 * enough however few codes each has.
 */
function nextCodes({ app, track, wanted }: { app: Parameter; track: Sql; wanted: Sql }): Sql {
  const blockCodes = parameter(PROMO_BLOCK_CODES, 'int');
  return sql`
  SELECT s.set_id, s.track_id, c.ordinal, c.code
  FROM promo_sets s CROSS JOIN LATERAL (
    SELECT b.number * ${blockCodes} + line.place AS ordinal, line.code
    FROM (
      SELECT number, codes FROM promo_codes
      WHERE app_id = ${app} AND set_id = s.set_id AND number >= (s.last_ordinal - 1) / ${blockCodes}
      ORDER BY number LIMIT ${wanted} + 1
    ) b CROSS JOIN LATERAL string_to_table(b.codes, E'\\n') WITH ORDINALITY AS line (code, place)
    WHERE b.number * ${blockCodes} + line.place > s.last_ordinal
    ORDER BY b.number, line.place LIMIT ${wanted}
  ) c
  WHERE s.app_id = ${app} AND s.track_id = ${track} AND s.state = 'in_force' AND s.remaining > 0 AND ${wanted} > 0`;
}

/**
 * Gives each user one code, and records it. The answer has a row for each user, then one for each set whose stock fell
 * to its threshold by this claim, as `lowSet`.
 */
export function claimPromoCodesStatement({ appId, messageId, trackId, userIds, now }: PromoClaim): Sql {
  const [app, message, users] = [parameter(appId), parameter(messageId), parameter(userIds)];
  const moment = parameter(now, 'timestamptz');
  return sql`
  WITH known AS MATERIALIZED (
    ${givenTo({ app, message, users })}
  ), fresh AS MATERIALIZED (
    SELECT user_id, row_number() OVER (ORDER BY first) AS place FROM (
      SELECT user_id COLLATE "C" AS user_id, min(place) AS first
      FROM unnest(${users}::text[]) WITH ORDINALITY AS given (user_id, place) GROUP BY 1
    ) u
    WHERE user_id NOT IN (SELECT user_id FROM known)
  ), own AS MATERIALIZED (
    ${nextCodes({ app, track: sql`${trackId}`, wanted: sql`(SELECT count(*) FROM fresh)` })}
  ), shared AS MATERIALIZED (
    ${nextCodes({ app, track: sql`''`, wanted: sql`((SELECT count(*) FROM fresh) - (SELECT count(*) FROM own))` })}
  ), taken AS MATERIALIZED (
    SELECT *, row_number() OVER (ORDER BY track_id = '', ordinal) AS place
    FROM (SELECT * FROM own UNION ALL SELECT * FROM shared) t
  ), advanced AS (
    UPDATE promo_sets s SET last_ordinal = t.last_ordinal, remaining = s.remaining - t.given, assigned = s.assigned + t.given,
      low_since = CASE WHEN s.remaining - t.given <= s.low_stock_at THEN coalesce(s.low_since, ${moment}) END
    FROM (SELECT set_id, max(ordinal) AS last_ordinal, count(*) AS given FROM taken GROUP BY set_id) t
    WHERE s.app_id = ${app} AND s.set_id = t.set_id
    RETURNING s.set_id, s.track_id, s.remaining, s.low_stock_at, s.low_since
  ), written AS (
    INSERT INTO promo_assignments (app_id, message_id, user_id, set_id, ordinal, code, claimed_at)
    SELECT ${app}, ${message}, f.user_id, t.set_id, t.ordinal, t.code, ${moment}
    FROM fresh f LEFT JOIN taken t USING (place)
    RETURNING user_id, code
  )
  SELECT user_id AS "userId", code, NULL::json AS "lowSet" FROM known
  UNION ALL SELECT user_id, code, NULL FROM written
  UNION ALL SELECT NULL, NULL, json_build_object('setId', set_id, 'trackId', track_id, 'remaining', remaining,
    'lowStockAt', low_stock_at) FROM advanced a
  WHERE a.low_since IS NOT NULL
    AND (SELECT s.low_since FROM promo_sets s WHERE s.app_id = ${app} AND s.set_id = a.set_id) IS NULL`;
}
