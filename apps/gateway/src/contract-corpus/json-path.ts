/** The way to a place in a JSON value. */
export type JsonPath = readonly (string | number)[];

/** Every place in a value but the value itself; of a list only its first element. */
export function placesIn(value: unknown, at: JsonPath = []): JsonPath[] {
  if (typeof value !== 'object' || value === null) return [];
  const members: [string | number, unknown][] = Array.isArray(value)
    ? value.slice(0, 1).map((member: unknown) => [0, member])
    : Object.entries(value);
  return members.flatMap(([name, member]) => [[...at, name], ...placesIn(member, [...at, name])]);
}

/** What stands at a place. */
export function valueAt(value: unknown, path: JsonPath): unknown {
  return path.reduce<unknown>((holder, name) => (holder as Record<string | number, unknown>)[name], value);
}

/** A copy with another value at a place; undefined takes the place away. */
export function withValueAt<Value>(value: Value, path: JsonPath, put: unknown): Value {
  const copy = structuredClone(value);
  const name = path.at(-1);
  if (name === undefined) return put as Value;
  const holder = valueAt(copy, path.slice(0, -1)) as object;
  if (put === undefined && !Array.isArray(holder)) Reflect.deleteProperty(holder, name);
  // Defined, not assigned: `__proto__` has to become a member.
  else Object.defineProperty(holder, name, { value: put, enumerable: true, configurable: true, writable: true });
  return copy;
}

/** `notification.actions[0].url` */
export function written(path: JsonPath): string {
  return path
    .map((name, index) => (typeof name === 'number' ? `[${name}]` : `${index > 0 ? '.' : ''}${name}`))
    .join('');
}
