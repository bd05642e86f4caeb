import { SEGMENT_OPERATORS, type SegmentOperator } from '@postrider/domain';

/** How a rule compares a field with its value. */
export type Operator = SegmentOperator;

/** True if a text names an operator. */
export function isOperator(text: unknown): text is Operator {
  return (SEGMENT_OPERATORS as readonly unknown[]).includes(text);
}

/** Operators that only compare for equality. Every kind of field has them. */
export const EQUALITY_OPERATORS: readonly Operator[] = ['equal_to', 'not_equal', 'include', 'not_include'];

/** Operators that take an array of values. */
export const ARRAY_OPERATORS: readonly Operator[] = ['include', 'not_include'];

/** Operators that take a moment, also a relative one. */
export const TIME_OPERATORS: readonly Operator[] = ['before', 'after'];

/** Equality and order: everything but the time operators. */
const COMPARISON_OPERATORS: readonly Operator[] = SEGMENT_OPERATORS.filter(
  (operator) => !TIME_OPERATORS.includes(operator),
);

/** The meaning of a rule's name. */
export type Field =
  | { kind: 'count' | 'deviceType' | 'online' | 'place' | 'tags' }
  | { kind: 'custom'; name: string }
  | { kind: 'tagValue'; tag: string }
  | { kind: 'time'; name: 'installDate' | 'launchTime' }
  | { kind: 'version'; name: 'clientVersion' | 'osVersion' };

type FieldKind = Field['kind'];

const BUILT_IN = new Map<string, Field>([
  ['installDate', { kind: 'time', name: 'installDate' }],
  ['launchTime', { kind: 'time', name: 'launchTime' }],
  ['launchCount', { kind: 'count' }],
  ['tags', { kind: 'tags' }],
  ['deviceType', { kind: 'deviceType' }],
  ['clientVersion', { kind: 'version', name: 'clientVersion' }],
  ['osVersion', { kind: 'version', name: 'osVersion' }],
  ['nearBy', { kind: 'place' }],
  ['online', { kind: 'online' }],
]);

const TAG_VALUE_PREFIX = 'tags.';

/** The field of a validated name. */
export function fieldOf(name: string): Field {
  const builtIn = BUILT_IN.get(name);
  if (builtIn) return builtIn;
  if (name.startsWith(TAG_VALUE_PREFIX)) return { kind: 'tagValue', tag: name.slice(TAG_VALUE_PREFIX.length) };
  return { kind: 'custom', name };
}

/** The operators of each kind of field. For `custom` and `tagValue` the type of the value decides too. */
export const OPERATORS_OF: Record<FieldKind, readonly Operator[]> = {
  count: COMPARISON_OPERATORS,
  custom: SEGMENT_OPERATORS,
  deviceType: EQUALITY_OPERATORS,
  online: EQUALITY_OPERATORS,
  place: ARRAY_OPERATORS,
  tagValue: SEGMENT_OPERATORS,
  tags: EQUALITY_OPERATORS,
  time: [...COMPARISON_OPERATORS, ...TIME_OPERATORS],
  version: COMPARISON_OPERATORS,
};

/** One value that a field is compared with. Text is in NFC. */
export type Scalar = string | number | boolean;

/** A circle on the sphere of `nearBy`. */
export interface Place {
  lat: number;
  lng: number;
  radiusMetres: number;
}

/** One validated condition: `values` holds one value, or the array of `include` and `not_include`. */
export interface Rule {
  kind: 'rule';
  name: string;
  operator: Operator;
  values: Scalar[];
}

/** A validated `nearBy` condition. */
export interface PlaceRule {
  kind: 'place';
  operator: 'include' | 'not_include';
  place: Place;
}

/** All given keys must hold: every one of `all`, one of `any`, none of `none`. */
export interface Group {
  kind: 'group';
  all?: Condition[];
  any?: Condition[];
  none?: Condition[];
}

/** The members of a group. */
export type Condition = Group | PlaceRule | Rule;
