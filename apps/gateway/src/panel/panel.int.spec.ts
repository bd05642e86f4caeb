import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rows } from '@postrider/persistence';
import { TestClock } from '@postrider/testing';
import { startTestGateway, TEST_ADMIN_TOKEN, type TestAnswer, type TestGateway } from '../testing/test-gateway';
import { PANEL_FOLDER, PanelPage } from './panel';

const PANEL = { 'x-postrider-panel': '1' };
const HOUR = 3_600_000;

describe('the panel at the gateway', () => {
  let gateway: TestGateway;
  let shop: string;
  let host: string;
  const clock = new TestClock();

  beforeAll(async () => {
    gateway = await startTestGateway({}, clock);
    shop = await gateway.application('shop');
    await gateway.application('bank');
    host = new URL(gateway.address).host;
  });

  afterAll(() => gateway.close());

  const session = (method: string, body?: unknown, headers: Record<string, string> = {}): Promise<TestAnswer> =>
    gateway.request(method, '/panel/session', { body, headers: { host, ...PANEL, ...headers } });
  const cookieOf = (answer: TestAnswer): string => String(answer.headers['set-cookie']).split(';')[0] ?? '';
  const signIn = async (token: string): Promise<string> => cookieOf(await session('POST', { token }));
  const call = (cookie: string, method: string, path: string, more: Record<string, string> = {}, body?: unknown) =>
    gateway.request(method, path, { body, headers: { host, cookie, ...PANEL, ...more } });

  it('signs the operator in with a cookie that no script and no other site can use', async () => {
    const answer = await session('POST', { token: TEST_ADMIN_TOKEN });
    expect(answer).toMatchObject({ status: 200, body: { kind: 'operator', appId: null } });
    expect(answer.body.scopes).toContain('server');
    const header = String(answer.headers['set-cookie']);
    expect(header).toMatch(/^postrider_panel=[\w-]+; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict$/);
    expect(Buffer.from(header).toString('utf8')).not.toContain(TEST_ADMIN_TOKEN);
    const overTls = await session('POST', { token: TEST_ADMIN_TOKEN }, { 'x-forwarded-proto': 'https' });
    expect(String(overTls.headers['set-cookie'])).toMatch(/; Secure(?:;|$)/);
    expect((await session('GET', undefined, { cookie: cookieOf(answer) })).body).toMatchObject({ kind: 'operator' });
  });

  it('signs the holder of an application’s token in as what the token allows', async () => {
    const reader = await gateway.token('shop', ['read']);
    const answer = await session('POST', { token: reader });
    expect(answer.body).toEqual({
      kind: 'application',
      appId: 'shop',
      tokenId: expect.any(String) as string,
      scopes: ['read'],
      mayReadDocs: false,
    });
    const cookie = cookieOf(answer);
    expect((await session('GET', undefined, { cookie })).body).toEqual(answer.body);
    expect(await call(cookie, 'GET', '/apps/shop/api/push/messages')).toMatchObject({ status: 200 });
    expect(await call(cookie, 'GET', '/apps/bank/api/push/messages')).toMatchObject({ status: 401 });
    expect(await call(cookie, 'GET', '/api/admin/apps')).toMatchObject({ status: 401 });
    const send = await call(cookie, 'POST', '/apps/shop/api/push/toUsers', {}, { user: 'ada', content: 'Hello' });
    expect(send).toMatchObject({ status: 403 });
  });

  it('lets the operator do everything in an application that they name, and nothing where they name none', async () => {
    const cookie = await signIn(TEST_ADMIN_TOKEN);
    expect(await call(cookie, 'GET', '/api/admin/apps')).toMatchObject({ status: 200 });
    const calls: [string, string, unknown?][] = [
      ['POST', 'push/toUsers', { user: 'ada', content: 'Hello' }],
      ['POST', 'push/byQuery?dryRun=true', { target: { deviceType: 'ios' }, content: 'Hello' }],
      ['GET', 'push/messages'],
      ['GET', 'installations/addTag/ada/gold'],
      ['POST', 'installations', { userId: 'ada', deviceType: 'android', deviceToken: 'operator-token' }],
      ['POST', 'segments', { name: 'mine', target: { deviceType: 'ios' } }],
      ['GET', 'users/ada'],
      ['GET', 'channels'],
      ['DELETE', 'users/ada'],
    ];
    for (const [method, path, body] of calls) {
      const answer = await call(cookie, method, `/apps/shop/api/${path}`, {}, body);
      expect([path, Math.floor(answer.status / 100)]).toEqual([path, 2]);
      expect([path, (await call(cookie, method, `/api/${path}`, {}, body)).status]).toEqual([path, 400]);
      expect([path, (await call(cookie, method, `/apps/unknown/api/${path}`, {}, body)).status]).toEqual([path, 404]);
    }
  });

  it('counts a cookie only for what the panel’s own page asks', async () => {
    const cookie = await signIn(TEST_ADMIN_TOKEN);
    const attempts: Record<string, string>[] = [
      { 'x-postrider-panel': '' },
      { 'x-postrider-panel': '1', origin: 'https://evil.example' },
      { 'x-postrider-panel': '1', origin: 'null' },
      { 'x-postrider-panel': '1', 'sec-fetch-site': 'cross-site' },
      { 'x-postrider-panel': '1', 'sec-fetch-site': 'same-site' },
      { 'x-postrider-panel': '1', 'sec-fetch-site': 'none' },
    ];
    for (const headers of attempts) {
      const answer = await gateway.request('GET', '/apps/shop/api/installations/addTag/ada/x', {
        headers: { host, cookie, ...headers },
      });
      expect([headers, answer.status]).toEqual([headers, 401]);
      const signingIn = await gateway.request('POST', '/panel/session', {
        body: { token: TEST_ADMIN_TOKEN },
        headers: { host, ...headers },
      });
      expect([headers, signingIn.status]).toEqual([headers, 401]);
    }
    const ours = { origin: `http://${host}`, 'sec-fetch-site': 'same-origin' };
    expect(await call(cookie, 'GET', '/api/admin/apps', ours)).toMatchObject({ status: 200 });
    const preflight = await gateway.request('OPTIONS', '/api/push/messages', {
      headers: { host, origin: 'https://evil.example', 'access-control-request-headers': 'x-postrider-panel' },
    });
    expect(String(preflight.headers['access-control-allow-headers']).toLowerCase()).not.toContain('x-postrider-panel');
    expect(preflight.headers['access-control-allow-credentials']).toBeUndefined();
  });

  it('lets a link download an export, and nothing else, without the panel’s header', async () => {
    const cookie = await signIn(shop);
    await call(cookie, 'POST', '/apps/shop/api/installations', {}, { userId: 'mei', deviceType: 'ios' });
    const link = (path: string, site: string): Promise<TestAnswer> =>
      gateway.request('GET', path, { headers: { host, cookie, 'sec-fetch-site': site } });
    expect(await link('/apps/shop/api/users/mei/export', 'same-origin')).toMatchObject({ status: 200 });
    expect(await link('/apps/shop/api/users/mei/export', 'cross-site')).toMatchObject({ status: 401 });
    expect(await link('/apps/shop/api/users/mei/export', 'none')).toMatchObject({ status: 401 });
    expect(await link('/apps/shop/api/installations/addTag/mei/export', 'same-origin')).toMatchObject({ status: 401 });
    expect(await link('/apps/shop/api/users/mei', 'same-origin')).toMatchObject({ status: 401 });
    const set = '/apps/shop/api/promo/sets/shop/assignments/export';
    expect((await link(set, 'same-origin')).status).not.toBe(401);
    expect((await link(set, 'cross-site')).status).toBe(401);
    const wrongLines = `/apps/shop/api/installations/import/${randomUUID()}/errors`;
    expect((await link(wrongLines, 'same-origin')).status).toBe(404);
    expect((await link(wrongLines, 'cross-site')).status).toBe(401);
    const sent = await call(cookie, 'POST', '/apps/shop/api/push/toUsers', {}, { user: 'mei', content: 'Hello' });
    const deliveries = `/apps/shop/api/push/messages/${String(sent.headers['x-message-id'])}/deliveries/export`;
    for (const path of [`${deliveries}?state=pending`, deliveries, '/apps/shop/api/users?prefix=m&format=csv']) {
      expect(await link(path, 'same-origin')).toMatchObject({
        status: 200,
        headers: { 'content-type': expect.stringMatching(/^text\/csv/) },
      });
      expect(await link(path, 'cross-site')).toMatchObject({ status: 401 });
    }
    for (const path of ['', '?format=json', '?prefix=format%3Dcsv', '?format=csvs']) {
      expect(await link(`/apps/shop/api/users${path}`, 'same-origin')).toMatchObject({ status: 401 });
    }
    const operator = await signIn(TEST_ADMIN_TOKEN);
    const archive = (site: string): Promise<TestAnswer> =>
      gateway.request('GET', '/api/admin/apps/shop/archive', {
        headers: { host, cookie: operator, 'sec-fetch-site': site },
      });
    expect((await archive('same-origin')).status).toBe(200);
    expect((await archive('cross-site')).status).toBe(401);
  });

  it('ends a session when its token is revoked, within five seconds, and when its time is over', async () => {
    const token = await gateway.token('shop', ['read']);
    const cookie = await signIn(token);
    expect(await call(cookie, 'GET', '/panel/session')).toMatchObject({ status: 200 });
    await rows(gateway.database, `UPDATE tokens SET revoked_at = now() WHERE token_hash = sha256($1::bytea)`, [token]);
    clock.advance(5_000);
    expect(await call(cookie, 'GET', '/panel/session')).toMatchObject({ status: 401 });
    expect(await call(cookie, 'GET', '/apps/shop/api/push/messages')).toMatchObject({ status: 401 });
    const operator = await signIn(TEST_ADMIN_TOKEN);
    clock.advance(12 * HOUR - 1_000);
    expect(await call(operator, 'GET', '/panel/session')).toMatchObject({ status: 200 });
    clock.advance(1_000);
    expect(await call(operator, 'GET', '/panel/session')).toMatchObject({ status: 401 });
  });

  it('takes no cookie that it did not make', async () => {
    const cookie = await signIn(shop);
    const [name = '', value = ''] = cookie.split('=');
    for (const forged of ['', 'x', value.slice(0, -3), `${value}AAAA`, `B${value.slice(1)}`, 'A'.repeat(5_000), shop]) {
      const answer = await call(`${name}=${forged}`, 'GET', '/panel/session');
      expect([forged.slice(0, 30), answer.status]).toEqual([forged.slice(0, 30), 401]);
    }
  });

  it('signs out', async () => {
    const answer = await session('DELETE', undefined, { cookie: await signIn(shop) });
    expect(String(answer.headers['set-cookie'])).toMatch(/^postrider_panel=; Max-Age=0; Path=\/;/);
    expect((await session('GET')).status).toBe(401);
  });

  it('refuses nonsense, and lets whoever guesses tokens wait', async () => {
    expect(await session('POST', {})).toMatchObject({ status: 400, body: { error: { details: [{ path: 'token' }] } } });
    expect(await session('POST', '{"token":')).toMatchObject({ status: 400 });
    expect(await session('POST', { token: 'x'.repeat(5_000) })).toMatchObject({ status: 413 });
    for (let attempt = 0; attempt < 10; attempt++) {
      expect(await session('POST', { token: `guess-${attempt}` })).toMatchObject({
        status: 401,
        body: { error: { code: 'UNAUTHORIZED' } },
      });
    }
    expect(await session('POST', { token: 'one more' })).toMatchObject({
      status: 429,
      headers: { 'retry-after': expect.stringMatching(/^[1-5]?\d$|^60$/) },
    });
    expect(await session('POST', { token: TEST_ADMIN_TOKEN })).toMatchObject({ status: 200 });
  });

  it('opens the queues to an operator who is signed in to the panel', async () => {
    const queues = (cookie: string): Promise<TestAnswer> =>
      gateway.request('GET', '/queues/api/queues', { headers: { host, cookie } });
    expect((await queues(await signIn(TEST_ADMIN_TOKEN))).status).toBe(200);
    expect((await queues(await signIn(shop))).status).toBe(401);
  });

  it('answers its page to whoever asks for a page, under a policy that lets no foreign script run', async () => {
    const page = (path: string, accept: string): Promise<TestAnswer> =>
      gateway.request('GET', path, { headers: { accept } });
    for (const path of ['/panel', '/panel/', '/panel/apps/shop/messages/1', '/panel/apps/%00']) {
      const answer = await page(path, 'text/html,*/*');
      expect([path, answer.status]).toEqual([path, existsSync(PANEL_FOLDER) ? 200 : 503]);
      const policy = String(answer.headers['content-security-policy']);
      expect(policy).toMatch(/default-src 'none'; script-src 'self'; style-src 'self' 'nonce-[^']{24}'/);
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain('unsafe');
      expect(answer.headers).toMatchObject({
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
      });
      expect(String(answer.body)).not.toMatch(/<script(?![^>]*\ssrc=)/);
    }
    for (const path of ['/panel', '/panel/', '/panel?from=curl']) {
      const answer = await page(path, '*/*');
      expect([path, answer.status]).toEqual([path, existsSync(PANEL_FOLDER) ? 200 : 503]);
    }
    expect((await page('/panel/assets/none.js', '*/*')).status).toBe(404);
    expect((await page('/panel/none.js', '*/*')).status).toBe(404);
    expect((await page('/panel/assets/..%2f..%2fpackage.json', '*/*')).status).toBeGreaterThanOrEqual(400);
  });

  it('uses another nonce for each page', () => {
    const page = new PanelPage();
    expect(page.render().policy).not.toBe(page.render().policy);
  });
});
