import { parseJsonObject, type SendOutcome, type SendOutcomeKind } from '@postrider/domain';
import { classIn } from '../outcome/class-in';
import { retryAfterMs } from '../outcome/retry-after';

/** The meaning of an FCM error. `auth_refresh`: our access token ended early; get another and try once more. */
type FcmErrorClass = Exclude<SendOutcomeKind, 'accepted' | 'ambiguous'> | 'auth_refresh';

/**
 * FCM's code for a device that needs a key of APNs or of Web Push which the Firebase project does not have, or not any more.
 * Android devices need none.
 */
export const FCM_KEY_MISSING = 'THIRD_PARTY_AUTH_ERROR';

/** Classes by `details[].errorCode` of `google.firebase.fcm.v1.FcmError` (FCM v1, ErrorCode). */
export const FCM_ERROR_CODES: Readonly<Record<string, FcmErrorClass>> = {
  UNREGISTERED: 'token_invalid',
  // The token belongs to another project and will never work here.
  SENDER_ID_MISMATCH: 'token_invalid',
  INVALID_ARGUMENT: 'request_invalid',
  // The project's APNs key or Web Push key is bad: no device is at fault.
  [FCM_KEY_MISSING]: 'config',
  QUOTA_EXCEEDED: 'throttled',
  UNAVAILABLE: 'retryable',
  INTERNAL: 'retryable',
  UNSPECIFIED_ERROR: 'retryable',
};

/**
 * Classes by `error.status`, used only if no FcmError detail says more. A 404 or 403 of this kind means a wrong project
 * id or a missing permission: it must never cost a device its token.
 */
const FCM_STATUSES: Readonly<Record<string, FcmErrorClass>> = {
  UNAUTHENTICATED: 'auth_refresh',
  PERMISSION_DENIED: 'config',
  NOT_FOUND: 'config',
  INVALID_ARGUMENT: 'request_invalid',
  FAILED_PRECONDITION: 'config',
  RESOURCE_EXHAUSTED: 'throttled',
  UNAVAILABLE: 'retryable',
  INTERNAL: 'retryable',
  DEADLINE_EXCEEDED: 'retryable',
};

/** Returns the class by HTTP status, for answers that are not FCM's own (a proxy, a load balancer). */
function classOfHttpStatus(status: number): FcmErrorClass {
  if (status === 401) return 'auth_refresh';
  // A redirect comes from whatever stands in FCM's place: a wrong address, or a gateway that wants a sign-in first.
  if (status < 400 || status === 403 || status === 404) return 'config';
  if (status === 429) return 'throttled';
  if (status === 408 || status >= 500) return 'retryable';
  return 'request_invalid';
}

/** An HTTP answer of the send API. */
interface FcmAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

interface FcmError {
  status: string | undefined;
  message: string | undefined;
  details: { type: string | undefined; errorCode: string | undefined }[];
}

type FcmBody = { name?: unknown; error?: unknown };

const FCM_ERROR = 'google.firebase.fcm.v1.FcmError';
const BAD_REQUEST = 'google.rpc.BadRequest';

/** Returns the meaning of an answer of `projects.messages.send`; `auth_refresh` if the access token was refused. */
export function readFcmAnswer(
  answer: FcmAnswer,
  now: Date,
): SendOutcome | { kind: 'auth_refresh'; code: string; reason: string } {
  const body = parseJsonObject(answer.body);
  if (answer.status < 300) return readSuccess(answer.status, body);
  const error = readError(body?.error);
  const { kind, code } = classify(answer.status, error);
  const reason = error.message ?? `FCM answered ${answer.status}`;
  if (kind === 'throttled' || kind === 'retryable') {
    const afterMs = retryAfterMs(answer.headers['retry-after'], now);
    if (kind === 'retryable') return { kind, code, reason, retryAfterMs: afterMs };
    return { kind, code, reason, scope: scopeOfQuota(reason), retryAfterMs: afterMs };
  }
  return { kind, code, reason };
}

/** FCM answers 200 with JSON. Another success may come from a proxy, or be cut off. */
function readSuccess(status: number, body: FcmBody | null): SendOutcome {
  if (status !== 200 || body === null) {
    return { kind: 'ambiguous', code: `HTTP_${status}`, reason: `The answer ${status} is not one of FCM` };
  }
  return { kind: 'accepted', vendorMessageId: textOf(body.name) ?? null };
}

function classify(status: number, { status: name, details }: FcmError): { kind: FcmErrorClass; code: string } {
  const errorCode = details.find(({ type }) => type?.endsWith(FCM_ERROR))?.errorCode;
  if (errorCode === 'INVALID_ARGUMENT') {
    // A malformed token has no field violation beside it; a fault of the payload has.
    const isPayload = details.some(({ type }) => type?.endsWith(BAD_REQUEST));
    return { kind: isPayload ? 'request_invalid' : 'token_invalid', code: errorCode };
  }
  if (errorCode) return { kind: classIn(FCM_ERROR_CODES, errorCode) ?? classOfHttpStatus(status), code: errorCode };
  return { kind: classIn(FCM_STATUSES, name) ?? classOfHttpStatus(status), code: name ?? `HTTP_${status}` };
}

/** Reads an error member by member: what is not of its type counts as absent. */
function readError(error: unknown): FcmError {
  const { status, message, details } = objectOf(error);
  return {
    status: textOf(status),
    message: textOf(message),
    details: (Array.isArray(details) ? details : []).map((detail) => {
      const { '@type': type, errorCode } = objectOf(detail);
      return { type: textOf(type), errorCode: textOf(errorCode) };
    }),
  };
}

function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The device quota concerns one token, the message quota all of them; FCM tells them apart in words only. */
function scopeOfQuota(reason: string): 'route' | 'token' {
  return /device/i.test(reason) ? 'token' : 'route';
}
