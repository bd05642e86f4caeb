import type { JsonObject, JsonValue } from '@postrider/domain';

/** An object without the members that are not set. */
export function present(members: Record<string, JsonValue | undefined>): JsonObject {
  const object: JsonObject = {};
  for (const name in members) {
    const value = members[name];
    if (value !== undefined) object[name] = value;
  }
  return object;
}
