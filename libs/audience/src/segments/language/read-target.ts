import { MAX_RULES } from '@postrider/domain';
import { fieldOf } from './field';
import { isJsonObject } from './json-object';
import type { Problems } from './problems';
import { readName } from './read-name';
import { readCondition } from './read-rule';
import type { Condition, Group } from './rule';

/**
 * Reads `target`: each property equals its value, an array means one of. Null when any of it was bad,
 * which is noted then.
 */
export function readTarget(target: unknown, problems: Problems): Group | null {
  if (!isJsonObject(target)) return problems.add('target', 'must be an object of field names and values');
  const properties = Object.entries(target);
  if (properties.length === 0)
    return problems.add('target', 'must name a field; user "*" of toUsers addresses everybody');
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
