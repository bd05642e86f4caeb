import { startTestGateway, TEST_ADMIN_TOKEN, type TestAnswer, type TestGateway } from '../testing/test-gateway';

describe('the queues board', () => {
  let gateway: TestGateway;

  beforeAll(async () => {
    gateway = await startTestGateway();
  });

  afterAll(() => gateway.close());

  const page = (path: string, headers: Record<string, string> = {}): Promise<TestAnswer> =>
    gateway.request('GET', path, { headers: { accept: 'text/html', ...headers } });
  const signIn = (token: string, headers: Record<string, string> = {}): Promise<TestAnswer> =>
    gateway.request('POST', '/queues/sign-in', {
      body: `token=${encodeURIComponent(token)}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    });
  const cookieOf = (answer: TestAnswer): string => String(answer.headers['set-cookie']).split(';')[0] ?? '';

  it('sends a stranger to the sign-in page, and a stranger that is no browser away', async () => {
    const answer = await page('/queues');
    expect([answer.status, answer.headers.location]).toEqual([303, '/queues/sign-in']);
    const form = await page('/queues/sign-in');
    expect(form.body).toContain('<form method="post" action="/queues/sign-in">');
    expect(form.headers['content-security-policy']).toContain("form-action 'self'");
    const api = await gateway.request('GET', '/queues/api/queues', { headers: { accept: 'application/json' } });
    expect(api).toMatchObject({ status: 401, body: { error: { code: 'UNAUTHORIZED' } } });
  });

  it('opens to an operator who signs in, and knows every queue', async () => {
    const answer = await signIn(TEST_ADMIN_TOKEN);
    expect([answer.status, answer.headers.location]).toEqual([303, '/queues']);
    const header = String(answer.headers['set-cookie']);
    expect(header).toMatch(/HttpOnly/);
    expect(header).toMatch(/SameSite=Strict/);
    expect(header).toMatch(/Path=\/;/);
    expect(header).not.toContain(TEST_ADMIN_TOKEN);
    const cookie = cookieOf(answer);
    const board = await page('/queues', { cookie });
    expect([board.status, String(board.headers['content-type'])]).toEqual([200, expect.stringContaining('text/html')]);
    const { body } = await gateway.request('GET', '/queues/api/queues', { headers: { cookie } });
    const names = body.queues.map(({ name }: { name: string }) => name);
    expect(names).toEqual(expect.arrayContaining(['audience', 'delivery.fcm', 'delivery.fcm.campaign']));
    const script = /src="(static\/js\/[^"]+)"/.exec(String(board.body))?.[1];
    expect((await gateway.request('GET', `/queues/${String(script)}`, { headers: { cookie } })).status).toBe(200);
  });

  it('opens to the admin token itself', async () => {
    const headers = { authorization: `Bearer ${TEST_ADMIN_TOKEN}` };
    expect((await gateway.request('GET', '/queues/api/queues', { headers })).status).toBe(200);
  });

  it('opens to no other token and no other cookie', async () => {
    const server = await gateway.application('shop');
    for (const token of ['', 'wrong', server]) {
      const answer = await signIn(token);
      expect([answer.status, answer.headers['set-cookie']]).toEqual([401, undefined]);
    }
    const cookie = cookieOf(await signIn(TEST_ADMIN_TOKEN));
    const [name, value = ''] = cookie.split('=');
    const [until, signature = ''] = value.split('.');
    for (const forged of [
      `${String(name)}=`,
      `${String(name)}=${Number(until) + 1}.${signature}`,
      `${String(name)}=${String(until)}.${'A'.repeat(43)}`,
      `${String(name)}=${TEST_ADMIN_TOKEN}`,
    ]) {
      const answer = await gateway.request('GET', '/queues/api/queues', { headers: { cookie: forged } });
      expect([forged, answer.status]).toEqual([forged, 401]);
    }
    const bearer = await gateway.request('GET', '/queues/api/queues', { headers: { 'x-access-token': server } });
    expect(bearer.status).toBe(401);
  });

  it('takes no order that another site made the browser send', async () => {
    const cookie = cookieOf(await signIn(TEST_ADMIN_TOKEN));
    const pause = (headers: Record<string, string>): Promise<TestAnswer> =>
      gateway.request('PUT', '/queues/api/queues/audience/pause', { headers: { cookie, ...headers } });
    const host = new URL(gateway.address).host;
    expect((await pause({ origin: 'https://evil.example', host })).status).toBe(401);
    expect((await pause({ 'sec-fetch-site': 'cross-site', host })).status).toBe(401);
    expect((await signIn(TEST_ADMIN_TOKEN, { origin: 'https://evil.example' })).headers['set-cookie']).toBeUndefined();
    expect((await page('/queues/sign-out', { cookie })).status).toBe(405);
    const out = await gateway.request('POST', '/queues/sign-out', {
      headers: { cookie, host, origin: `http://${host}` },
    });
    expect([out.status, out.headers.location]).toEqual([303, '/queues/sign-in']);
  });
});
