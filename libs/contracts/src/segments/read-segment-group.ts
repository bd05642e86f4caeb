import type { JsonObject, JsonValue } from '@postrider/domain';
import { isJsonObject } from '../fields/field-reader';
import type { Reading } from '../validation/values';

/** What a group may hold or not; null says that it does not. */
const OPTIONAL = ['id', 'all', 'any', 'none'];

/** Reads `segment`. What its groups hold is for the segment language to judge; what is null is left out. */
export function readSegmentGroup(value: unknown): Reading<JsonObject> {
  return isJsonObject(value) ? { value: withoutNulls(value) } : { problem: 'must be an object' };
}

function withoutNulls(group: JsonObject): JsonObject {
  const members = Object.entries(group).filter(([name, value]) => value !== null || !OPTIONAL.includes(name));
  return Object.fromEntries(
    members.map(([name, value]) => [name, Array.isArray(value) ? value.map(elementOf) : value]),
  );
}

function elementOf(element: JsonValue): JsonValue {
  return isJsonObject(element) ? withoutNulls(element) : element;
}
