import type { Combination } from './outline-rules';

/** Whether a combination of rules holds, given each rule's answer. */
export function holds(combination: Combination, answers: readonly boolean[]): boolean {
  if (typeof combination === 'number') return answers[combination] === true;
  const { all = [], any, none = [] } = combination;
  return (
    all.every((member) => holds(member, answers)) &&
    (any === undefined || any.some((member) => holds(member, answers))) &&
    !none.some((member) => holds(member, answers))
  );
}

/**
 * The rules that make a combination hold or fail: those that would have to change for it to change, and no others.
 *
 * @returns places of rules, in the order of the request
 */
export function decisiveRules(combination: Combination, answers: readonly boolean[]): number[] {
  if (typeof combination === 'number') return [combination];
  const { all = [], any = [], none = [] } = combination;
  const isTrue = (member: Combination): boolean => holds(member, answers);
  const anyHolds = combination.any === undefined || any.some(isTrue);
  const members = holds(combination, answers)
    ? [...all, ...any.filter(isTrue), ...none]
    : [...all.filter((member) => !isTrue(member)), ...(anyHolds ? [] : any), ...none.filter(isTrue)];
  return members.flatMap((member) => decisiveRules(member, answers)).sort((a, b) => a - b);
}
