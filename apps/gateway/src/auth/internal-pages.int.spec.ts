import {
  startTestGateway,
  TEST_ADMIN_TOKEN,
  type TestAnswer,
  type TestGateway,
  untilReady,
} from '../testing/test-gateway';

const PAGES = [
  '/metrics',
  '/docs',
  '/docs/start.js',
  '/docs/swagger-ui.css',
  '/api/openapi.json',
  '/api/openapi-3.0.json',
];
const PANEL = { 'x-postrider-panel': '1' };

describe('a gateway that is asked about its inside', () => {
  let gateway: TestGateway;
  let server: string;

  beforeAll(async () => {
    gateway = await startTestGateway();
    server = await gateway.application('shop');
  });

  afterAll(() => gateway.close());

  const get = (path: string, headers: Record<string, string> = {}, at = gateway): Promise<TestAnswer> =>
    at.request('GET', path, { headers });
  const signIn = async (path: string, body: unknown, headers: Record<string, string>): Promise<string> => {
    const answer = await gateway.request('POST', path, { body, headers });
    return String(answer.headers['set-cookie']).split(';')[0] ?? '';
  };
  const throughPanel = (token: string): Promise<string> =>
    signIn('/panel/session', { token }, { host: new URL(gateway.address).host, ...PANEL });
  const throughQueues = (token: string): Promise<string> =>
    signIn('/queues/sign-in', `token=${token}`, { 'content-type': 'application/x-www-form-urlencoded' });

  it.each(PAGES)('keeps %s from everybody but the operator', async (path) => {
    expect(await get(path)).toMatchObject({ status: 401, body: { error: { code: 'UNAUTHORIZED' } } });
    expect((await get(path, { 'x-access-token': server })).status).toBe(401);
    expect((await get(path, { cookie: await throughPanel(server) })).status).toBe(401);
    expect((await get(path, { authorization: `Bearer ${TEST_ADMIN_TOKEN}` })).status).toBe(200);
    expect((await get(path, { cookie: await throughPanel(TEST_ADMIN_TOKEN) })).status).toBe(200);
    expect((await get(path, { cookie: await throughQueues(TEST_ADMIN_TOKEN) })).status).toBe(200);
  });

  it('leaves nothing of it in a cache that others share', async () => {
    const operator = { authorization: `Bearer ${TEST_ADMIN_TOKEN}` };
    for (const path of PAGES) {
      const { headers } = await get(path, operator);
      expect([path, headers['cache-control']]).toEqual([path, 'no-store']);
    }
  });

  it('leads a browser from the API reference to the sign-in and back', async () => {
    const sent = await get('/docs', { accept: 'text/html' });
    expect([sent.status, sent.headers.location]).toEqual([303, '/queues/sign-in?to=/docs']);
    const form = await get('/queues/sign-in?to=/docs', { accept: 'text/html' });
    expect(form.body).toContain('<input type="hidden" name="to" value="/docs">');
    const post = (to: string): Promise<TestAnswer> =>
      gateway.request('POST', '/queues/sign-in', {
        body: `token=${TEST_ADMIN_TOKEN}&to=${encodeURIComponent(to)}`,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      });
    expect((await post('/docs')).headers.location).toBe('/docs');
    expect((await post('https://evil.example')).headers.location).toBe('/queues');
    const foreign = await get('/queues/sign-in?to=https://evil.example', { accept: 'text/html' });
    expect(foreign.body).not.toContain('evil');
  });

  it('says of its readiness only whether it is ready', async () => {
    expect(await get('/health/live')).toMatchObject({ status: 200, body: { status: 'live' } });
    expect(await untilReady(() => get('/health/ready'))).toEqual({ ready: true });
  });

  it('tells the operator what its readiness rests on, and nobody else', async () => {
    const shown = await untilReady(() => get('/health/ready', { authorization: `Bearer ${TEST_ADMIN_TOKEN}` }));
    expect(shown).toMatchObject({ ready: true, checks: { postgres: { ok: true } } });
    for (const token of [server, 'wrong']) {
      expect(await get('/health/ready', { authorization: `Bearer ${token}` })).toMatchObject({ status: 401 });
    }
  });

  it('tells the panel whether this session may read the API reference', async () => {
    const host = new URL(gateway.address).host;
    const session = (cookie: string): Promise<TestAnswer> => get('/panel/session', { host, cookie, ...PANEL });
    expect((await session(await throughPanel(server))).body).toMatchObject({ kind: 'application', mayReadDocs: false });
    expect((await session(await throughPanel(TEST_ADMIN_TOKEN))).body).toMatchObject({ mayReadDocs: true });
  });

  it('counts wrong tokens that are shown there', async () => {
    const other = await startTestGateway({ trustedProxies: 1 });
    try {
      const guess = (path: string): Promise<TestAnswer> =>
        get(path, { 'x-forwarded-for': '1.1.1.1', authorization: 'Bearer wrong', accept: 'application/json' }, other);
      const statuses: number[] = [];
      for (let n = 0; n < 12; n++) {
        statuses.push(
          (await guess(['/metrics', '/docs', '/api/openapi.json', '/queues', '/health/ready'][n % 5] ?? '')).status,
        );
      }
      expect(statuses).toEqual([...Array<number>(10).fill(401), 429, 429]);
    } finally {
      await other.close();
    }
  });

  it('is open to everybody with PUBLIC_DOCS', async () => {
    const open = await startTestGateway({ publicDocs: true });
    try {
      for (const path of PAGES) expect([path, (await get(path, {}, open)).status]).toEqual([path, 200]);
      const ready = await untilReady(() => get('/health/ready', {}, open));
      expect(ready).toMatchObject({ ready: true, status: 'ready', checks: { postgres: { ok: true } } });
    } finally {
      await open.close();
    }
  });
});
