import type { SendOutcome } from '@postrider/domain';
import { classIn } from '../outcome/class-in';
import { retryAfterMs } from '../outcome/retry-after';

/** The meaning of an APNs reason. */
type ApnsErrorClass =
  | 'token_invalid'
  | 'request_invalid'
  | 'config'
  | 'retryable'
  /** Too many requests for this device's token. */
  | 'throttled_token'
  /** Too many requests over the whole route. */
  | 'throttled_route'
  /** Our provider token is too old. */
  | 'auth_refresh'
  /** Nobody knows if the message was accepted. */
  | 'ambiguous';

/** Classes by the `reason` of an answer (Apple, Handling notification responses from APNs). */
const APNS_REASONS: Readonly<Record<string, ApnsErrorClass>> = {
  BadCollapseId: 'request_invalid',
  // A production token gets it in the sandbox, too.
  BadDeviceToken: 'token_invalid',
  BadExpirationDate: 'request_invalid',
  BadMessageId: 'request_invalid',
  BadPriority: 'request_invalid',
  BadTopic: 'config',
  DeviceTokenNotForTopic: 'token_invalid',
  DuplicateHeaders: 'request_invalid',
  IdleTimeout: 'retryable',
  InvalidPushType: 'request_invalid',
  MissingDeviceToken: 'request_invalid',
  MissingTopic: 'config',
  PayloadEmpty: 'request_invalid',
  TopicDisallowed: 'config',
  BadCertificate: 'config',
  BadCertificateEnvironment: 'config',
  ExpiredProviderToken: 'auth_refresh',
  Forbidden: 'config',
  InvalidProviderToken: 'config',
  MissingProviderToken: 'config',
  UnrelatedKeyIdInToken: 'config',
  // The documentation's spelling and the one seen on the wire.
  BadEnvironmentKeyIdInToken: 'config',
  BadEnvironmentKeyInToken: 'config',
  BadPath: 'request_invalid',
  MethodNotAllowed: 'request_invalid',
  ExpiredToken: 'token_invalid',
  Unregistered: 'token_invalid',
  PayloadTooLarge: 'request_invalid',
  TooManyProviderTokenUpdates: 'throttled_route',
  TooManyRequests: 'throttled_token',
  InternalServerError: 'retryable',
  ServiceUnavailable: 'retryable',
  Shutdown: 'retryable',
};

/** Returns the class by HTTP status, for a reason that is not in the table. */
function classOfApnsStatus(status: number): ApnsErrorClass {
  // Apple's only success is 200: another one may come from a proxy.
  if (status < 300) return 'ambiguous';
  // Whatever stands in Apple's place answers so: a wrong address, or a gateway that wants a sign-in first.
  if (status < 400 || [403, 404, 405].includes(status)) return 'config';
  if (status === 410) return 'token_invalid';
  if (status === 429) return 'throttled_route';
  return status >= 500 ? 'retryable' : 'request_invalid';
}

/** An HTTP answer of APNs. */
interface ApnsAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

/** Returns the meaning of an answer of APNs; `auth_refresh` if the provider token was too old. */
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
  const kind = classIn(APNS_REASONS, code) ?? classOfApnsStatus(status);
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
      ...(typeof value?.reason === 'string' && value.reason !== '' ? { reason: value.reason } : {}),
      ...(isMoment(value?.timestamp) ? { timestamp: value.timestamp } : {}),
    };
  } catch {
    return {};
  }
}

/** True for milliseconds since 1970 that a `Date` can have. */
function isMoment(value: unknown): value is number {
  return typeof value === 'number' && !Number.isNaN(new Date(value).getTime());
}
