import type { Answer } from '../../wire/exchange';

/** The status of every reason that APNs gives (Apple, "Handling notification responses from APNs"). */
export const APNS_STATUS = {
  BadCollapseId: 400,
  BadDeviceToken: 400,
  BadExpirationDate: 400,
  BadMessageId: 400,
  BadPriority: 400,
  BadTopic: 400,
  DeviceTokenNotForTopic: 400,
  DuplicateHeaders: 400,
  IdleTimeout: 400,
  InvalidPushType: 400,
  MissingDeviceToken: 400,
  MissingTopic: 400,
  PayloadEmpty: 400,
  TopicDisallowed: 400,
  BadCertificate: 403,
  BadCertificateEnvironment: 403,
  BadEnvironmentKeyIdInToken: 403,
  ExpiredProviderToken: 403,
  Forbidden: 403,
  InvalidProviderToken: 403,
  MissingProviderToken: 403,
  UnrelatedKeyIdInToken: 403,
  BadPath: 404,
  MethodNotAllowed: 405,
  ExpiredToken: 410,
  Unregistered: 410,
  PayloadTooLarge: 413,
  TooManyProviderTokenUpdates: 429,
  TooManyRequests: 429,
  InternalServerError: 500,
  ServiceUnavailable: 503,
  Shutdown: 503,
} as const;

/** A reason that APNs gives for a refusal. */
export type ApnsReason = keyof typeof APNS_STATUS;

/** The reason that a status is most often given with. */
export const APNS_REASON_BY_STATUS: Record<number, ApnsReason> = {
  400: 'BadDeviceToken',
  403: 'InvalidProviderToken',
  404: 'BadPath',
  405: 'MethodNotAllowed',
  410: 'Unregistered',
  413: 'PayloadTooLarge',
  429: 'TooManyRequests',
  500: 'InternalServerError',
  503: 'ServiceUnavailable',
};

/** 200, no body, the id echoed. */
export function apnsAccepted(apnsId: string): Answer {
  return { status: 200, headers: { 'apns-id': apnsId } };
}

/**
 * A refusal with its reason.
 *
 * @param extra the time since when the token is dead (410), or when to come back
 */
export function apnsRefused(
  status: number,
  reason: string,
  apnsId: string,
  extra: { timestamp?: number; retryAfter?: number | string } = {},
): Answer {
  return {
    status,
    headers: {
      'apns-id': apnsId,
      'content-type': 'application/json',
      ...(extra.retryAfter !== undefined && { 'retry-after': String(extra.retryAfter) }),
    },
    body: JSON.stringify({ reason, ...(extra.timestamp !== undefined && { timestamp: extra.timestamp }) }),
  };
}
