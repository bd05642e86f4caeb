import { rows } from '@postrider/persistence';
import { TestClock } from '@postrider/testing';
import { startTestGateway, TEST_ADMIN_TOKEN, type TestAnswer, type TestGateway } from '../testing/test-gateway';

const MESSAGE = { user: 'ada', content: 'Hello' };

describe('access', () => {
  let gateway: TestGateway;
  let shop: string;
  let bank: string;
  // Requests take no time.
  const clock = new TestClock();

  beforeAll(async () => {
    gateway = await startTestGateway({}, clock);
    shop = await gateway.application('shop', ['send']);
    bank = await gateway.application('Bank', ['server']);
  });

  afterAll(() => gateway.close());

  function send(headers: Record<string, string | string[]>, query = '', base = ''): Promise<TestAnswer> {
    return gateway.request('POST', `${base}/api/push/toUsers${query}`, { body: MESSAGE, headers });
  }

  it('is open to a token in the query, in X-Access-Token and as a bearer token', async () => {
    for (const answer of [
      await send({}, `?access_token=${shop}`),
      await send({ 'x-access-token': shop }),
      await send({ authorization: `Bearer ${shop}` }),
      await send({ authorization: [`Bearer ${shop}`, `Bearer ${shop}`], 'x-access-token': [shop, shop] }),
      await send(
        { authorization: `bearer ${shop}`, 'x-access-token': shop },
        `?access_token=${shop}&access_token=${shop}`,
      ),
    ]) {
      expect(answer).toMatchObject({ status: 200, body: { count: 0 } });
    }
  });

  it('is closed with one and the same answer to no, an unknown, a revoked and a foreign token, and to two at once', async () => {
    const revoked = await gateway.token('shop', ['send']);
    await rows(gateway.database, `UPDATE tokens SET revoked_at = now() WHERE token_hash = sha256($1::bytea)`, [
      revoked,
    ]);
    const answers = [
      await send({}),
      await send({ 'x-access-token': '' }),
      await send({ 'x-access-token': 'pr_unknown' }),
      await send({ authorization: `Basic ${shop}` }),
      await send({ 'x-access-token': revoked }),
      await send({ 'x-access-token': shop, authorization: `Bearer ${bank}` }),
      await send({ 'x-access-token': shop }, `?access_token=${bank}`),
      await send({}, `?access_token=${shop}&access_token=${bank}`),
      await send({ authorization: [`Bearer ${shop}`, `Bearer ${bank}`] }),
      await send({ 'x-access-token': [shop, bank] }),
      await send({ 'x-access-token': bank }, '', '/apps/shop'),
      await send({ 'x-access-token': shop }, '', '/apps/unknown'),
      await send({ 'x-access-token': shop }, '', '/apps/Shop'),
      await send({ 'x-access-token': bank, host: 'shop.push.example' }),
      await send({ 'x-access-token': bank, host: 'SHOP.push.example:3000' }),
      await send({ 'x-access-token': bank, host: 'shop.push.example' }, '', '/apps/Bank'),
    ];
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 401));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(answers[0]?.body).toEqual({
      error: { name: 'Unauthorized', status: 401, code: 'UNAUTHORIZED', message: expect.any(String) },
    });
  });

  it('is the same under the plain base, the base path and the host of the application', async () => {
    for (const answer of [
      await send({ 'x-access-token': shop }),
      await send({ 'x-access-token': shop }, '', '/apps/shop'),
      await send({ 'x-access-token': shop, host: 'shop.push.example' }),
      await send({ 'x-access-token': bank, host: 'bank.push.example:3000' }),
      await send({ 'x-access-token': shop, host: 'push.example' }),
      await send({ 'x-access-token': shop, host: '10.0.0.1:3000' }),
      await send({ 'x-access-token': shop, host: 'shop.push.example' }, '', '/apps/shop'),
      await gateway.request('POST', `/apps/%73hop/api/push/toUsers/?access_token=${shop}`, { body: MESSAGE }),
    ]) {
      expect(answer).toMatchObject({ status: 200, body: { count: 0 } });
    }
  });

  it('needs the scope of the call', async () => {
    for (const scope of ['tags', 'promo', 'devices', 'read'] as const) {
      const answer = await send({ 'x-access-token': await gateway.token('shop', [scope]) });
      expect(answer).toMatchObject({ status: 403, body: { error: { code: 'FORBIDDEN', status: 403 } } });
    }
    expect(await send({ 'x-access-token': await gateway.token('shop', ['server']) })).toMatchObject({ status: 200 });
    expect(await send({ 'x-access-token': await gateway.token('shop', ['read', 'send']) })).toMatchObject({
      status: 200,
    });
  });

  it('is given to the operator where they say which application they mean', async () => {
    const headers = { authorization: `Bearer ${TEST_ADMIN_TOKEN}` };
    expect(await send(headers, '?appId=shop&dryRun=true')).toMatchObject({ status: 200, body: { count: 0 } });
    expect(await send(headers, '?dryRun=true', '/apps/shop')).toMatchObject({ status: 200 });
    expect(await send({ ...headers, host: 'shop.push.example' }, '?dryRun=true')).toMatchObject({ status: 200 });
    expect(await send(headers)).toMatchObject({ status: 400, body: { error: { details: [{ path: 'appId' }] } } });
    expect(await send(headers, '?appId=unknown')).toMatchObject({
      status: 404,
      body: { error: { code: 'NOT_FOUND' } },
    });
    expect(await send({ authorization: `Bearer ${TEST_ADMIN_TOKEN}x` }, '?appId=shop')).toMatchObject({ status: 401 });
  });

  it('ends within five seconds of a token being revoked', async () => {
    const token = await gateway.application('ending', ['send']);
    expect(await send({ 'x-access-token': token }, '?dryRun=1')).toMatchObject({ status: 200 });
    await rows(gateway.database, `UPDATE tokens SET revoked_at = now() WHERE app_id = 'ending'`);
    clock.advance(5_000);
    expect(await send({ 'x-access-token': token }, '?dryRun=1')).toMatchObject({ status: 401 });
  });

  it('slows an application down to its requests per second', async () => {
    const token = await gateway.application('hasty', ['send']);
    await rows(gateway.database, `UPDATE applications SET requests_per_second = 2 WHERE app_id = 'hasty'`);
    const answers = [];
    for (let request = 0; request < 5; request++) answers.push(await send({ 'x-access-token': token }));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429, 429, 429]);
    expect(answers[4]?.headers['retry-after']).toBe('1');
    expect(answers[4]?.body.error).toMatchObject({ status: 429, code: 'RATE_LIMITED' });
  });

  it("reads nobody's body before their token is known to hold", async () => {
    const answer = await gateway.request('POST', '/api/push/toUsers', { body: '{"user":' });
    expect(answer).toMatchObject({ status: 401 });
  });
});
