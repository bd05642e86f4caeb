import type { SendOutcomeKind } from '@postrider/domain';

/** What an FCM error means. `auth_refresh`: our access token ended early; get another and try once more. */
export type FcmErrorClass = Exclude<SendOutcomeKind, 'accepted' | 'ambiguous'> | 'auth_refresh';

/** By `details[].errorCode` of `google.firebase.fcm.v1.FcmError` (FCM v1, ErrorCode). */
export const FCM_ERROR_CODES: Readonly<Record<string, FcmErrorClass>> = {
  UNREGISTERED: 'token_invalid',
  // The token belongs to another project and will never work here.
  SENDER_ID_MISMATCH: 'token_invalid',
  INVALID_ARGUMENT: 'request_invalid',
  // The project's APNs key or Web Push key is bad: no device is at fault.
  THIRD_PARTY_AUTH_ERROR: 'config',
  QUOTA_EXCEEDED: 'throttled',
  UNAVAILABLE: 'retryable',
  INTERNAL: 'retryable',
  UNSPECIFIED_ERROR: 'retryable',
};

/**
 * By `error.status`, only where no FcmError detail says more. A 404 or 403 of this kind means a wrong project id or a
 * missing permission: it must never cost a device its token.
 */
export const FCM_STATUSES: Readonly<Record<string, FcmErrorClass>> = {
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

/** By HTTP status, for answers that are not FCM's own (a proxy, a load balancer). */
export function classOfHttpStatus(status: number): FcmErrorClass {
  if (status === 401) return 'auth_refresh';
  if (status === 403 || status === 404) return 'config';
  if (status === 429) return 'throttled';
  if (status === 408 || status >= 500) return 'retryable';
  return 'request_invalid';
}
