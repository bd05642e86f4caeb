import type { SmsOutcome } from './sms-sender';

/** What a provider's code means. */
export type SmsErrorClass = Exclude<SmsOutcome['kind'], 'accepted'>;

const LONGEST_REASON = 300;

/** The outcome of a refusal. `throttled` is the account's, never one phone's. */
export function refusalOf(
  kind: SmsErrorClass,
  code: string,
  said: string,
  retryAfterMs: number | null = null,
): SmsOutcome {
  const reason = said.slice(0, LONGEST_REASON);
  if (kind === 'throttled') return { kind, code, reason, scope: 'route', retryAfterMs };
  if (kind === 'retryable') return { kind, code, reason, retryAfterMs };
  return { kind, code, reason };
}

/**
 * By HTTP status, where a provider's own code says nothing. 503 is said at the door; behind any other 5xx the SMS may well
 * have gone out.
 */
export function classOfSmsStatus(status: number): SmsErrorClass {
  const known = STATUSES[status];
  if (known !== undefined) return known;
  if (status >= 500 || status < 300) return 'ambiguous';
  return status < 400 ? 'config' : 'request_invalid';
}

const STATUSES: Readonly<Record<number, SmsErrorClass>> = {
  401: 'config',
  403: 'config',
  404: 'config',
  405: 'config',
  408: 'ambiguous',
  429: 'throttled',
  503: 'retryable',
};
