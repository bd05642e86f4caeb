import type { OutgoingHttpHeaders } from 'node:http';
import type { Answer } from '../../wire/exchange';
import type { Refusal, Refused } from '../vendor-api';

const JSON_HEADERS: OutgoingHttpHeaders = { 'content-type': 'application/json; charset=UTF-8' };
const FCM_ERROR = 'type.googleapis.com/google.firebase.fcm.v1.FcmError';
const BAD_REQUEST = 'type.googleapis.com/google.rpc.BadRequest';

/** One field that FCM complains about. */
export interface FieldViolation {
  field: string;
  description: string;
}

/** `google.rpc` status and sentence per FCM error code. */
const CODES: Record<string, { http: number; status: string; message: string }> = {
  UNREGISTERED: { http: 404, status: 'NOT_FOUND', message: 'Requested entity was not found.' },
  SENDER_ID_MISMATCH: { http: 403, status: 'PERMISSION_DENIED', message: 'SenderId mismatch' },
  INVALID_ARGUMENT: {
    http: 400,
    status: 'INVALID_ARGUMENT',
    message: 'The registration token is not a valid FCM registration token',
  },
  THIRD_PARTY_AUTH_ERROR: {
    http: 401,
    status: 'UNAUTHENTICATED',
    message: 'Auth error from APNS or Web Push Service',
  },
  QUOTA_EXCEEDED: { http: 429, status: 'RESOURCE_EXHAUSTED', message: 'Quota exceeded for quota metric.' },
  UNAVAILABLE: { http: 503, status: 'UNAVAILABLE', message: 'The service is currently unavailable.' },
  INTERNAL: { http: 500, status: 'INTERNAL', message: 'Internal error encountered.' },
};

/** Errors that Google's front gives before FCM sees the request: they carry no FCM error code. */
const FRONT_CODES: Record<string, { http: number; message: string }> = {
  UNAUTHENTICATED: {
    http: 401,
    message:
      'Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid ' +
      'authentication credential.',
  },
  PERMISSION_DENIED: { http: 403, message: "Permission 'cloudmessaging.messages.create' denied on resource." },
  NOT_FOUND: { http: 404, message: 'Requested entity was not found.' },
};

const CODE_BY_HTTP: Record<number, string> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'SENDER_ID_MISMATCH',
  404: 'UNREGISTERED',
  429: 'QUOTA_EXCEEDED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
};

/** 200 with the message's name. */
export function fcmAccepted(name: string): Answer {
  return { status: 200, headers: JSON_HEADERS, body: `{"name":"${name}"}` };
}

/** 400 that names the fields. */
export function fcmBadRequest(message: string, violations: FieldViolation[]): Answer {
  return failure(400, 'INVALID_ARGUMENT', message, [
    { '@type': BAD_REQUEST, fieldViolations: violations },
    { '@type': FCM_ERROR, errorCode: 'INVALID_ARGUMENT' },
  ]);
}

/** An error of Google's front (credentials, permissions, project): no FCM error code. */
export function fcmFrontError(status: 'UNAUTHENTICATED' | 'PERMISSION_DENIED' | 'NOT_FOUND'): Answer {
  const { http, message } = FRONT_CODES[status] ?? { http: 500, message: status };
  return failure(http, status, message, []);
}

/** Returns FCM's answer to a token that it refuses, or while it is not well itself. */
export function fcmRefusal(refusal: Refusal): Refused {
  if (refusal.kind === 'dead') return refusalOf(404, 'UNREGISTERED', undefined);
  if (refusal.kind === 'invalid') return refusalOf(400, 'INVALID_ARGUMENT', undefined);
  return refusalOf(refusal.http, refusal.code ?? CODE_BY_HTTP[refusal.http] ?? 'INTERNAL', refusal.retryAfter);
}

function refusalOf(http: number, code: string, retryAfter: number | string | undefined): Refused {
  const front = FRONT_CODES[code];
  const known = CODES[code];
  const details = front ? [] : [{ '@type': FCM_ERROR, errorCode: code }];
  const message = known?.message ?? front?.message ?? code;
  return { code, answer: failure(http, known?.status ?? code, message, details, retryAfter) };
}

function failure(
  code: number,
  status: string,
  message: string,
  details: object[],
  retryAfter?: number | string,
): Answer {
  const headers = retryAfter === undefined ? JSON_HEADERS : { ...JSON_HEADERS, 'retry-after': String(retryAfter) };
  const error = { code, message, status, ...(details.length > 0 && { details }) };
  return { status: code, headers, body: JSON.stringify({ error }) };
}
