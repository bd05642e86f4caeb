import { MAX_GROUP_DEPTH, MAX_RULES } from '@postrider/domain';
import { isJsonObject } from './json-object';
import type { Problems } from './problems';
import { readRule, RULE_KEYS } from './read-rule';
import type { Condition, Group } from './rule';

const GROUP_KEYS = ['all', 'any', 'none'] as const;

/** No segment within the limits has more groups than this; what has more is not looked at to its end. */
const MAX_GROUPS = MAX_RULES * MAX_GROUP_DEPTH;

/** Reads `segment`: groups of rules and groups. Null when any of it was bad, which is noted then. */
export function readSegment(segment: unknown, problems: Problems): Group | null {
  return new SegmentReader(problems).readGroup(segment, 'segment', 1);
}

class SegmentReader {
  private rules = 0;
  private groups = 0;

  constructor(private readonly problems: Problems) {}

  readGroup(value: unknown, path: string, depth: number): Group | null {
    if (!isJsonObject(value)) return this.problems.add(path, 'must be an object with all, any or none');
    if (depth > MAX_GROUP_DEPTH) return this.problems.add(path, `must not nest deeper than ${MAX_GROUP_DEPTH} levels`);
    if (++this.groups === MAX_GROUPS + 1) this.problems.add('segment', `must hold at most ${MAX_GROUPS} groups`);
    const keys = Object.keys(value);
    if (keys.length === 0) return this.problems.add(path, 'must hold all, any or none');
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
