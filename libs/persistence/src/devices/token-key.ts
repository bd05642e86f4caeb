/**
 * SQL that gives the key under which a vendor token is unique (index `installations_token`), from a push type and a token.
 * Both arguments are SQL written here (column names, parameter numbers), never input.
 */
export function tokenKey(pushType: string, token: string): string {
  return `(md5(CASE ${pushType} WHEN 'webpush' THEN coalesce(substring(${token} from '"endpoint":"([^"]*)"'), ${token}) ELSE ${token} END)::uuid)`;
}
