import { clockShowing } from '@postrider/testing';
import { useSimulator } from '../../testing/use-simulator';

const NOTIFICATION = { title: 'Hello', body: 'World', click_action: { type: 3 } };

describe('Huawei Push Kit, as simulated', () => {
  let now = new Date('2026-11-21T10:00:00Z');
  let authorization: string;
  const simulator = useSimulator({ clock: clockShowing(() => now) });
  beforeEach(async () => {
    now = new Date('2026-11-21T10:00:00Z');
    const { appId, clientSecret } = simulator.credentials.hms;
    const form = { grant_type: 'client_credentials', client_id: appId, client_secret: clientSecret };
    const { body } = await simulator.client.postForm('/oauth2/v3/token', form);
    authorization = `Bearer ${JSON.parse(body).access_token}`;
  });

  async function send(
    message: object,
    appId = simulator.credentials.hms.appId,
  ): Promise<{ status: number; body: ReturnType<typeof JSON.parse> }> {
    const answer = await simulator.client.post(`/v1/${appId}/messages:send`, { message }, { authorization });
    return { status: answer.status, body: JSON.parse(answer.body) };
  }

  it('gives no access token for a wrong secret', async () => {
    const form = { grant_type: 'client_credentials', client_id: simulator.credentials.hms.appId, client_secret: 'no' };
    const answer = await simulator.client.postForm('/oauth2/v3/token', form);
    expect([answer.status, JSON.parse(answer.body).error]).toEqual([400, 'invalid_client']);
  });

  it('accepts a message for several tokens, each with its own card', async () => {
    const { status, body } = await send({ token: ['a', 'b'], android: { notification: NOTIFICATION, ttl: '60s' } });
    expect([status, body]).toEqual([200, { code: '80000000', msg: 'Success', requestId: expect.any(String) }]);
    expect(simulator.controls.messages()).toEqual([
      expect.objectContaining({ token: 'b', title: 'Hello', vendorMessageId: body.requestId }),
      expect.objectContaining({ token: 'a', body: 'World', vendorMessageId: body.requestId }),
    ]);
  });

  it('names the dead among the living, in a string of JSON, under a status of 200', async () => {
    const { status, body } = await send({ token: ['a', 'dead-1', 'b', 'dead-2'], data: 'x' });
    expect([status, body.code]).toEqual([200, '80100000']);
    expect(JSON.parse(body.msg)).toEqual({ success: 2, failure: 2, illegal_tokens: ['dead-1', 'dead-2'] });
    expect(simulator.controls.messages().map(({ token }) => token)).toEqual(['b', 'a']);
  });

  it('calls all tokens invalid when they are, and when the application is another', async () => {
    expect(await send({ token: ['dead-1'], data: 'x' })).toMatchObject({ status: 200, body: { code: '80300007' } });
    expect(await send({ token: ['a'], data: 'x' }, '100000000')).toMatchObject({
      status: 200,
      body: { code: '80300007' },
    });
  });

  it('tells an access token that has run out from one it never gave', async () => {
    now = new Date(now.getTime() + 3_601_000);
    expect(await send({ token: ['a'], data: 'x' })).toMatchObject({ status: 401, body: { code: '80200003' } });
    authorization = 'Bearer nonsense';
    expect(await send({ token: ['a'], data: 'x' })).toMatchObject({ status: 401, body: { code: '80200001' } });
  });

  it.each([
    ['no target', { data: 'x' }, '80100003'],
    ['an unknown field', { token: ['a'], sound: 'x' }, '80100003'],
    ['data that is not a string', { token: ['a'], data: { a: 1 } }, '80100003'],
    [
      'a notification without click_action',
      { token: ['a'], android: { notification: { title: 't', body: 'b' } } },
      '80100003',
    ],
    [
      'a click on no address',
      { token: ['a'], android: { notification: { ...NOTIFICATION, click_action: { type: 2 } } } },
      '80100003',
    ],
    [
      'a notification without title',
      { token: ['a'], android: { notification: { body: 'b', click_action: { type: 3 } } } },
      '80100003',
    ],
    ['a ttl of more than 15 days', { token: ['a'], android: { ttl: '1296001s' } }, '80100004'],
    ['a body of more than 4096 bytes', { token: ['a'], data: 'x'.repeat(4_097) }, '80300008'],
    ['a message of nothing', { token: ['a'] }, '80100003'],
    ['a message of settings alone', { token: ['a'], android: { ttl: '60s', urgency: 'HIGH' } }, '80100003'],
    ['no token in the list', { token: [], data: 'x' }, '80300010'],
    ['1001 tokens', { token: Array.from({ length: 1_001 }, (_, n) => `t${n}`), data: 'x' }, '80300010'],
  ])('refuses %s', async (_name, message, code) => {
    expect(await send(message)).toMatchObject({ status: 400, body: { code } });
  });

  it('takes data by either of its names', async () => {
    expect(await send({ token: ['a'], data: 'x' })).toMatchObject({ status: 200, body: { code: '80000000' } });
    expect(await send({ token: ['a'], android: { data: 'x' } })).toMatchObject({ body: { code: '80000000' } });
  });

  it('takes 1000 tokens, which do not count towards the size of the body', async () => {
    const token = Array.from({ length: 1_000 }, (_, n) => `${'t'.repeat(130)}${n}`);
    expect(await send({ token, data: 'x' })).toMatchObject({ status: 200, body: { code: '80000000' } });
    expect(simulator.controls.stats().hms).toMatchObject({ accepted: 1_000, distinctTokens: 1_000 });
  });
});
