import type { Rules } from '../segments/compile-rules';
import type { Condition, Group, PlaceRule, Rule } from '../segments/language/rule';
import { parseRules } from '../segments/parse-rules';

/** One rule, and where it stands in the request (`segment.all[2]`, `target.deviceType`). */
export interface OutlinedRule {
  path: string;
  condition: PlaceRule | Rule;
}

/** How rules are combined; a number is a rule's place in `Outline.rules`. */
export type Combination = number | { all?: Combination[]; any?: Combination[]; none?: Combination[] };

/** A group taken apart: its rules, in the order of the request, and how they are combined. */
export interface Outline {
  rules: OutlinedRule[];
  whole: Combination;
}

/**
 * Takes rules apart.
 *
 * @throws InvalidRequest when they are not within the segment language
 */
export function outlineRules(rules: Rules): Outline {
  const { all = [] } = parseRules(rules);
  const [target, segment] = rules.target === undefined ? [undefined, all[0]] : [all[0], all[1]];
  const outlined: OutlinedRule[] = [];
  const parts: Combination[] = [];
  if (target?.kind === 'group') parts.push(outlineTarget(target, Object.keys(rules.target ?? {}), outlined));
  if (segment?.kind === 'group') parts.push(outlineGroup(segment, 'segment', outlined));
  return { rules: outlined, whole: { all: parts } };
}

function outlineTarget({ all = [] }: Group, names: string[], outlined: OutlinedRule[]): Combination {
  return { all: all.map((condition, index) => outline(condition, `target.${names[index] ?? ''}`, outlined)) };
}

function outlineGroup(group: Group, path: string, outlined: OutlinedRule[]): Combination {
  const combination: Exclude<Combination, number> = {};
  for (const key of ['all', 'any', 'none'] as const) {
    const conditions = group[key];
    if (!conditions) continue;
    combination[key] = conditions.map((condition, index) => outline(condition, `${path}.${key}[${index}]`, outlined));
  }
  return combination;
}

function outline(condition: Condition, path: string, outlined: OutlinedRule[]): Combination {
  if (condition.kind === 'group') return outlineGroup(condition, path, outlined);
  return outlined.push({ path, condition }) - 1;
}
