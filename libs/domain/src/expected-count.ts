/** The number of devices that a sender expects a message to go to. */
export interface ExpectedCount {
  count: number;
  /** How far the count may differ, as a share of `count`: 0 to 1. */
  tolerance: number;
}

/** The tolerance if a sender names none. */
export const DEFAULT_COUNT_TOLERANCE = 0.02;

/**
 * The product of two doubles may be slightly below the exact one: 0.29 × 100 is 28.999999999999996. This factor raises
 * it to at least the exact whole number.
 */
const ROUNDING = 1 + 4 * Number.EPSILON;

/** True if an audience of `count` devices is within the sender's expectation. */
export function isAsExpected(count: number, expected: ExpectedCount): boolean {
  return Math.abs(count - expected.count) <= Math.floor(expected.tolerance * expected.count * ROUNDING);
}
