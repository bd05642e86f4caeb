import { type Parameter, sql, type Sql } from '../sql';

/**
 * SQL for the key that is the same for all texts of one vendor token, from a push type and a token: `tokenIdentity`
 * within the push type, as short as an index needs it. Null if the token is null.
 */
export function tokenKey(pushType: Sql, token: Sql): Sql {
  return sql`(md5(CASE ${pushType} WHEN 'webpush' THEN coalesce(substring(${token} from '"endpoint":"([^"]*)"'), ${token})
    WHEN 'apns' THEN lower(${token} COLLATE "C") ELSE ${token} END)::uuid)`;
}

/** The `tokenKey` of a row of `installations`. */
export const TOKEN_KEY = tokenKey(sql`push_type`, sql`token`);

/** The same as the index `installations_token` has it, for every vendor but APNs: there it tells capitals from small letters. */
const INDEXED_KEY = sql`(md5(CASE push_type WHEN 'webpush' THEN coalesce(substring(token from '"endpoint":"([^"]*)"'), token)
    ELSE token END)::uuid)`;

/** The same as the index `installations_apns_token` has it. Null for other vendors. */
const APNS_KEY = sql`(CASE WHEN push_type = 'apns' THEN md5(lower(token COLLATE "C"))::uuid END)`;

/**
 * A SELECT of one column of the installation that has a vendor token, in parentheses. It finds the row by an index whatever
 * the statistics of the table say: each half is run for its own vendors only. The application is given as a query, whose
 * value the planner does not know: of an application that is newer than the statistics it would expect no rows, and read all
 * of them for each token.
 *
 * @param key the `tokenKey` of the token
 */
export function holderOf({ appId, pushType, key }: { appId: Parameter; pushType: Sql; key: Sql }, column: Sql): Sql {
  const app = sql`(SELECT ${appId})`;
  return sql`(
    SELECT ${column} FROM installations
    WHERE app_id = ${app} AND push_type = ${pushType} AND token IS NOT NULL AND ${INDEXED_KEY} = ${key} AND ${pushType} <> 'apns'
    UNION ALL
    SELECT ${column} FROM installations WHERE app_id = ${app} AND ${APNS_KEY} = ${key} AND ${pushType} = 'apns'
    LIMIT 1)`;
}
