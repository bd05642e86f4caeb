import {
  MAX_GROUP_DEPTH,
  MAX_NAME_LENGTH,
  MAX_RULES,
  normaliseName,
  isoMoment,
  MAX_RULE_VALUES,
  normaliseText,
  versionSortKey,
} from '@postrider/domain';
import type { SegmentGroup, SegmentRule } from '@postrider/server/document';
import { countRules, type GroupDraft, type GroupMode, type MemberDraft, type RuleDraft } from './segment-draft';
import { fieldKind, hasValueType, type Operator, takesList, takesMoment, type ValueType } from './segment-field';

/** A member of a group. */
export type SegmentMember = SegmentRule | SegmentGroup;

/** A segment that was written, or why it cannot be yet. */
export interface WrittenSegment {
  /** Null while something is wrong. */
  segment: SegmentGroup | null;
  /** The problems, by the key of the rule or group. */
  problems: Map<string, string>;
  /** The rule or group at a place of the wire form (`segment.all[2]`). */
  keys: Map<string, string>;
}

const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * Writes a segment as the API takes it. Inside a group of which all must hold, the first group of `any` and of `none` stand
 * as keys of their own, so that no level of nesting is lost to them.
 */
export function writeSegment(root: GroupDraft): WrittenSegment {
  const written: WrittenSegment = { segment: null, problems: new Map(), keys: new Map() };
  const wire = writeGroup(root, 'segment', 1, written);
  if (countRules(root) > MAX_RULES) written.problems.set(root.key, `A segment holds at most ${MAX_RULES} rules`);
  return written.problems.size > 0 ? written : { ...written, segment: wire };
}

/** The finished part of a segment, so that it can be counted while the rest is being written. */
interface FinishedPart {
  /** Null while nothing is finished. */
  segment: SegmentGroup | null;
  /** How many rules are left out. */
  leftOut: number;
}

/** Writes the finished part of a segment: without rules that have a problem, and without groups that are empty then. */
export function writeFinished(root: GroupDraft, { segment, problems }: WrittenSegment): FinishedPart {
  if (segment !== null) return { segment, leftOut: 0 };
  const finished = withoutUnfinished(root, problems);
  if (finished.members.length === 0) return { segment: null, leftOut: 0 };
  return { segment: writeSegment(finished).segment, leftOut: countRules(root) - countRules(finished) };
}

function withoutUnfinished(group: GroupDraft, problems: ReadonlyMap<string, string>): GroupDraft {
  const members = group.members
    .filter((member) => member.kind === 'group' || !problems.has(member.key))
    .map((member) => (member.kind === 'group' ? withoutUnfinished(member, problems) : member))
    .filter((member) => member.kind !== 'group' || member.members.length > 0);
  return { ...group, members };
}

/** Returns the rule or group that a path of an error names: the place itself, or the nearest one around it. */
export function keyOfPath(keys: ReadonlyMap<string, string>, path: string): string | undefined {
  for (let place = path; place !== ''; place = place.replace(/(?:\.[^.[\]]+|\[\d+\]|^[^.[\]]+)$/, '')) {
    const key = keys.get(place);
    if (key !== undefined) return key;
  }
  return undefined;
}

function writeGroup(group: GroupDraft, path: string, depth: number, written: WrittenSegment): SegmentGroup {
  written.keys.set(path, group.key);
  if (depth > MAX_GROUP_DEPTH)
    written.problems.set(group.key, `Groups can be nested at most ${MAX_GROUP_DEPTH} levels deep`);
  if (group.members.length === 0) written.problems.set(group.key, 'Add a rule, or remove this group');
  const wire: SegmentGroup = {};
  for (const [mode, members] of partsOf(group)) {
    wire[mode] = members.map((member, index) => writeMember(member, `${path}.${mode}[${index}]`, depth, written));
  }
  return wire;
}

function writeMember(member: MemberDraft, path: string, depth: number, written: WrittenSegment): SegmentMember {
  if (member.kind === 'group') return writeGroup(member, path, depth + 1, written);
  written.keys.set(path, member.key);
  const reading = readRuleValue(member);
  const problem = problemOfName(member.name) ?? ('problem' in reading ? reading.problem : undefined);
  if (problem !== undefined) written.problems.set(member.key, problem);
  return { name: member.name.trim(), operator: member.operator, value: 'value' in reading ? reading.value : '' };
}

/** Returns the keys of a group on the wire and the members under each. */
function partsOf(group: GroupDraft): [GroupMode, MemberDraft[]][] {
  if (group.mode !== 'all') return [[group.mode, group.members]];
  const any = mergeable(group, 'any');
  const none = mergeable(group, 'none');
  const rest = group.members.filter((member) => member !== any && member !== none);
  const parts: [GroupMode, MemberDraft[]][] = [];
  if (rest.length > 0 || (!any && !none)) parts.push(['all', rest]);
  if (any) parts.push(['any', any.members]);
  if (none) parts.push(['none', none.members]);
  return parts;
}

function mergeable(group: GroupDraft, mode: GroupMode): GroupDraft | undefined {
  return group.members.find(
    (member): member is GroupDraft => member.kind === 'group' && member.mode === mode && member.members.length > 0,
  );
}

function problemOfName(name: string): string | undefined {
  const text = name.trim();
  if (text === '' || text === 'tags.') return 'Enter the name of the field';
  if (normaliseName(text) === null) return `The name of a field has at most ${MAX_NAME_LENGTH} characters`;
  return text.split('.').some((part) => FORBIDDEN.has(part)) ? 'This name is not allowed' : undefined;
}

/** One value of a rule on the wire. */
type Scalar = string | number | boolean;

/** The value of a text, or its problem in words for the person who typed it. */
type ValueReading<T> = { value: T } | { problem: string };

const AGE = /^\d+(?:\.\d+)?[hmd]$/;
const DECIMAL = /^-?\d+(?:\.\d+)?$/;

/** Reads the value of a rule as the API takes it. */
function readRuleValue(rule: RuleDraft): ValueReading<SegmentRule['value']> {
  if (fieldKind(rule.name) === 'place') return readPlace(rule.place);
  const texts = rule.values.map((text) => text.trim());
  if (!takesList(rule.operator)) return readScalar(rule, texts[0] ?? '');
  const filled = texts.filter((text) => text !== '');
  if (filled.length === 0) return { problem: 'Enter at least one value' };
  if (filled.length > MAX_RULE_VALUES) return { problem: `A rule has at most ${MAX_RULE_VALUES} values` };
  const values: Scalar[] = [];
  for (const text of filled) {
    const reading = readScalar(rule, text);
    if ('problem' in reading) return { problem: `${text}: ${reading.problem}` };
    values.push(reading.value);
  }
  return { value: values };
}

function readScalar({ name, operator, valueType }: RuleDraft, text: string): ValueReading<Scalar> {
  if (text === '') return { problem: 'Enter a value' };
  if (normaliseText(text) === null) return { problem: 'It contains a character that cannot be stored' };
  const kind = fieldKind(name);
  if (hasValueType(kind)) return readTyped(text, valueType, operator);
  switch (kind) {
    case 'time':
      return readMoment(text, operator);
    case 'count':
      return readNumber(text);
    case 'online':
      return { value: text === 'true' };
    case 'version':
      return versionSortKey(text) === null
        ? { problem: 'A version has at least one number, like 10.2' }
        : { value: text };
    default:
      return normaliseName(text) === null ? { problem: `At most ${MAX_NAME_LENGTH} characters` } : { value: text };
  }
}

function readTyped(text: string, valueType: ValueType, operator: Operator): ValueReading<Scalar> {
  if (takesMoment(operator)) return readMoment(text, operator);
  switch (valueType) {
    case 'number':
      return readNumber(text);
    case 'boolean':
      return text === 'true' || text === 'false' ? { value: text === 'true' } : { problem: 'It must be true or false' };
    case 'mixed':
      return readLiteral(text);
    default:
      return { value: text };
  }
}

function readMoment(text: string, operator: Operator): ValueReading<string> {
  if (isoMoment(text) !== null || (takesMoment(operator) && AGE.test(text))) return { value: text };
  return {
    problem: takesMoment(operator)
      ? 'Enter minutes, hours or days, or a date'
      : 'Enter a date, like 2024-05-31 or 2024-05-31T12:00Z',
  };
}

function readNumber(text: string): ValueReading<number> {
  return DECIMAL.test(text) ? { value: Number(text) } : { problem: 'It must be a number' };
}

/** One value of a list of mixed types: a number, true, false, or text in double quotes. */
function readLiteral(text: string): ValueReading<Scalar> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return { value };
  } catch {
    // Said below.
  }
  return { problem: 'It must be a number, true, false, or text in double quotes' };
}

function readPlace({
  lat,
  lng,
  radius,
}: RuleDraft['place']): ValueReading<{ lat: number; lng: number; radius: number }> {
  const [north, east, metres] = [lat, lng, radius].map((text) => (DECIMAL.test(text.trim()) ? Number(text) : NaN));
  if (north === undefined || !(Math.abs(north) <= 90)) return { problem: 'The latitude is a number from -90 to 90' };
  if (east === undefined || !(Math.abs(east) <= 180)) return { problem: 'The longitude is a number from -180 to 180' };
  if (metres === undefined || !(metres >= 0)) return { problem: 'The radius is a number of metres' };
  return { value: { lat: north, lng: east, radius: metres } };
}

/** Returns a moment as `<input type="datetime-local">` shows it, in the reader's time zone; '' for an invalid one. */
export function toLocalInput(iso: string): string {
  // Rules are in UTC where they say no offset. The browser would take its own.
  const micros = isoMoment(iso);
  if (micros === null) return '';
  const at = new Date(Number(micros / 1_000n));
  const two = (number: number): string => String(number).padStart(2, '0');
  const date = `${String(at.getFullYear()).padStart(4, '0')}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${date}T${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** The moment that such an input says, as ISO 8601 in UTC; '' while it says none. */
export function fromLocalInput(local: string): string {
  const at = new Date(local);
  return local === '' || Number.isNaN(at.getTime()) ? '' : `${at.toISOString().slice(0, 19)}Z`;
}

/** Returns the parts of an age as rules write it (`72h`); null: it is a moment or empty. */
export function readAge(text: string): { amount: string; unit: string } | null {
  const [, amount, unit] = /^(\d*(?:\.\d*)?)([hmd])$/.exec(text) ?? [];
  return amount === undefined || unit === undefined ? null : { amount, unit };
}
