import { fieldKind, type Operator, operatorsOf, type ValueType } from './segment-field';

/** One rule while it is written; its texts may not be valid yet. */
export interface RuleDraft {
  kind: 'rule';
  /** Identifies it while it is on the screen. */
  key: string;
  name: string;
  operator: Operator;
  valueType: ValueType;
  /** One text, or several for `include` and `not_include`. */
  values: string[];
  place: { lat: string; lng: string; radius: string };
}

/** How the members of a group are combined. */
export type GroupMode = 'all' | 'any' | 'none';

/** A group as it is being written. */
export interface GroupDraft {
  kind: 'group';
  key: string;
  mode: GroupMode;
  members: MemberDraft[];
}

/** A member of a group. */
export type MemberDraft = RuleDraft | GroupDraft;

/** Drafts outlive the page that they were begun on, and their keys with them. */
const PAGE = crypto.getRandomValues(new Uint32Array(1))[0]?.toString(36);
let lastKey = 0;

/** A key that nothing else in a draft has. */
export function newKey(): string {
  lastKey += 1;
  return `r${lastKey}-${PAGE}`;
}

/** A rule about a field, with the first operator that the field knows. */
export function newRule(name = 'tags'): RuleDraft {
  return {
    kind: 'rule',
    key: newKey(),
    name,
    operator: operatorsOf(name, 'text')[0] ?? 'equal_to',
    valueType: 'text',
    values: [fieldKind(name) === 'online' ? 'true' : ''],
    place: { lat: '', lng: '', radius: '1000' },
  };
}

/** A group. */
export function newGroup(mode: GroupMode = 'all', members: MemberDraft[] = []): GroupDraft {
  return { kind: 'group', key: newKey(), mode, members };
}

/** The rule about another field: an operator that the other field knows too is kept, the value is not. */
export function withField(rule: RuleDraft, name: string): RuleDraft {
  const fresh = newRule(name);
  const operators = operatorsOf(name, fresh.valueType);
  const isSameKind = fieldKind(name) === fieldKind(rule.name);
  return {
    ...fresh,
    key: rule.key,
    operator: operators.includes(rule.operator) && isSameKind ? rule.operator : fresh.operator,
    ...(isSameKind ? { values: rule.values, valueType: rule.valueType } : {}),
  };
}

/** Returns the rule with another type of value; an operator that the type does not have is replaced. */
export function withValueType(rule: RuleDraft, valueType: ValueType): RuleDraft {
  const operators = operatorsOf(rule.name, valueType);
  return {
    ...rule,
    valueType,
    operator: operators.includes(rule.operator) ? rule.operator : (operators[0] ?? 'equal_to'),
    values: valueType === 'boolean' ? ['true'] : rule.values,
  };
}

/** Returns how many rules are in a group and in the groups inside it. */
export function countRules(group: GroupDraft): number {
  return group.members.reduce((sum, member) => sum + (member.kind === 'rule' ? 1 : countRules(member)), 0);
}

/** The group with the member of a key put in place of the old one; `null` takes it out. */
export function replaceMember(group: GroupDraft, key: string, member: MemberDraft | null): GroupDraft {
  if (group.key === key && member?.kind === 'group') return member;
  return {
    ...group,
    members: group.members.flatMap((old): MemberDraft[] => {
      if (old.key === key) return member === null ? [] : [member];
      return [old.kind === 'group' ? replaceMember(old, key, member) : old];
    }),
  };
}
