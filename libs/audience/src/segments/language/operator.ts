import { SEGMENT_OPERATORS, type SegmentOperator } from '@postrider/domain';

export type Operator = SegmentOperator;

/** Whether a text names an operator. */
export function isOperator(text: unknown): text is Operator {
  return (SEGMENT_OPERATORS as readonly unknown[]).includes(text);
}

/** Operators that only ask whether the value is there; every kind of field has them. */
export const EQUALITY_OPERATORS: readonly Operator[] = ['equal_to', 'not_equal', 'include', 'not_include'];

/** Operators that take an array of values. */
export const ARRAY_OPERATORS: readonly Operator[] = ['include', 'not_include'];

/** Operators that take a moment, also a relative one. */
export const TIME_OPERATORS: readonly Operator[] = ['before', 'after'];

/** Equality and order: everything but the time operators. */
export const COMPARISON_OPERATORS: readonly Operator[] = SEGMENT_OPERATORS.filter(
  (operator) => !TIME_OPERATORS.includes(operator),
);
