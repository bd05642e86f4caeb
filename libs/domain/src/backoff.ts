/** How the pauses grow with consecutive failures. */
interface Backoff {
  firstMs: number;
  maxMs: number;
}

/** Beyond this, doubling changes no pause, and would exceed what a number can hold. */
const MAX_DOUBLINGS = 50;

/**
 * The pause after `failures` consecutive failures: `firstMs` after the first, doubled with each further one, at most
 * `maxMs`. Without a random part: see `withJitter`.
 */
export function backoffMs({ firstMs, maxMs }: Backoff, failures: number): number {
  return Math.min(firstMs * 2 ** Math.min(Math.max(0, failures - 1), MAX_DOUBLINGS), maxMs);
}

/**
 * A pause with a random addition of up to `share` of it, so that clients that failed together do not come back
 * together.
 *
 * @param random from 0 up to, not including, 1
 */
export function withJitter(waitMs: number, share: number, random: () => number = Math.random): number {
  return waitMs * (1 + share * random());
}
