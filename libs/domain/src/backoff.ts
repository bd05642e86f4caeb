/** How waits grow from one failure to the next. */
export interface Backoff {
  firstMs: number;
  maxMs: number;
}

/** Beyond it, doubling makes no difference to any wait, but leaves what a number can hold. */
const MAX_DOUBLINGS = 50;

/**
 * The wait after `failures` failures in a row: `firstMs` after the first, doubled with each further one, `maxMs` at most. Without
 * chance: see `withJitter`.
 */
export function backoffMs({ firstMs, maxMs }: Backoff, failures: number): number {
  return Math.min(firstMs * 2 ** Math.min(Math.max(0, failures - 1), MAX_DOUBLINGS), maxMs);
}

/**
 * A wait, and up to `share` of it more by chance, so that what failed together does not come back together.
 *
 * @param random from 0 up to, not including, 1
 */
export function withJitter(waitMs: number, share: number, random: () => number = Math.random): number {
  return waitMs * (1 + share * random());
}
