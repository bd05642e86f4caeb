import { sql, type Sql } from './sql';

/**
 * A time that PostgreSQL writes as text or into JSON, in the form of all times of the API: `2026-01-31T09:00:00.100Z`.
 * PostgreSQL's own form has the server's time zone, and no zeros at its end (`12:30:00.1+03:30`), which strict readers
 * refuse.
 *
 * @param at a timestamptz, or null
 */
export function isoTime(at: Sql): Sql {
  return sql`to_char(${at} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}
