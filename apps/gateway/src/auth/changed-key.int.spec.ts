import { createHmac } from 'node:crypto';
import { SealedValuesRepository } from '@postrider/persistence';
import { LOGGER, type Logger, newId, Secret, SecretBox } from '@postrider/platform';
import { sealTrackedLink, trackedLinkKey } from '@postrider/rendering';
import { startTestGateway, TEST_ADMIN_TOKEN, type TestAnswer, type TestGateway } from '../testing/test-gateway';

const FORMER = new Secret('former-key-'.repeat(4));
const NEXT = new Secret('next-key-'.repeat(4));
const PANEL = { 'x-postrider-panel': '1' };

/** An application and its secrets. */
interface Shop {
  id: string;
  client: string;
  identityKey: string;
  /** Valid beside it. */
  formerKey: string;
  webhookId: string;
  publicKey: string;
}

describe('changing the secret key', () => {
  let running: TestGateway[];
  let before: TestGateway;

  const startAlso = async (secretKey: Secret, secretKeyPrevious?: Secret): Promise<TestGateway> => {
    const databaseUrl = new Secret(before.databaseUrl);
    const gateway = await startTestGateway({ databaseUrl, secretKey, secretKeyPrevious });
    running.push(gateway);
    return gateway;
  };
  const admin = (at: TestGateway, method: string, path: string, body?: unknown): Promise<TestAnswer> =>
    at.request(method, `/api/admin/apps${path}`, { body, headers: { authorization: `Bearer ${TEST_ADMIN_TOKEN}` } });

  const openShop = async (at: TestGateway, id: string): Promise<Shop> => {
    const { body } = await admin(at, 'POST', '', { id, name: id, requireUserHash: true });
    const vendor = await admin(at, 'PUT', `/${id}/vendors/webpush`, { subject: 'mailto:ops@shop.example' });
    const webhook = await at.request('POST', '/api/webhooks', {
      body: { url: 'https://shop.example/hook', events: ['message.done'] },
      headers: { 'x-access-token': body.tokens.server },
    });
    const { client } = body.tokens;
    const rotated = await admin(at, 'POST', `/${id}/rotate-identity-key`);
    return {
      id,
      client,
      identityKey: rotated.body.identityKey,
      formerKey: body.identityKey,
      webhookId: webhook.body.id,
      publicKey: vendor.body.publicKey,
    };
  };

  const register = async (at: TestGateway, shop: Shop, key: string): Promise<number> => {
    const userHash = createHmac('sha256', key).update('ada').digest('hex');
    const body = { userId: 'ada', deviceType: 'android', userHash };
    return (await at.request('POST', '/api/installations', { body, headers: { 'x-access-token': shop.client } }))
      .status;
  };

  /** Uses every sealed value of a shop. The answers show that each opens. */
  const use = async (at: TestGateway, shop: Shop): Promise<unknown[]> => {
    const registered = await register(at, shop, shop.identityKey);
    const registeredBefore = await register(at, shop, shop.formerKey);
    const vendor = await admin(at, 'PUT', `/${shop.id}/vendors/webpush`, { subject: 'mailto:ops@shop.example' });
    const webhook = await at.request('POST', `/api/webhooks/${shop.webhookId}/rotate-secret?appId=${shop.id}`, {
      headers: { authorization: `Bearer ${TEST_ADMIN_TOKEN}` },
    });
    return [registered, registeredBefore, vendor.body.publicKey === shop.publicKey, webhook.status];
  };
  const WORKS = [200, 200, true, 200];

  const signIn = async (at: TestGateway): Promise<string> => {
    const headers = { host: new URL(at.address).host, ...PANEL };
    const answer = await at.request('POST', '/panel/session', { body: { token: TEST_ADMIN_TOKEN }, headers });
    return String(answer.headers['set-cookie']).split(';')[0] ?? '';
  };
  const session = async (at: TestGateway, cookie: string): Promise<number> =>
    (await at.request('GET', '/panel/session', { headers: { host: new URL(at.address).host, cookie, ...PANEL } }))
      .status;
  const follow = async (at: TestGateway, sealedUnder: Secret): Promise<number> => {
    const link = { appId: 'old', messageId: newId(), installationId: newId(), link: 'https://shop.example/' };
    const token = sealTrackedLink(trackedLinkKey(sealedUnder.reveal()), link);
    return (await at.request('GET', `/t/l/${token}`, { headers: { 'user-agent': 'Mozilla/5.0' } })).status;
  };

  beforeEach(async () => {
    running = [];
    before = await startTestGateway({ secretKey: FORMER });
  });

  afterEach(async () => {
    for (const gateway of running) await gateway.close();
    await before.close();
  });

  it('goes step by step, with gateways at different steps, and nothing stops working', async () => {
    const old = await openShop(before, 'old');
    const cookie = await signIn(before);

    const ready = await startAlso(FORMER, NEXT);
    const changed = await startAlso(NEXT, FORMER);
    const fresh = await openShop(changed, 'fresh');
    const newCookie = await signIn(changed);
    for (const [at, name] of [
      [ready, 'ready'],
      [changed, 'changed'],
      [ready, 'ready again'],
    ] as const) {
      expect([name, await use(at, old), await use(at, fresh)]).toEqual([name, WORKS, WORKS]);
      expect([name, await session(at, cookie), await session(at, newCookie)]).toEqual([name, 200, 200]);
      expect([name, await follow(at, FORMER), await follow(at, NEXT)]).toEqual([name, 302, 302]);
    }

    const box = new SecretBox(NEXT, FORMER);
    const first = await new SealedValuesRepository(before.database).reseal(box, 1);
    expect(first.unopened).toEqual([]);
    expect(first.resealed).toMatchObject({
      'identity keys': 1,
      'former identity keys': 1,
      'phone keys': 2,
      'vendor credentials': 2,
      'webhook secrets': 2,
    });
    const again = await new SealedValuesRepository(before.database).reseal(box);
    expect(again).toEqual({
      resealed: {
        'identity keys': 0,
        'former identity keys': 0,
        'phone keys': 0,
        'vendor credentials': 0,
        'webhook secrets': 0,
      },
      unopened: [],
    });

    const done = await startAlso(NEXT);
    expect([await use(done, old), await use(done, fresh)]).toEqual([WORKS, WORKS]);
    expect([await session(done, newCookie), await session(done, cookie)]).toEqual([200, 401]);
    expect([await follow(done, NEXT), await follow(done, FORMER)]).toEqual([302, 404]);
  });

  it('leaves what no key opens as it is, and names it', async () => {
    for (const id of ['old', 'fresh']) await openShop(before, id);
    const { unopened, resealed } = await new SealedValuesRepository(before.database).reseal(
      new SecretBox(new Secret('w'.repeat(32)), NEXT),
    );
    expect(unopened).toHaveLength(10);
    expect(unopened).toContain('vendor:old:webpush');
    expect(Object.values(resealed)).toEqual([0, 0, 0, 0, 0]);
  });

  it('leaves a hash that nobody can check refused until the operator mends the identity key, and says so once', async () => {
    const shop = await openShop(before, 'unproved');
    const after = await startAlso(NEXT);
    const warned = jest.spyOn(after.app.get<Logger>(LOGGER), 'warn').mockReturnValue();
    const body = { userId: 'ada', deviceType: 'android', userHash: 'f'.repeat(64) };
    const headers = { 'x-access-token': shop.client };
    for (let times = 0; times < 2; times += 1) {
      expect(await after.request('POST', '/api/installations', { body, headers })).toMatchObject({
        status: 503,
        headers: { 'retry-after': '60' },
        body: { error: { code: 'UNAVAILABLE', message: expect.stringContaining('userHash') } },
      });
    }
    const unhashed = await after.request('POST', '/api/installations', { body: { ...body, userHash: 'x' }, headers });
    expect(unhashed.status).toBe(401);
    expect(warned.mock.calls.filter(([, event]) => event === 'identity-key.unusable')).toEqual([
      [
        { appId: 'unproved', reason: expect.stringContaining('identity:unproved cannot be decrypted') },
        expect.anything(),
      ],
    ]);
    const overview = (at: TestGateway): Promise<TestAnswer> =>
      at.request('GET', '/api/push/overview?appId=unproved', {
        headers: { authorization: `Bearer ${TEST_ADMIN_TOKEN}` },
      });
    const notice = {
      kind: 'identity_key',
      severity: 'error',
      message: expect.stringContaining('another SECRET_KEY'),
    };
    expect((await overview(after)).body.attention).toContainEqual(expect.objectContaining(notice));
    expect((await overview(before)).body.attention).not.toContainEqual(expect.objectContaining({ kind: notice.kind }));

    const rotated = await admin(after, 'POST', '/unproved/rotate-identity-key');
    expect([
      await register(after, shop, rotated.body.identityKey),
      await register(after, shop, shop.identityKey),
    ]).toEqual([200, 401]);
    expect((await overview(after)).body.attention).not.toContainEqual(expect.objectContaining({ kind: notice.kind }));
  });

  it('is survived when the former one is lost: whatever is stored anew works, and an answer says what cannot be read', async () => {
    const shop = await openShop(before, 'lost');
    const sms = { provider: 'kavenegar', apiKey: 'key', sender: '1000', endpoint: 'https://sms.example.com' };
    expect((await admin(before, 'PUT', '/lost/vendors/sms', sms)).status).toBe(200);
    const after = await startAlso(NEXT);
    const keepsPair = await admin(after, 'PUT', '/lost/vendors/webpush', { subject: 'mailto:ops@shop.example' });
    expect(keepsPair).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT' } } });
    expect(keepsPair.body.error.message).toContain('cannot be decrypted');
    expect(await admin(after, 'POST', '/lost/vendors/sms/check')).toMatchObject({
      status: 200,
      body: { ok: false, code: 'no_sender', reason: expect.stringContaining('cannot be decrypted') },
    });
    const another = { subject: 'mailto:ops@shop.example', publicKey: null, privateKey: null };
    expect((await admin(after, 'PUT', '/lost/vendors/webpush', another)).status).toBe(200);
    expect((await admin(after, 'PUT', '/lost/vendors/sms', sms)).status).toBe(200);
    const webhook = await after.request('POST', `/api/webhooks/${shop.webhookId}/rotate-secret?appId=lost`, {
      headers: { authorization: `Bearer ${TEST_ADMIN_TOKEN}` },
    });
    expect(webhook).toMatchObject({
      status: 200,
      body: { secret: expect.stringMatching(/^whsec_/), formerValidUntil: null },
    });

    const { body } = await admin(after, 'POST', '/lost/rotate-identity-key');
    expect(body.formerValidUntil).toBeNull();
    expect([await register(after, shop, body.identityKey), await register(after, shop, shop.identityKey)]).toEqual([
      200, 401,
    ]);
    // A backend that still has its key keeps it.
    const again = await admin(after, 'POST', '/lost/rotate-identity-key', { identityKey: shop.identityKey });
    expect(again.body.identityKey).toBe(shop.identityKey);
    expect(await register(after, shop, shop.identityKey)).toBe(200);
  });
});
