import { readAge } from './write-segment';
import type { GroupDraft, MemberDraft, RuleDraft } from './segment-draft';
import { BUILT_IN_FIELDS, fieldKind, sayOperator, takesList, takesMoment } from './segment-field';

const NAMED_VALUES = 4;
const UNITS: Record<string, string> = { m: 'minutes', h: 'hours', d: 'days' };

/** The name of a field in words. */
export function sayField(name: string): string {
  const builtIn = BUILT_IN_FIELDS.find((field) => field.name === name);
  if (builtIn) return builtIn.label;
  return name.startsWith('tags.') ? `Value of the tag ${name.slice('tags.'.length)}` : name;
}

/** One rule as a sentence. */
export function sayRule(rule: RuleDraft): string {
  const kind = fieldKind(rule.name);
  const operator = sayOperator(kind, rule.operator);
  if (kind === 'online') return isYes(rule) ? 'the app is open now' : 'the app is not open now';
  if (kind === 'place') {
    const { lat, lng, radius } = rule.place;
    return `${sayField(rule.name)} ${operator} ${radius} m of ${lat}, ${lng}`;
  }
  const subject = kind === 'tags' ? 'the user' : sayField(rule.name).trim() || '…';
  return sayAge(rule, subject) ?? `${subject} ${sayFew(rule, operator)} ${sayValues(rule)}`;
}

/** A list of one tag is that tag. */
function sayFew({ name, operator, values }: RuleDraft, said: string): string {
  const isOne = fieldKind(name) === 'tags' && values.filter((text) => text.trim() !== '').length === 1;
  if (isOne && operator === 'include') return 'has the tag';
  return isOne && operator === 'not_include' ? 'does not have the tag' : said;
}

/** A rule about how long ago something was; null for another rule. */
function sayAge({ operator, values }: RuleDraft, subject: string): string | null {
  const age = takesMoment(operator) ? readAge(values[0] ?? '') : null;
  if (age === null) return null;
  const span = `${age.amount || '…'} ${UNITS[age.unit] ?? ''}`;
  if (operator === 'after') return `${subject} is within the last ${span}`;
  return operator === 'before' ? `${subject} is more than ${span} ago` : null;
}

/** A segment as a sentence, groups in brackets. */
export function saySegment(group: GroupDraft): string {
  if (group.members.length === 0) return 'no rules yet';
  const parts = group.members.map(sayMember);
  if (group.mode === 'none') return `not (${parts.join(' or ')})`;
  return parts.join(group.mode === 'all' ? ' and ' : ' or ');
}

function sayMember(member: MemberDraft): string {
  if (member.kind === 'rule') return sayRule(member);
  const text = saySegment(member);
  return member.mode === 'none' || member.members.length < 2 ? text : `(${text})`;
}

function isYes({ operator, values }: RuleDraft): boolean {
  return (values[0] === 'true') === (operator === 'equal_to');
}

function sayValues({ operator, values }: RuleDraft): string {
  if (takesList(operator)) return sayList(values.filter((text) => text.trim() !== ''));
  const text = values[0] ?? '';
  const age = takesMoment(operator) ? readAge(text) : null;
  if (age !== null) return `${age.amount || '…'} ${UNITS[age.unit] ?? ''} ago`;
  return text === '' ? '…' : text;
}

function sayList(values: readonly string[]): string {
  const shown = values.slice(0, NAMED_VALUES).join(', ');
  return values.length > NAMED_VALUES ? `${shown} and ${values.length - NAMED_VALUES} more` : shown || '…';
}
