/** What an APNs reason means. */
export type ApnsErrorClass =
  | 'token_invalid'
  | 'request_invalid'
  | 'config'
  | 'retryable'
  /** Too many requests for this device's token. */
  | 'throttled_token'
  /** Too many requests over the whole route. */
  | 'throttled_route'
  /** Our provider token is too old. */
  | 'auth_refresh';

/** By the `reason` of an answer (Apple, Handling notification responses from APNs). */
export const APNS_REASONS: Readonly<Record<string, ApnsErrorClass>> = {
  BadCollapseId: 'request_invalid',
  // Also what a production token gets in the sandbox.
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

/** By HTTP status, for a reason that is not in the table. */
export function classOfApnsStatus(status: number): ApnsErrorClass {
  if (status === 403) return 'config';
  if (status === 410) return 'token_invalid';
  if (status === 429) return 'throttled_route';
  return status >= 500 ? 'retryable' : 'request_invalid';
}
