import { HOUR_MS } from '@postrider/domain';

/** The longest pause that anybody may ask for: what they ask for longer is a mistake, or worse. */
const LONGEST_RETRY_AFTER_MS = 6 * HOUR_MS;

const SECONDS = /^\d{1,9}$/;
/** All three forms of an HTTP date begin with the day of the week; `Date.parse` alone accepts almost anything. */
const DATE = /^[A-Z][a-z]{2,8},? /;
/** The form of C's `asctime` has no zone: all HTTP dates are in UTC (RFC 9110 §5.6.7). */
const WITHOUT_ZONE = / \d{4}$/;

/**
 * Reads a `Retry-After` header: seconds or an HTTP date (RFC 9110 §10.2.3).
 * @returns milliseconds from now, six hours at most; null if there is none that can be read
 */
export function retryAfterMs(header: string | string[] | undefined, now: Date): number | null {
  const text = (Array.isArray(header) ? header[0] : header)?.trim();
  if (!text) return null;
  const askedMs = SECONDS.test(text)
    ? Number(text) * 1_000
    : (DATE.test(text) ? Date.parse(WITHOUT_ZONE.test(text) ? `${text} GMT` : text) : NaN) - now.getTime();
  return Number.isNaN(askedMs) ? null : Math.min(Math.max(0, askedMs), LONGEST_RETRY_AFTER_MS);
}
