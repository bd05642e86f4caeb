/** How many devices a sender expects a message to go to. */
export interface ExpectedCount {
  count: number;
  /** How far the count may differ, as a share of `count`: 0 to 1. */
  tolerance: number;
}

/** The share that is allowed when a sender names none. */
export const DEFAULT_COUNT_TOLERANCE = 0.02;

/**
 * The product of two doubles may be a few units in the last place below the exact one: 0.29 × 100 is 28.999999999999996. Of an
 * exact whole number this makes at least that number.
 */
const ROUNDING = 1 + 4 * Number.EPSILON;

/** True if an audience of `count` devices is the one that its sender expected. */
export function isAsExpected(count: number, expected: ExpectedCount): boolean {
  return Math.abs(count - expected.count) <= Math.floor(expected.tolerance * expected.count * ROUNDING);
}
