import type { PostriderError } from '../postrider-error';

/**
 * When a call may be repeated although it is not known whether the first request was carried out: `always`, with its idempotency
 * `key`, or never. A call that was `refused` may always be repeated.
 */
export type Repeat = 'always' | 'key' | 'refused';

/** How often a failed call is repeated, and how long the client waits before. */
export interface RetryOptions {
  /** Repetitions after the first attempt; 0 for none. */
  maxRetries: number;
  /** The first wait; each further one is twice as long. */
  leastMs: number;
  /** The longest wait, and the longest `Retry-After` that the client respects. It does not repeat a call that must wait longer. */
  mostMs: number;
}

/** Four repetitions within about 15 seconds, or as the service asks, but at most a minute each. */
export const DEFAULT_RETRY: RetryOptions = { maxRetries: 4, leastMs: 500, mostMs: 60_000 };

/** True if a call that failed may be made again without being carried out twice. */
export function mayRepeat(error: PostriderError, repeat: Repeat): boolean {
  // The first request with the key is still running: its answer comes with a later one.
  if (error.code === 'CONFLICT') return repeat === 'key';
  if (!error.isTemporary) return false;
  return error.isRefused || repeat !== 'refused';
}

/**
 * Returns how long to wait before a repetition: a window that doubles, and a random place in its upper half, so that
 * many callers after one failure do not come back together. `Retry-After` comes before the window.
 * @param failures so far, from 1
 * @returns null if the service asks for a longer wait than the longest
 */
export function waitMs(
  { retryAfterMs }: Pick<PostriderError, 'retryAfterMs'>,
  failures: number,
  { leastMs, mostMs }: RetryOptions,
  random: () => number = Math.random,
): number | null {
  const windowMs = Math.min(leastMs * 2 ** Math.min(failures - 1, 30), mostMs);
  const jitteredMs = Math.round(windowMs * (0.5 + random() / 2));
  if (retryAfterMs === null) return jitteredMs;
  return retryAfterMs > mostMs ? null : retryAfterMs + Math.round(jitteredMs / 2);
}
