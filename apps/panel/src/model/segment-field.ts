import type { SegmentOperator } from '@postrider/domain';

/** An operator of a rule, as the API spells it. */
export type Operator = SegmentOperator;

/** The kind of a field, which decides its operators and how its value is entered. */
export type FieldKind =
  'count' | 'custom' | 'deviceType' | 'online' | 'place' | 'tags' | 'tagValue' | 'time' | 'version';

/** A field that every application has. */
interface BuiltInField {
  name: string;
  label: string;
  kind: FieldKind;
  about: string;
}

/** The fields that every application has, in the order in which they are offered. */
export const BUILT_IN_FIELDS: readonly BuiltInField[] = [
  { name: 'tags', label: 'Tag', kind: 'tags', about: 'A label on the user' },
  { name: 'launchTime', label: 'Last visit', kind: 'time', about: 'When the app was opened last' },
  { name: 'installDate', label: 'Installed', kind: 'time', about: 'When the app was installed' },
  { name: 'launchCount', label: 'Number of visits', kind: 'count', about: 'How often the app was opened' },
  { name: 'deviceType', label: 'Device type', kind: 'deviceType', about: 'android, ios, web …' },
  { name: 'clientVersion', label: 'App version', kind: 'version', about: 'Version of your app' },
  { name: 'osVersion', label: 'System version', kind: 'version', about: 'Version of Android, iOS …' },
  { name: 'nearBy', label: 'Location', kind: 'place', about: 'A circle on the map' },
  { name: 'online', label: 'App open now', kind: 'online', about: 'Whether the device is connected' },
];

const KIND_OF = new Map(BUILT_IN_FIELDS.map(({ name, kind }) => [name, kind]));
const TAG_VALUE = 'tags.';

/** Returns the kind of the field with a name: a built-in one, the value of a tag (`tags.plan`), or an attribute. */
export function fieldKind(name: string): FieldKind {
  return KIND_OF.get(name) ?? (name.startsWith(TAG_VALUE) ? 'tagValue' : 'custom');
}

const EQUALITY: readonly Operator[] = ['equal_to', 'not_equal', 'include', 'not_include'];
const ORDER: readonly Operator[] = ['lesser_than', 'lesser_equals', 'greater_than', 'greater_equals'];
const TIME: readonly Operator[] = ['before', 'after'];

const OPERATORS_OF: Record<FieldKind, readonly Operator[]> = {
  count: [...ORDER, ...EQUALITY],
  custom: [...EQUALITY, ...ORDER, ...TIME],
  deviceType: EQUALITY,
  online: ['equal_to', 'not_equal'],
  place: ['include', 'not_include'],
  tags: ['include', 'not_include', 'equal_to', 'not_equal'],
  tagValue: [...EQUALITY, ...ORDER, ...TIME],
  time: [...TIME, ...ORDER, ...EQUALITY],
  version: [...ORDER, ...EQUALITY],
};

/** How the value of an attribute is read; fields with a type of their own have no choice. */
export const VALUE_TYPES = ['text', 'number', 'boolean', 'mixed'] as const;

/** One of them; `mixed`: a list of JSON values of several types. */
export type ValueType = (typeof VALUE_TYPES)[number];

/** The operators that may stand with a field whose value has a type. A boolean knows no order, a number no time. */
export function operatorsOf(name: string, valueType: ValueType): readonly Operator[] {
  const kind = fieldKind(name);
  const operators = OPERATORS_OF[kind];
  if (!hasValueType(kind)) return operators;
  if (valueType === 'mixed') return ['include', 'not_include'];
  if (valueType === 'boolean') return EQUALITY;
  return valueType === 'number' ? [...EQUALITY, ...ORDER] : operators;
}

/** True if the type of the value is the sender's choice. */
export function hasValueType(kind: FieldKind): boolean {
  return kind === 'custom' || kind === 'tagValue';
}

/** True if an operator takes several values. */
export function takesList(operator: Operator): boolean {
  return operator === 'include' || operator === 'not_include';
}

/** True if an operator takes a moment or an age. */
export function takesMoment(operator: Operator): boolean {
  return TIME.includes(operator);
}

const WORDS: Record<Operator, string> = {
  equal_to: 'is',
  not_equal: 'is not',
  lesser_than: 'is less than',
  lesser_equals: 'is at most',
  greater_than: 'is more than',
  greater_equals: 'is at least',
  include: 'is one of',
  not_include: 'is none of',
  before: 'is before',
  after: 'is after',
};

const WORDS_OF: Partial<Record<FieldKind, Partial<Record<Operator, string>>>> = {
  tags: {
    equal_to: 'has the tag',
    not_equal: 'does not have the tag',
    include: 'has one of the tags',
    not_include: 'has none of the tags',
  },
  place: { include: 'is within', not_include: 'is outside' },
  time: {
    lesser_than: 'is before the moment',
    lesser_equals: 'is at or before the moment',
    greater_than: 'is after the moment',
    greater_equals: 'is at or after the moment',
  },
  version: { lesser_than: 'is older than', lesser_equals: 'is at most', greater_than: 'is newer than' },
};

/** An operator in words, as it reads behind the name of a field. */
export function sayOperator(kind: FieldKind, operator: Operator): string {
  return WORDS_OF[kind]?.[operator] ?? WORDS[operator];
}
