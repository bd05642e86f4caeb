/** A UUID of any version, in letters of either case (RFC 9562 §4). */
export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** True if a text is a UUID. Any other text is not the id of anything stored. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}
