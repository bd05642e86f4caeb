/** A value that survives JSON unchanged. */
export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };

/** A JSON object. */
export type JsonObject = { [key: string]: JsonValue };

/** True if a parsed JSON value is an object, and neither an array nor null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the object of a JSON text. Null if it is no JSON, or the JSON of something else. */
export function parseJsonObject(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** Returns a value as JSON. Equal values have equal texts, whatever the order of their keys and their spacing. */
export function canonicalJson(value: JsonValue): string {
  return JSON.stringify(value, (_key, inner: JsonValue) => {
    if (!isJsonObject(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
