import type { Combination } from './outline-rules';

/**
 * Whether a combination of rules holds, as SQL over the rules' own answers.
 *
 * @param answer SQL of the answer of one rule, never NULL
 * @param left the place of a rule that is left out, as if it had never been written; groups that are empty then go with it
 * @returns null when nothing is left
 */
export function combineSql(combination: Combination, answer: (rule: number) => string, left?: number): string | null {
  if (typeof combination === 'number') return combination === left ? null : answer(combination);
  const members = (key: 'all' | 'any' | 'none'): string[] =>
    (combination[key] ?? []).map((member) => combineSql(member, answer, left)).filter((sql) => sql !== null);
  const [all, any, none] = [members('all'), members('any'), members('none')];
  const terms = [
    ...all,
    ...(any.length > 0 ? [`(${any.join(' OR ')})`] : []),
    ...(none.length > 0 ? [`NOT (${none.join(' OR ')})`] : []),
  ];
  return terms.length > 0 ? `(${terms.join(' AND ')})` : null;
}
