import type { SendOutcome } from '@postrider/domain';
import { retryAfterMs } from '../outcome/retry-after';
import { classOfHttpStatus, FCM_ERROR_CODES, FCM_STATUSES, type FcmErrorClass } from './fcm-errors';

/** An HTTP answer of the send API. */
export interface FcmAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

interface FcmError {
  status?: string;
  message?: string;
  details?: { '@type'?: string; errorCode?: string }[];
}

const FCM_ERROR = 'google.firebase.fcm.v1.FcmError';
const BAD_REQUEST = 'google.rpc.BadRequest';

/** What an answer of `projects.messages.send` means; `auth_refresh` when the access token was refused. */
export function readFcmAnswer(
  answer: FcmAnswer,
  now: Date,
): SendOutcome | { kind: 'auth_refresh'; code: string; reason: string } {
  const body = parse(answer.body);
  if (answer.status === 200) {
    return { kind: 'accepted', vendorMessageId: typeof body.name === 'string' ? body.name : null };
  }
  const error = (typeof body.error === 'object' && body.error !== null ? body.error : {}) as FcmError;
  const { kind, code } = classify(answer.status, error);
  const reason = error.message ?? `FCM answered ${answer.status}`;
  if (kind === 'throttled' || kind === 'retryable') {
    const afterMs = retryAfterMs(answer.headers['retry-after'], now);
    if (kind === 'retryable') return { kind, code, reason, retryAfterMs: afterMs };
    return { kind, code, reason, scope: scopeOfQuota(reason), retryAfterMs: afterMs };
  }
  return { kind, code, reason };
}

function classify(status: number, error: FcmError): { kind: FcmErrorClass; code: string } {
  const details = Array.isArray(error.details) ? error.details : [];
  const errorCode = details.find((detail) => detail['@type']?.endsWith(FCM_ERROR))?.errorCode;
  if (errorCode === 'INVALID_ARGUMENT') {
    // A malformed token has no field violation beside it; a fault of the payload has.
    const isPayload = details.some((detail) => detail['@type']?.endsWith(BAD_REQUEST));
    return { kind: isPayload ? 'request_invalid' : 'token_invalid', code: errorCode };
  }
  if (errorCode) return { kind: FCM_ERROR_CODES[errorCode] ?? classOfHttpStatus(status), code: errorCode };
  const name = error.status;
  return { kind: (name && FCM_STATUSES[name]) || classOfHttpStatus(status), code: name ?? `HTTP_${status}` };
}

/** The device quota is one token's trouble, the message quota everybody's; FCM tells them apart in words only. */
function scopeOfQuota(reason: string): 'route' | 'token' {
  return /device/i.test(reason) ? 'token' : 'route';
}

function parse(body: string): { name?: unknown; error?: unknown } {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
