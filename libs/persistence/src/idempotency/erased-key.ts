import { sql, type Sql } from '../sql';

/**
 * What an idempotency key becomes that told of a user who was erased: recognized, but no longer readable. No key that a caller
 * sends begins like it.
 */
export function erasedKeyOf({ app, key }: { app: Sql; key: Sql }): Sql {
  return sql`(chr(1) || encode(sha256(convert_to(${app} || chr(10) || ${key}, 'UTF8')), 'hex'))`;
}
