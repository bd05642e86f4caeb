import { SEGMENT_OPERATORS } from '@postrider/domain';
import { ARRAY_OPERATORS, COMPARISON_OPERATORS, EQUALITY_OPERATORS, TIME_OPERATORS, type Operator } from './operator';

/** What a rule's name stands for. */
export type Field =
  | { kind: 'count' | 'deviceType' | 'online' | 'place' | 'tags' }
  | { kind: 'custom'; name: string }
  | { kind: 'tagValue'; tag: string }
  | { kind: 'time'; name: 'installDate' | 'launchTime' }
  | { kind: 'version'; name: 'clientVersion' | 'osVersion' };

export type FieldKind = Field['kind'];

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

/** The field that a validated name stands for. */
export function fieldOf(name: string): Field {
  const builtIn = BUILT_IN.get(name);
  if (builtIn) return builtIn;
  if (name.startsWith(TAG_VALUE_PREFIX)) return { kind: 'tagValue', tag: name.slice(TAG_VALUE_PREFIX.length) };
  return { kind: 'custom', name };
}

/** The operators that a kind of field knows; under `custom` and `tagValue` the value's type has a say too. */
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
