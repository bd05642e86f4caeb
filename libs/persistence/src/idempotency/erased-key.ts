/**
 * SQL for what an idempotency key becomes that told of a user who was erased: recognized, but no longer readable. No key that a
 * caller sends begins like it.
 *
 * @param appId, key SQL expressions: columns or placeholders
 */
export function erasedKeyOf(appId: string, key: string): string {
  return `(chr(1) || encode(sha256(convert_to(${appId} || chr(10) || ${key}, 'UTF8')), 'hex'))`;
}
