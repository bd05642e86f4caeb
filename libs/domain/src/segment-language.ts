/** The ten operators of a rule. */
export const SEGMENT_OPERATORS = [
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
export type SegmentOperator = (typeof SEGMENT_OPERATORS)[number];

/** How deep groups may be nested; the outermost is the first level. */
export const MAX_GROUP_DEPTH = 5;

/** The most rules of a segment, in all its groups, and the most properties of a target. */
export const MAX_RULES = 100;

/** The most values of `include` and `not_include`. */
export const MAX_RULE_VALUES = 1_000;
