import { HOUR_MS, type SendOutcome } from '@postrider/domain';

/** A request that got no answer at all. */
export interface RequestFailure {
  kind: 'unsent' | 'unanswered';
  code: string;
  reason: string;
  retryAfterMs?: number | null;
}

/** Failures that no later try can change: the endpoint itself is not allowed. */
const CONFIG_CODES = new Set(['PRIVATE_ADDRESS', 'PLAIN_ENDPOINT']);

/** Returns the meaning of a request without an answer for the delivery. */
export function outcomeOfFailure(failure: RequestFailure): SendOutcome {
  const { kind, code, reason } = failure;
  if (CONFIG_CODES.has(code)) return { kind: 'config', code, reason };
  if (code === 'NOT_SENDABLE') return { kind: 'request_invalid', code, reason };
  if (kind === 'unanswered') return { kind: 'ambiguous', code, reason };
  return { kind: 'retryable', code, reason, retryAfterMs: failure.retryAfterMs ?? null };
}

/** The outcome of handing a sender another vendor's payload. */
export function wrongPayload(payload: string, sender: string): SendOutcome {
  return { kind: 'request_invalid', code: 'WRONG_PAYLOAD', reason: `A payload for ${payload} was given to ${sender}` };
}

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
