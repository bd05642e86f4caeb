import { type Rules, compileEach, type CompileContext } from '../segments/compile-rules';
import type { Condition, Group, PlaceRule, Rule } from '../segments/language/rule';
import { parseRules } from '../segments/parse-rules';
import { joined, sql, type Sql, identifier } from '@postrider/persistence';

/** One rule, and its place in the request (`segment.all[2]`, `target.deviceType`). */
interface OutlinedRule {
  path: string;
  condition: PlaceRule | Rule;
}

/** How rules are combined. A number is a rule's place in `Outline.rules`. */
export type Combination = number | { all?: Combination[]; any?: Combination[]; none?: Combination[] };

/** A parsed group: its rules, in the order of the request, and how they are combined. */
export interface Outline {
  rules: OutlinedRule[];
  whole: Combination;
}

/**
 * Lists the rules of a request and how they are combined.
 *
 * @throws InvalidRequest if they are not valid segment rules
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

/**
 * SQL for the result of a combination of rules, from the results of its rules.
 *
 * @param answer SQL of the result of one rule, never NULL
 * @param left the place of a rule to leave out, as if it had never been written; groups that become empty are left out
 * too
 * @returns null if nothing is left
 */
export function combineSql(combination: Combination, answer: (rule: number) => Sql, left?: number): Sql | null {
  if (typeof combination === 'number') return combination === left ? null : answer(combination);
  const members = (key: 'all' | 'any' | 'none'): Sql[] =>
    (combination[key] ?? []).map((member) => combineSql(member, answer, left)).filter((member) => member !== null);
  const [all, any, none] = [members('all'), members('any'), members('none')];
  const terms = [
    ...all,
    ...(any.length > 0 ? [sql`(${joined(any, ' OR ')})`] : []),
    ...(none.length > 0 ? [sql`NOT (${joined(none, ' OR ')})`] : []),
  ];
  return terms.length > 0 ? sql`(${joined(terms, ' AND ')})` : null;
}

/** The name of the column with the result of one rule. */
export function answerColumn(rule: number): Sql {
  return identifier(`r${rule}`);
}

/**
 * A lateral join that gives each installation (alias `i`) the results of all rules as columns of alias `answers`.
 * `OFFSET 0` keeps PostgreSQL from evaluating a rule again wherever its result is used.
 */
export function joinAnswers({ rules }: Outline, context: CompileContext): Sql {
  const { join, conditions } = compileEach(
    rules.map(({ condition }) => condition),
    context,
  );
  const columns = conditions.map((condition, rule) => sql`${condition} AS ${answerColumn(rule)}`);
  return sql`${join} CROSS JOIN LATERAL (SELECT ${joined(columns, ', ')} OFFSET 0) answers`;
}
