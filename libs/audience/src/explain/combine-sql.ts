import { joined, sql, type Sql } from '@postrider/persistence';
import type { Combination } from './outline-rules';

/**
 * Whether a combination of rules holds, as SQL over the rules' own answers.
 *
 * @param answer SQL of the answer of one rule, never NULL
 * @param left the place of a rule that is left out, as if it had never been written; groups that are empty then go with it
 * @returns null when nothing is left
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
