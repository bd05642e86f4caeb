import { SEGMENT_OPERATORS } from '@postrider/domain';
import type { SegmentResponse } from '@postrider/server/document';
import {
  type GroupDraft,
  type GroupMode,
  type MemberDraft,
  newGroup,
  newKey,
  newRule,
  type RuleDraft,
} from './segment-draft';
import { fieldKind, hasValueType, type Operator, type ValueType } from './segment-field';

/** Rules as the API answers them. */
type WireRules = Pick<SegmentResponse, 'target' | 'segment'>;

const MODES: readonly GroupMode[] = ['all', 'any', 'none'];

/**
 * Rules as the builder shows them. A target becomes rules beside the segment's, which means the same. What the builder
 * cannot show (it is not within the language, which the API would not have kept) is left out.
 */
export function readRules({ target, segment }: WireRules): GroupDraft {
  const root = segment ? readGroup(segment) : newGroup('all');
  if (!target) return root;
  const rules = Object.entries(target).map(([name, value]) =>
    readRule({ name, operator: Array.isArray(value) || fieldKind(name) === 'place' ? 'include' : 'equal_to', value }),
  );
  return root.mode === 'all' ? { ...root, members: [...rules, ...root.members] } : newGroup('all', [...rules, root]);
}

function readGroup(wire: Record<string, unknown>): GroupDraft {
  const given = MODES.filter((mode) => Array.isArray(wire[mode]));
  const membersOf = (mode: GroupMode): MemberDraft[] => (wire[mode] as unknown[]).flatMap(readMember);
  const [only] = given;
  if (given.length === 1 && only) return newGroup(only, membersOf(only));
  const others = given.filter((mode) => mode !== 'all').map((mode) => newGroup(mode, membersOf(mode)));
  return newGroup('all', [...(given.includes('all') ? membersOf('all') : []), ...others]);
}

function readMember(wire: unknown): MemberDraft[] {
  if (typeof wire !== 'object' || wire === null) return [];
  const member = wire as Record<string, unknown>;
  if (typeof member.name !== 'string') return [readGroup(member)];
  return [readRule({ name: member.name, operator: member.operator, value: member.value })];
}

function readRule({ name, operator, value }: { name: string; operator: unknown; value: unknown }): RuleDraft {
  const known = SEGMENT_OPERATORS.find((one): one is Operator => one === operator) ?? 'equal_to';
  const rule = { ...newRule(name), key: newKey(), operator: known };
  if (fieldKind(name) === 'place') return { ...rule, place: readPlace(value) };
  const values: unknown[] = Array.isArray(value) ? value : [value];
  const valueType = typeOf(values, name);
  const asList = AS_LIST[known];
  if (valueType === 'text' && asList && hasValueType(fieldKind(name)) && values.some(isTrimmedInField)) {
    return { ...rule, operator: asList, valueType: 'mixed', values: values.map((one) => JSON.stringify(one)) };
  }
  return {
    ...rule,
    valueType,
    values: values.map((one) => (valueType === 'mixed' ? JSON.stringify(one) : String(one))),
  };
}

/** The operators whose values can be written as a list of JSON. */
const AS_LIST: Partial<Record<Operator, Operator>> = {
  equal_to: 'include',
  include: 'include',
  not_equal: 'not_include',
  not_include: 'not_include',
};

/** True for a text that a field for text does not keep: what a person types has no blanks at its ends. */
function isTrimmedInField(value: unknown): boolean {
  return typeof value === 'string' && (value === '' || value !== value.trim());
}

function typeOf(values: readonly unknown[], name: string): ValueType {
  if (!hasValueType(fieldKind(name))) return 'text';
  const types = new Set(values.map((value) => typeof value));
  if (types.size > 1) return 'mixed';
  if (types.has('number')) return 'number';
  return types.has('boolean') ? 'boolean' : 'text';
}

function readPlace(value: unknown): RuleDraft['place'] {
  const [lat, lng, radius] = Array.isArray(value)
    ? (value as unknown[])
    : ['lat', 'lng', 'radius'].map((key) => (value as Record<string, unknown> | null)?.[key]);
  const text = (part: unknown): string => (typeof part === 'number' || typeof part === 'string' ? String(part) : '');
  return { lat: text(lat), lng: text(lng), radius: text(radius) };
}
