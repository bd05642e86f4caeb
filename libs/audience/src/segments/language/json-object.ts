import type { JsonObject } from '@postrider/domain';

/** Whether a parsed JSON value is an object, and no array or null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
