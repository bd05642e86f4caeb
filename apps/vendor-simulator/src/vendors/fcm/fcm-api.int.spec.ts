import { clockShowing, type RawAnswer, signJwt } from '@postrider/testing';
import { useSimulator } from '../../testing/use-simulator';

const SCOPE = 'https://www.googleapis.com/auth/firebase.messaging';
const SEND = '/v1/projects/demo/messages:send';

describe('FCM, as simulated', () => {
  let now = new Date('2026-11-21T10:00:00Z');
  const simulator = useSimulator({ clock: clockShowing(() => now) });
  beforeEach(() => {
    now = new Date('2026-11-21T10:00:00Z');
  });

  function ask(claims: object = {}, key?: string): Promise<RawAnswer> {
    const account = simulator.credentials.fcm.serviceAccount;
    const iat = Math.floor(now.getTime() / 1_000);
    const usual = { iss: account.client_email, aud: account.token_uri, scope: SCOPE, iat, exp: iat + 3_600 };
    const assertion = signJwt({ ...usual, ...claims }, key ?? account.private_key, { typ: 'JWT' });
    const grant = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
    return simulator.client.postForm('/token', { grant_type: grant, assertion });
  }

  async function authorization(): Promise<string> {
    return `Bearer ${(JSON.parse((await ask()).body) as { access_token: string }).access_token}`;
  }

  async function send(
    message: object,
    extra: object = {},
  ): Promise<{ status: number; body: ReturnType<typeof JSON.parse> }> {
    const answer = await simulator.client.post(SEND, { message, ...extra }, { authorization: await authorization() });
    return { status: answer.status, body: JSON.parse(answer.body) };
  }

  describe('its token endpoint', () => {
    it('gives an access token for an assertion signed by the service account', async () => {
      const answer = await ask();
      expect(answer.status).toBe(200);
      expect(JSON.parse(answer.body)).toEqual({
        access_token: expect.stringMatching(/^ya29\..{40,}/),
        expires_in: 3_599,
        token_type: 'Bearer',
      });
    });

    it.each([
      ['another account', { iss: 'other@demo.iam.gserviceaccount.com' }, 'invalid_grant'],
      ['another audience', { aud: 'https://example.com/token' }, 'invalid_grant'],
      ['no scope for messaging', { scope: 'https://www.googleapis.com/auth/drive' }, 'invalid_scope'],
      ['an assertion of yesterday', { iat: 1_700_000_000, exp: 1_700_003_600 }, 'invalid_grant'],
      ['a lifetime of more than an hour', { exp: 1_795_000_000 }, 'invalid_grant'],
    ])('refuses %s', async (_name, claims, error) => {
      const answer = await ask(claims);
      expect([answer.status, JSON.parse(answer.body).error]).toEqual([400, error]);
    });

    it('refuses an assertion that another key has signed', async () => {
      const answer = await ask({}, simulator.credentials.apns.privateKey);
      expect(JSON.parse(answer.body)).toEqual({ error: 'invalid_grant', error_description: 'Invalid JWT Signature.' });
    });
  });

  it('accepts a message and keeps it in the inbox', async () => {
    const { status, body } = await send({
      token: 'device-1',
      android: { ttl: '3600s', priority: 'HIGH', notification: { title: 'Hello', body: 'World', channel_id: 'news' } },
      data: { m: '{"id":1}' },
    });
    expect(status).toBe(200);
    expect(body.name).toMatch(/^projects\/demo\/messages\/0:\d+%[0-9a-f]+$/);
    expect(simulator.controls.messages()).toEqual([
      expect.objectContaining({
        vendor: 'fcm',
        token: 'device-1',
        title: 'Hello',
        body: 'World',
        vendorMessageId: body.name,
      }),
    ]);
    expect(simulator.controls.stats().fcm).toMatchObject({ accepted: 1, distinctTokens: 1, maxTimesOneToken: 1 });
  });

  it('only checks a message that is sent with validate_only', async () => {
    const { status, body } = await send({ token: 'device-1' }, { validate_only: true });
    expect([status, body.name]).toEqual([200, 'projects/demo/messages/fake_message_id']);
    expect(simulator.controls.messages()).toEqual([]);
    expect(simulator.controls.stats().fcm).toMatchObject({ accepted: 0, rehearsed: 1 });
  });

  it('finds the fault with a token that it would find with a message, and keeps nothing, whatever becomes of the answer', async () => {
    const codeOf = async (token: string): Promise<unknown> => {
      const { status, body } = await send({ token }, { validate_only: true });
      return [status, body.error.details.map(({ errorCode }: { errorCode: string }) => errorCode)];
    };
    expect(await codeOf('dead-1')).toEqual([404, ['UNREGISTERED']]);
    expect(await codeOf('bad-1')).toEqual([400, ['INVALID_ARGUMENT']]);
    simulator.controls.setFaults([
      { vendor: 'fcm', match: { times: 1 }, fault: { kind: 'status', http: 429, retryAfter: 3 } },
      { vendor: 'fcm', fault: { kind: 'reset', taken: true } },
    ]);
    expect(await codeOf('device-1')).toEqual([429, ['QUOTA_EXCEEDED']]);
    await expect(send({ token: 'device-1' }, { validate_only: true })).rejects.toThrow();
    expect(simulator.controls.messages()).toEqual([]);
    expect(simulator.controls.stats().fcm).toMatchObject({ accepted: 0, distinctTokens: 0 });
  });

  it('answers 401 without an FCM error code to a token it never gave, and to one that has run out', async () => {
    const unknown = await simulator.client.post(
      SEND,
      { message: { token: 'x' } },
      { authorization: 'Bearer nonsense' },
    );
    const good = await authorization();
    now = new Date(now.getTime() + 3_601_000);
    const expired = await simulator.client.post(SEND, { message: { token: 'x' } }, { authorization: good });
    for (const answer of [unknown, expired]) {
      expect(answer.status).toBe(401);
      expect(JSON.parse(answer.body).error).toMatchObject({ code: 401, status: 'UNAUTHENTICATED' });
      expect(JSON.parse(answer.body).error.details).toBeUndefined();
    }
  });

  it('answers 404 without an FCM error code for a project that is not its own', async () => {
    const path = '/v1/projects/other/messages:send';
    const answer = await simulator.client.post(
      path,
      { message: { token: 'x' } },
      { authorization: await authorization() },
    );
    const { error } = JSON.parse(answer.body);
    expect([answer.status, error.status, error.details]).toEqual([404, 'NOT_FOUND', undefined]);
  });

  it.each([
    ['an unknown field', { token: 't', sound: 'x' }, 'message'],
    [
      'an unknown field deep down',
      { token: 't', android: { notification: { group: 'x' } } },
      'message.android.notification',
    ],
    ['a number among the data', { token: 't', data: { n: 1 } }, 'message.data.n'],
    ['no target', { data: { a: '1' } }, 'message'],
    ['two targets', { token: 't', topic: 'news' }, 'message'],
    ['a ttl that is a number', { token: 't', android: { ttl: 3600 } }, 'message.android.ttl'],
    ['a ttl without its unit', { token: 't', android: { ttl: '3600' } }, 'message.android.ttl'],
    ['a ttl of more than four weeks', { token: 't', android: { ttl: '2419201s' } }, 'message.android.ttl'],
    ['a reserved data key', { token: 't', data: { from: 'x' } }, 'message.data'],
    ['a reserved data prefix', { token: 't', data: { 'google.x': 'x' } }, 'message.data'],
    ['a priority in small letters', { token: 't', android: { priority: 'high' } }, 'message.android.priority'],
    ['a payload of more than 4096 bytes', { token: 't', data: { m: 'é'.repeat(2_100) } }, 'message'],
    [
      'a light without its durations',
      { token: 't', android: { notification: { light_settings: { color: { red: 1 } } } } },
      'message.android.notification.light_settings.light_on_duration',
    ],
  ])('refuses %s and names the field', async (_name, message, field) => {
    const { status, body } = await send(message);
    expect([status, body.error.status]).toEqual([400, 'INVALID_ARGUMENT']);
    expect(body.error.details[0]['@type']).toBe('type.googleapis.com/google.rpc.BadRequest');
    expect(body.error.details[0].fieldViolations[0].field).toBe(field);
    expect(simulator.controls.messages()).toEqual([]);
  });

  it('takes a payload of 4096 bytes in a longer body', async () => {
    expect(await send({ token: 't'.repeat(163), data: { m: 'x'.repeat(4_095) } })).toMatchObject({ status: 200 });
  });

  it('refuses a body that is not JSON', async () => {
    const answer = await simulator.client.post(SEND, '{"message":', { authorization: await authorization() });
    expect([answer.status, JSON.parse(answer.body).error.status]).toEqual([400, 'INVALID_ARGUMENT']);
  });

  it('calls a token that begins with dead- unregistered, one with bad- malformed, and a flaky- one busy at first', async () => {
    const dead = await send({ token: 'dead-1' });
    expect([dead.status, dead.body.error.details]).toEqual([
      404,
      [{ '@type': 'type.googleapis.com/google.firebase.fcm.v1.FcmError', errorCode: 'UNREGISTERED' }],
    ]);
    const bad = await send({ token: 'bad-1' });
    expect([bad.status, bad.body.error.details]).toEqual([
      400,
      [{ '@type': 'type.googleapis.com/google.firebase.fcm.v1.FcmError', errorCode: 'INVALID_ARGUMENT' }],
    ]);
    const statuses = [];
    for (let time = 0; time < 4; time += 1) statuses.push((await send({ token: 'flaky-1' })).status);
    expect(statuses).toEqual([503, 200, 503, 200]);
    expect(simulator.controls.stats().fcm?.refused).toEqual({ UNREGISTERED: 1, INVALID_ARGUMENT: 1, UNAVAILABLE: 2 });
  });

  it.each([
    [429, 'QUOTA_EXCEEDED', 'RESOURCE_EXHAUSTED'],
    [500, 'INTERNAL', 'INTERNAL'],
    [503, 'UNAVAILABLE', 'UNAVAILABLE'],
    [403, 'SENDER_ID_MISMATCH', 'PERMISSION_DENIED'],
    [401, 'THIRD_PARTY_AUTH_ERROR', 'UNAUTHENTICATED'],
  ])('answers %s %s on demand, with Retry-After', async (http, code, status) => {
    simulator.controls.setFaults([{ vendor: 'fcm', fault: { kind: 'status', http, code, retryAfter: 7 } }]);
    const answer = await simulator.client.post(
      SEND,
      { message: { token: 'x' } },
      { authorization: await authorization() },
    );
    expect([answer.status, answer.headers['retry-after']]).toEqual([http, '7']);
    const { error } = JSON.parse(answer.body);
    expect([error.status, error.details[0].errorCode]).toEqual([status, code]);
  });

  it('answers a permission error of Google without an FCM error code', async () => {
    simulator.controls.setFaults([{ vendor: 'fcm', fault: { kind: 'status', http: 403, code: 'PERMISSION_DENIED' } }]);
    const { status, body } = await send({ token: 'x' });
    expect([status, body.error.status, body.error.details]).toEqual([403, 'PERMISSION_DENIED', undefined]);
  });
});
