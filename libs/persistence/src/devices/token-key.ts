import { sql, type Sql } from '../sql';

/** SQL that gives the key under which a vendor token is unique (index `installations_token`), from a push type and a token. */
export function tokenKey(pushType: Sql, token: Sql): Sql {
  return sql`(md5(CASE ${pushType} WHEN 'webpush' THEN coalesce(substring(${token} from '"endpoint":"([^"]*)"'), ${token}) ELSE ${token} END)::uuid)`;
}
