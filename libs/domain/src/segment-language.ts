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

/** How deep groups nest, the outermost being the first level. */
export const MAX_GROUP_DEPTH = 5;

/** How many rules a segment holds, in all its groups; and how many properties a target. */
export const MAX_RULES = 100;

/** How many values `include` and `not_include` take. */
export const MAX_RULE_VALUES = 1_000;
