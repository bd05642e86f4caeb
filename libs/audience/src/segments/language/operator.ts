/** The ten operators (push-api, Segment). */
export const OPERATORS = [
  'equal_to',
  'not_equal',
  'lesser_than',
  'lesser_equals',
  'greater_than',
  'greater_equals',
  'include',
  'not_include',
  'before',
  'after',
] as const;

export type Operator = (typeof OPERATORS)[number];

/** Whether a text names an operator. */
export function isOperator(text: unknown): text is Operator {
  return (OPERATORS as readonly unknown[]).includes(text);
}

/** Operators that only ask whether the value is there; every kind of field has them. */
export const EQUALITY_OPERATORS: readonly Operator[] = ['equal_to', 'not_equal', 'include', 'not_include'];

/** Operators that take an array of values. */
export const ARRAY_OPERATORS: readonly Operator[] = ['include', 'not_include'];

/** Operators that take a moment, also a relative one. */
export const TIME_OPERATORS: readonly Operator[] = ['before', 'after'];

/** Equality and order: everything but the time operators. */
export const COMPARISON_OPERATORS: readonly Operator[] = OPERATORS.filter(
  (operator) => !TIME_OPERATORS.includes(operator),
);
