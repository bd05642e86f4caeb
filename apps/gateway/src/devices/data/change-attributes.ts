import type { AttributeChange } from '@postrider/contracts';
import { InvalidRequest, type JsonObject, type JsonValue } from '@postrider/domain';
import { checkAttributes } from '@postrider/persistence';

/**
 * Applies changes to attributes, in their order. `null` and `unset` remove; arrays behave as sets; what is no array yet
 * becomes one when something is added to it.
 *
 * @returns the new attributes; the given ones stay as they are
 * @throws InvalidRequest when there would be too many, or too large ones
 */
export function changeAttributes(attributes: JsonObject, changes: readonly AttributeChange[]): JsonObject {
  const changed = new Map(Object.entries(attributes));
  for (const change of changes) {
    const value = valueAfter(changed.get(change.name), change);
    if (value === null) changed.delete(change.name);
    else changed.set(change.name, value);
  }
  const result = Object.fromEntries(changed);
  return checkAttributes(result);
}

/** What an attribute is after a change; null: gone. */
function valueAfter(before: JsonValue | undefined, change: AttributeChange): JsonValue {
  if (change.operation === 'unset') return null;
  if (change.operation === 'set') return change.value;
  const list = Array.isArray(before) ? before : before === undefined ? [] : [before];
  const values: JsonValue[] = change.values;
  if (change.operation === 'addToArray') return [...new Set([...list, ...values])];
  return before === undefined ? null : list.filter((value) => !values.includes(value));
}

/** Adds numbers to attributes; what is no number counts as 0. @throws InvalidRequest */
export function incrementAttributes(
  attributes: JsonObject,
  increments: readonly { attribute: string; value: number }[],
): JsonObject {
  return increments.reduce((now: JsonObject, { attribute, value }) => {
    const before = now[attribute];
    const sum = (typeof before === 'number' ? before : 0) + value;
    if (!Number.isFinite(sum))
      throw new InvalidRequest([{ path: 'attributes', message: `${attribute} becomes too large` }]);
    return changeAttributes(now, [{ name: attribute, operation: 'set', value: sum }]);
  }, attributes);
}
