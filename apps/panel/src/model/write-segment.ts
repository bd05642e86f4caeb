import { MAX_GROUP_DEPTH, MAX_NAME_LENGTH, MAX_RULES, normaliseName } from '@postrider/domain';
import type { SegmentGroup, SegmentRule } from '../api/generated/document';
import { readRuleValue } from './rule-value';
import { countRules, type GroupDraft, type GroupMode, type MemberDraft } from './segment-draft';

/** What a group holds. */
export type SegmentMember = SegmentRule | SegmentGroup;

/** A segment that was written, or why it cannot be yet. */
export interface WrittenSegment {
  /** Null while something is wrong. */
  segment: SegmentGroup | null;
  /** What is wrong, by the key of the rule or group. */
  problems: Map<string, string>;
  /** Which rule or group stands at a place of the wire form (`segment.all[2]`). */
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

/** The rule or group that a path of an error names: the place itself, or the nearest one that it stands in. */
export function keyOfPath(keys: ReadonlyMap<string, string>, path: string): string | undefined {
  for (let place = path; place !== ''; place = place.replace(/(?:\.[^.[\]]+|\[\d+\]|^[^.[\]]+)$/, '')) {
    const key = keys.get(place);
    if (key !== undefined) return key;
  }
  return undefined;
}

function writeGroup(group: GroupDraft, path: string, depth: number, written: WrittenSegment): SegmentGroup {
  written.keys.set(path, group.key);
  if (depth > MAX_GROUP_DEPTH) written.problems.set(group.key, `Groups go at most ${MAX_GROUP_DEPTH} levels deep`);
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

/** The keys of a group on the wire and what stands under each. */
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
  if (text === '' || text === 'tags.') return 'Name the field';
  if (normaliseName(text) === null) return `The name of a field has at most ${MAX_NAME_LENGTH} characters`;
  return text.split('.').some((part) => FORBIDDEN.has(part)) ? 'This name is not allowed' : undefined;
}
