import { readApnsAnswer } from './read-apns-answer';

const NOW = new Date('2026-01-01T00:00:00Z');
const read = (status: number, body: unknown, headers = {}): ReturnType<typeof readApnsAnswer> =>
  readApnsAnswer({ status, headers, body: JSON.stringify(body) }, NOW);

describe('an answer of APNs', () => {
  it('200 is accepted, with the id', () => {
    const answer = { status: 200, headers: { 'apns-id': 'x' }, body: '' };
    expect(readApnsAnswer(answer, NOW)).toEqual({ kind: 'accepted', vendorMessageId: 'x' });
  });

  // Every reason that Apple's documentation has, and some that it does not have.
  it.each([
    [400, 'BadCollapseId', 'request_invalid'],
    [400, 'BadDeviceToken', 'token_invalid'],
    [400, 'BadExpirationDate', 'request_invalid'],
    [400, 'BadMessageId', 'request_invalid'],
    [400, 'BadPriority', 'request_invalid'],
    [400, 'BadTopic', 'config'],
    [400, 'DeviceTokenNotForTopic', 'token_invalid'],
    [400, 'DuplicateHeaders', 'request_invalid'],
    [400, 'IdleTimeout', 'retryable'],
    [400, 'InvalidPushType', 'request_invalid'],
    [400, 'MissingDeviceToken', 'request_invalid'],
    [400, 'MissingTopic', 'config'],
    [400, 'PayloadEmpty', 'request_invalid'],
    [400, 'TopicDisallowed', 'config'],
    [403, 'BadCertificate', 'config'],
    [403, 'BadCertificateEnvironment', 'config'],
    [403, 'ExpiredProviderToken', 'auth_refresh'],
    [403, 'Forbidden', 'config'],
    [403, 'InvalidProviderToken', 'config'],
    [403, 'MissingProviderToken', 'config'],
    [403, 'UnrelatedKeyIdInToken', 'config'],
    [403, 'BadEnvironmentKeyIdInToken', 'config'],
    [403, 'BadEnvironmentKeyInToken', 'config'],
    [404, 'BadPath', 'request_invalid'],
    [405, 'MethodNotAllowed', 'request_invalid'],
    [410, 'ExpiredToken', 'token_invalid'],
    [410, 'Unregistered', 'token_invalid'],
    [413, 'PayloadTooLarge', 'request_invalid'],
    [429, 'TooManyProviderTokenUpdates', 'throttled'],
    [429, 'TooManyRequests', 'throttled'],
    [500, 'InternalServerError', 'retryable'],
    [503, 'ServiceUnavailable', 'retryable'],
    [503, 'Shutdown', 'retryable'],
    [400, 'SomethingNew', 'request_invalid'],
    [403, 'SomethingNew', 'config'],
    [410, 'SomethingNew', 'token_invalid'],
    [429, 'SomethingNew', 'throttled'],
    [500, 'SomethingNew', 'retryable'],
  ])('%d %s is %s', (status, reason, kind) => {
    expect(read(status, { reason })).toMatchObject({ kind, code: reason });
  });

  it.each([
    [201, 'ambiguous'],
    [204, 'ambiguous'],
    [301, 'config'],
    [302, 'config'],
    [307, 'config'],
    [308, 'config'],
    [404, 'config'],
    [405, 'config'],
  ])('%d, which is not one of Apple, is %s', (status, kind) => {
    expect(read(status, '')).toEqual({
      kind,
      code: `HTTP_${status}`,
      reason: `APNs answered ${status} HTTP_${status}`,
    });
  });

  it('410 says since when the token is dead', () => {
    expect(read(410, { reason: 'Unregistered', timestamp: 1_700_000_000_000 })).toMatchObject({
      deadSince: new Date(1_700_000_000_000),
    });
  });

  it.each([1e300, -1e16, '2026-01-01'])('does not take the timestamp %j for a time', (timestamp) => {
    expect(read(410, { reason: 'Unregistered', timestamp })).not.toHaveProperty('deadSince');
  });

  it('does not take the reason constructor for one of the table', () => {
    expect(read(500, { reason: 'constructor' })).toMatchObject({ kind: 'retryable', code: 'constructor' });
  });

  it('slows down one device for TooManyRequests and everybody for TooManyProviderTokenUpdates', () => {
    expect(read(429, { reason: 'TooManyRequests' }, { 'retry-after': '3' })).toMatchObject({
      scope: 'token',
      retryAfterMs: 3_000,
    });
    expect(read(429, { reason: 'TooManyProviderTokenUpdates' })).toMatchObject({ scope: 'route', retryAfterMs: null });
  });

  it.each(['', 'null', '7', '<html>', '{"reason":7}', '{"reason":""}'])('survives the body %j', (body) => {
    expect(readApnsAnswer({ status: 502, headers: {}, body }, NOW)).toMatchObject({
      kind: 'retryable',
      code: 'HTTP_502',
    });
  });
});
