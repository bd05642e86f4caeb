import { RuleProblems, readName } from './language/rule-problems';
import { type Group, fieldOf, type Condition } from './language/rule';
import { isJsonObject, MAX_GROUP_DEPTH, MAX_RULES } from '@postrider/domain';
import { readCondition, readRule, RULE_KEYS } from './language/read-rule';

/**
 * Reads and validates `target` and `segment` of a request. If both are given, both must hold.
 *
 * @returns a group of valid conditions, text in NFC
 * @throws InvalidRequest naming every bad place at once, in the caller's own field names (`segment.all[2].value`); also
 * if neither is given, or one that would reach everybody (`{}`, `{ all: [] }`)
 */
export function parseRules(body: { target?: unknown; segment?: unknown }): Group {
  const problems = new RuleProblems();
  const groups = [
    body.target === undefined ? null : readTarget(body.target, problems),
    body.segment === undefined ? null : readSegment(body.segment, problems),
  ];
  if (body.target === undefined && body.segment === undefined)
    problems.add('target', 'is required when there is no segment');
  problems.throwIfAny();
  return { kind: 'group', all: groups.filter((group) => group !== null) };
}

/**
 * Reads `target`: each property equals its value, and an array means one of its values. Null if any of it is bad, which
 * is then added to `problems`.
 */
function readTarget(target: unknown, problems: RuleProblems): Group | null {
  if (!isJsonObject(target)) return problems.add('target', 'must be an object of field names and values');
  const properties = Object.entries(target);
  if (properties.length === 0)
    return problems.add('target', 'must name a field; to address everybody, use toUsers with user "*"');
  if (properties.length > MAX_RULES) return problems.add('target', `must hold at most ${MAX_RULES} fields`);
  const all: Condition[] = [];
  for (const [key, value] of properties) {
    const path = `target.${key}`;
    const name = readName(key, path, problems);
    if (name === null) continue;
    const isOneOf = Array.isArray(value) || fieldOf(name).kind === 'place';
    const condition = readCondition(name, isOneOf ? 'include' : 'equal_to', value, path, problems);
    if (condition) all.push(condition);
  }
  return { kind: 'group', all };
}

const GROUP_KEYS = ['all', 'any', 'none'] as const;

/** No segment within the limits has more groups than this. A larger one is not read to its end. */
const MAX_GROUPS = MAX_RULES * MAX_GROUP_DEPTH;

/** Reads `segment`: groups of rules and groups. Null if any of it is bad, which is then added to `problems`. */
function readSegment(segment: unknown, problems: RuleProblems): Group | null {
  return new SegmentReader(problems).readGroup(segment, 'segment', 1);
}

class SegmentReader {
  private rules = 0;
  private groups = 0;

  constructor(private readonly problems: RuleProblems) {}

  readGroup(value: unknown, path: string, depth: number): Group | null {
    if (!isJsonObject(value)) return this.problems.add(path, 'must be an object with all, any or none');
    if (depth > MAX_GROUP_DEPTH) return this.problems.add(path, `must not nest deeper than ${MAX_GROUP_DEPTH} levels`);
    if (++this.groups === MAX_GROUPS + 1) this.problems.add('segment', `must hold at most ${MAX_GROUPS} groups`);
    const keys = Object.keys(value);
    if (keys.length === 0) return this.problems.add(path, 'must have all, any or none');
    const group: Group = { kind: 'group' };
    for (const key of keys) {
      if (!isGroupKey(key)) this.problems.add(`${path}.${key}`, `is not known in a group: ${GROUP_KEYS.join(', ')}`);
      else group[key] = this.readList(value[key], `${path}.${key}`, depth);
    }
    return group;
  }

  private readList(value: unknown, path: string, depth: number): Condition[] {
    const conditions: Condition[] = [];
    if (!Array.isArray(value) || value.length === 0) {
      this.problems.add(path, 'must be an array of at least one rule or group');
      return conditions;
    }
    for (const [index, element] of value.entries()) {
      const condition = this.readElement(element, `${path}[${index}]`, depth);
      if (condition) conditions.push(condition);
      if (this.rules > MAX_RULES || this.groups > MAX_GROUPS) break;
    }
    return conditions;
  }

  private readElement(element: unknown, path: string, depth: number): Condition | null {
    if (!isJsonObject(element)) {
      return this.problems.add(path, 'must be a rule { name, operator, value } or a group with all, any or none');
    }
    const isRule = RULE_KEYS.some((key) => Object.hasOwn(element, key));
    if (!isRule) return this.readGroup(element, path, depth + 1);
    if (++this.rules === MAX_RULES + 1) return this.problems.add('segment', `must hold at most ${MAX_RULES} rules`);
    return readRule(element, path, this.problems);
  }
}

function isGroupKey(key: string): key is (typeof GROUP_KEYS)[number] {
  return (GROUP_KEYS as readonly string[]).includes(key);
}
