import { sql, type Sql } from '../sql';

/**
 * Returns the replacement of an idempotency key that named an erased user: recognisable, but no longer readable. No key
 * of a caller begins like it.
 */
export function erasedKeyOf({ app, key }: { app: Sql; key: Sql }): Sql {
  return sql`(chr(1) || encode(sha256(convert_to(${app} || chr(10) || ${key}, 'UTF8')), 'hex'))`;
}
