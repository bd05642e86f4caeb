import type { SendOutcome } from '@postrider/domain';
import { retryAfterMs } from '../outcome/retry-after';
import { APNS_REASONS, classOfApnsStatus } from './apns-errors';

/** An HTTP answer of APNs. */
export interface ApnsAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

/** What an answer of APNs means; `auth_refresh` when the provider token was too old. */
export function readApnsAnswer(
  answer: ApnsAnswer,
  now: Date,
): SendOutcome | { kind: 'auth_refresh'; code: string; reason: string } {
  const { status, headers } = answer;
  if (status === 200) {
    const id = headers['apns-id'];
    return { kind: 'accepted', vendorMessageId: typeof id === 'string' ? id : null };
  }
  return refusal(status, parse(answer.body), retryAfterMs(headers['retry-after'], now));
}

function refusal(
  status: number,
  { reason: code = `HTTP_${status}`, timestamp }: { reason?: string; timestamp?: number },
  afterMs: number | null,
): Exclude<ReturnType<typeof readApnsAnswer>, { kind: 'accepted' }> {
  const reason = `APNs answered ${status} ${code}`;
  const kind = APNS_REASONS[code] ?? classOfApnsStatus(status);
  switch (kind) {
    case 'token_invalid':
      return { kind, code, reason, ...(timestamp === undefined ? {} : { deadSince: new Date(timestamp) }) };
    case 'throttled_token':
      return { kind: 'throttled', code, reason, scope: 'token', retryAfterMs: afterMs };
    case 'throttled_route':
      return { kind: 'throttled', code, reason, scope: 'route', retryAfterMs: afterMs };
    case 'retryable':
      return { kind, code, reason, retryAfterMs: afterMs };
    default:
      return { kind, code, reason };
  }
}

function parse(body: string): { reason?: string; timestamp?: number } {
  try {
    const value = JSON.parse(body) as { reason?: unknown; timestamp?: unknown } | null;
    return {
      ...(typeof value?.reason === 'string' ? { reason: value.reason } : {}),
      ...(typeof value?.timestamp === 'number' ? { timestamp: value.timestamp } : {}),
    };
  } catch {
    return {};
  }
}
