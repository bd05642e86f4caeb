import { FCM_ERROR_CODES, readFcmAnswer } from './read-fcm-answer';

const NOW = new Date('2026-01-01T00:00:00Z');
const FCM_ERROR = 'type.googleapis.com/google.firebase.fcm.v1.FcmError';
const BAD_REQUEST = { '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations: [] };

function read(status: number, error: object, headers = {}): ReturnType<typeof readFcmAnswer> {
  return readFcmAnswer({ status, headers, body: JSON.stringify({ error }) }, NOW);
}
const withCode = (errorCode: string, ...more: object[]): object => ({
  details: [...more, { '@type': FCM_ERROR, errorCode }],
  message: 'm',
});

describe('an answer of FCM', () => {
  it('200 is accepted, with the name of the message', () => {
    const answer = { status: 200, headers: {}, body: '{"name":"projects/p/messages/1"}' };
    expect(readFcmAnswer(answer, NOW)).toEqual({ kind: 'accepted', vendorMessageId: 'projects/p/messages/1' });
    expect(readFcmAnswer({ ...answer, body: '{}' }, NOW)).toEqual({ kind: 'accepted', vendorMessageId: null });
  });

  it.each(['', '<html>', '[]', 'null', '{"name":"proj'])('200 with %j leaves open if FCM has the message', (body) => {
    expect(readFcmAnswer({ status: 200, headers: {}, body }, NOW)).toEqual({
      kind: 'ambiguous',
      code: 'HTTP_200',
      reason: 'The answer 200 is not one of FCM',
    });
  });

  it.each([
    [404, withCode('UNREGISTERED'), 'token_invalid'],
    [403, withCode('SENDER_ID_MISMATCH'), 'token_invalid'],
    [400, withCode('INVALID_ARGUMENT', BAD_REQUEST), 'request_invalid'],
    [400, withCode('INVALID_ARGUMENT'), 'token_invalid'],
    [401, withCode('THIRD_PARTY_AUTH_ERROR'), 'config'],
    [429, withCode('QUOTA_EXCEEDED'), 'throttled'],
    [500, withCode('INTERNAL'), 'retryable'],
    [503, withCode('UNAVAILABLE'), 'retryable'],
    [500, withCode('UNSPECIFIED_ERROR'), 'retryable'],
    [401, { status: 'UNAUTHENTICATED' }, 'auth_refresh'],
    [403, { status: 'PERMISSION_DENIED' }, 'config'],
    [404, { status: 'NOT_FOUND' }, 'config'],
    [400, { status: 'INVALID_ARGUMENT', details: [BAD_REQUEST] }, 'request_invalid'],
    [201, {}, 'ambiguous'],
    [204, {}, 'ambiguous'],
    [301, {}, 'config'],
    [302, {}, 'config'],
    [307, {}, 'config'],
    [308, {}, 'config'],
    [401, {}, 'auth_refresh'],
    [403, {}, 'config'],
    [404, {}, 'config'],
    [408, {}, 'retryable'],
    [418, {}, 'request_invalid'],
    [429, {}, 'throttled'],
    [500, {}, 'retryable'],
    [502, {}, 'retryable'],
  ])('%d %j is %s', (status, error, kind) => {
    expect(read(status, error).kind).toBe(kind);
  });

  it('knows the class by the error code, whatever the HTTP status', () => {
    expect(read(500, withCode('UNREGISTERED'))).toMatchObject({
      kind: 'token_invalid',
      code: 'UNREGISTERED',
      reason: 'm',
    });
  });

  it('says how long to wait when FCM said so, in seconds or as a date', () => {
    expect(read(429, withCode('QUOTA_EXCEEDED'), { 'retry-after': '7' })).toMatchObject({
      retryAfterMs: 7_000,
      scope: 'route',
    });
    expect(read(503, {}, { 'retry-after': 'Thu, 01 Jan 2026 00:01:00 GMT' })).toMatchObject({ retryAfterMs: 60_000 });
    expect(read(503, {})).toMatchObject({ retryAfterMs: null });
  });

  it('slows down one device only for the quota of a device', () => {
    expect(read(429, { ...withCode('QUOTA_EXCEEDED'), message: 'Device message rate exceeded' })).toMatchObject({
      scope: 'token',
    });
  });

  it.each(['', 'null', '[]', '<html>', '{"error":null}', '{"error":"x"}', '{"error":{"details":"x"}}'])(
    'survives the body %j of something that is not FCM',
    (body) => {
      expect(readFcmAnswer({ status: 503, headers: {}, body }, NOW)).toMatchObject({
        kind: 'retryable',
        code: 'HTTP_503',
      });
    },
  );

  it.each([
    { details: [null, 7, 'x', { '@type': 7 }, { '@type': FCM_ERROR, errorCode: {} }] },
    { message: { text: 'no text' } },
    { status: 7 },
    { status: {} },
  ])('takes what has another type than FCM gives it as absent: %j', (error) => {
    expect(read(503, error)).toEqual({
      kind: 'retryable',
      code: 'HTTP_503',
      reason: 'FCM answered 503',
      retryAfterMs: null,
    });
  });

  it.each(['constructor', 'toString', '__proto__'])('does not take the code %s for one of the table', (name) => {
    expect(read(503, { status: name })).toMatchObject({ kind: 'retryable', code: name });
    expect(read(503, withCode(name))).toMatchObject({ kind: 'retryable', code: name });
  });
});

/** https://firebase.google.com/docs/reference/fcm/rest/v1/ErrorCode */
const PUBLISHED = [
  'INVALID_ARGUMENT',
  'UNREGISTERED',
  'SENDER_ID_MISMATCH',
  'THIRD_PARTY_AUTH_ERROR',
  'QUOTA_EXCEEDED',
  'UNAVAILABLE',
  'INTERNAL',
  'UNSPECIFIED_ERROR',
];

it.each(PUBLISHED)('classifies the published error code %s', (errorCode) => {
  expect(FCM_ERROR_CODES).toHaveProperty(errorCode);
});
