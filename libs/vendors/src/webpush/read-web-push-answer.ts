import type { SendOutcome } from '@postrider/domain';
import { retryAfterMs } from '../outcome/retry-after';

/** What a status of a push service means (RFC 8030; RFC 8292 for 401 and 403). */
const WEB_PUSH_STATUSES: Readonly<Record<number, Exclude<SendOutcome['kind'], 'ambiguous'>>> = {
  200: 'accepted',
  201: 'accepted',
  202: 'accepted',
  400: 'request_invalid',
  // The key is not the one the browser subscribed with: ours changed, or this browser subscribed with another one.
  401: 'mismatch',
  403: 'mismatch',
  404: 'token_invalid',
  410: 'token_invalid',
  413: 'request_invalid',
  429: 'throttled',
};

/** What an answer of a push service means. */
export function readWebPushAnswer(
  answer: { status: number; headers: Record<string, string | string[] | undefined>; body: string },
  now: Date,
): SendOutcome {
  const { status, headers } = answer;
  const kind = WEB_PUSH_STATUSES[status] ?? (status >= 500 || status === 408 ? 'retryable' : 'request_invalid');
  const code = `HTTP_${status}`;
  const reason = `The push service answered ${status}${answer.body === '' ? '' : `: ${answer.body.slice(0, 200)}`}`;
  const afterMs = retryAfterMs(headers['retry-after'], now);
  if (kind === 'accepted') {
    return { kind, vendorMessageId: typeof headers.location === 'string' ? headers.location : null };
  }
  if (kind === 'throttled') return { kind, code, reason, scope: 'route', retryAfterMs: afterMs };
  if (kind === 'retryable') return { kind, code, reason, retryAfterMs: afterMs };
  return { kind, code, reason };
}
