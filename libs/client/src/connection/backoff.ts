import { PostriderError } from '../rest/postrider-error';

/** The range of waits between tries. */
export interface BackoffRange {
  leastMs: number;
  mostMs: number;
}

/**
 * The client's own, because it depends on no other package. The wait before a try: a window that doubles with each failure, and a random place in its upper half, so that the devices that
 * one broken server lost do not all come back at the same moment.
 *
 * @param failures in a row, from 1
 */
export function backoffMs(
  failures: number,
  { leastMs, mostMs }: BackoffRange,
  random: () => number = Math.random,
): number {
  const windowMs = Math.min(leastMs * 2 ** Math.min(failures - 1, 30), mostMs);
  return Math.round(windowMs * (0.5 + random() / 2));
}

/** The longest wait that anybody may ask for. A timer of more than 24 days would run at once. */
const LONGEST_WAIT_MS = 6 * 60 * 60_000;

/** Returns how long the service asks to wait (`Retry-After`) after this failure of a call; 0: it does not. */
export function askedWaitMs(error: unknown): number {
  const wantedMs = error instanceof PostriderError ? (error.retryAfterMs ?? 0) : 0;
  return Math.min(wantedMs, LONGEST_WAIT_MS);
}
