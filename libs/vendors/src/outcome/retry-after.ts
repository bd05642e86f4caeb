const SECONDS = /^\d{1,9}$/;
/** All three forms of an HTTP date begin with the day of the week; `Date.parse` alone takes almost anything. */
const DATE = /^[A-Z][a-z]{2,8},? /;

/**
 * Reads a `Retry-After` header: seconds or an HTTP date (RFC 9110 §10.2.3).
 *
 * @returns milliseconds from now, or null when there is none that can be read
 */
export function retryAfterMs(header: string | string[] | undefined, now: Date): number | null {
  const text = (Array.isArray(header) ? header[0] : header)?.trim();
  if (!text) return null;
  if (SECONDS.test(text)) return Number(text) * 1_000;
  const at = DATE.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - now.getTime());
}
