import type { CorpusCase, Sample } from './corpus-case';
import { isTaken, SeededChoice } from './seeded-choice';
import { type NamedValue, wrongValues } from './wrong-values';

/** The path to a place in a JSON value. */
type JsonPath = readonly (string | number)[];

/** Every place in a value except the value itself; of a list only its first element. */
function placesIn(value: unknown, at: JsonPath = []): JsonPath[] {
  if (typeof value !== 'object' || value === null) return [];
  const members: [string | number, unknown][] = Array.isArray(value)
    ? value.slice(0, 1).map((member: unknown) => [0, member])
    : Object.entries(value);
  return members.flatMap(([name, member]) => [[...at, name], ...placesIn(member, [...at, name])]);
}

/** What stands at a place. */
function valueAt(value: unknown, path: JsonPath): unknown {
  return path.reduce<unknown>((holder, name) => (holder as Record<string | number, unknown>)[name], value);
}

/** A copy with another value at a place. Undefined removes the place. */
function withValueAt<Value>(value: Value, path: JsonPath, put: unknown): Value {
  const copy = structuredClone(value);
  const name = path.at(-1);
  if (name === undefined) return put as Value;
  const holder = valueAt(copy, path.slice(0, -1)) as object;
  if (put === undefined && !Array.isArray(holder)) Reflect.deleteProperty(holder, name);
  // Defined, not assigned, so that `__proto__` becomes a member.
  else Object.defineProperty(holder, name, { value: put, enumerable: true, configurable: true, writable: true });
  return copy;
}

/** `notification.actions[0].url` */
function written(path: JsonPath): string {
  return path
    .map((name, index) => (typeof name === 'number' ? `[${name}]` : `${index > 0 ? '.' : ''}${name}`))
    .join('');
}

const TOGETHER = 12;
/** About how many bad bodies of a sample are sent. If there are more, every second, third and so on is sent. */
const MANY = 150;
const MAX_COMBINED = 6;

/** The sample, each of its fields with each value that may be wrong there, and several of them at once. */
export function spoiled(sample: Sample): CorpusCase[] {
  const { body, every = 1 } = sample;
  const changes = placesIn(body).flatMap((path) => changesAt(body, path));
  const made: [name: string, body: unknown][] = [
    ...changes.map(({ name, path, value }): [string, unknown] => [name, withValueAt(body, path, value)]),
    ...strangeMembers(body),
  ];
  const share = every * Math.ceil(made.length / MANY);
  const kept = made.filter(([name]) => isTaken(`${sample.operation} ${sample.name} ${name}`, share));
  return [['as it is', body] as [string, unknown], ...kept, ...together(sample, changes)].map(([name, spoiledBody]) =>
    caseOf(sample, name, spoiledBody),
  );
}

/** A case with a body in JSON. */
export function caseOf(sample: Omit<Sample, 'body'>, name: string, body: unknown): CorpusCase {
  const text = JSON.stringify(body).replaceAll(/"<raw ([^>]*)>"/g, '$1');
  return { operation: sample.operation, name: `${sample.name}: ${name}`, url: sample.url, body: text };
}

interface Change {
  name: string;
  path: JsonPath;
  value: unknown;
}

function changesAt(body: object, path: JsonPath): Change[] {
  const field = [...path].reverse().find((name) => typeof name === 'string') as string;
  return wrongValues(field, valueAt(body, path)).map(([name, value]: NamedValue) => ({
    name: `${written(path)} = ${name}`,
    path,
    value,
  }));
}

/** Unknown members, many of them, and under names that every object has. */
function strangeMembers(body: object): [name: string, body: unknown][] {
  const many = (count: number): object =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`unknown${at}`, at]));
  return [
    ['an unknown member', { ...body, nonsense: { of: ['mine', null] } }],
    ['100 unknown members', { ...body, ...many(100) }],
    ['101 unknown members', { ...body, ...many(101) }],
    ['an unknown member of 17,000 characters', { ...body, nonsense: 'x'.repeat(17_000) }],
    ['__proto__', withValueAt(body, ['__proto__'], { admin: true })],
    ['constructor as text', withValueAt(body, ['constructor'], 'x')],
    ['constructor as an object', withValueAt(body, ['constructor'], { prototype: { admin: true } })],
    ['prototype', withValueAt(body, ['prototype'], 1)],
    ['toString as text', withValueAt(body, ['toString'], 'x')],
  ];
}

function together(sample: Sample, changes: readonly Change[]): [name: string, body: unknown][] {
  const choice = new SeededChoice(`${sample.operation} ${sample.name}`);
  const single = changes.filter(({ path, value }) => path.length === 1 && value !== undefined);
  if (single.length === 0) return [];
  return Array.from({ length: TOGETHER }, (_, at): [string, unknown] => {
    const count = 2 + choice.below(MAX_COMBINED - 1);
    const chosen = Array.from({ length: count }, () => single[choice.below(single.length)] as Change);
    return [
      `several (${at + 1})`,
      chosen.reduce<object>((body, { path, value }) => withValueAt(body, path, value), sample.body),
    ];
  });
}
