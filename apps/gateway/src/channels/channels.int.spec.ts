import { startTestGateway, type TestAnswer, type TestGateway } from '../testing/test-gateway';

describe('channels', () => {
  let gateway: TestGateway;
  let server: string;
  let stranger: string;
  const phones: string[] = [];

  const call = (method: string, path: string, body?: unknown, token = server): Promise<TestAnswer> =>
    gateway.request(method, `/api/channels${path}`, { body, headers: { 'x-access-token': token } });

  const register = async (userId: string, subscriptions: readonly string[], token = server): Promise<string> => {
    const body = { userId, deviceType: 'android', deviceToken: `token-${userId}`, subscriptions };
    const answer = await gateway.request('POST', '/api/installations', { body, headers: { 'x-access-token': token } });
    return answer.body.id as string;
  };

  beforeAll(async () => {
    gateway = await startTestGateway();
    server = await gateway.application('shop');
    stranger = await gateway.application('other');
    for (const [userId, subscriptions] of [
      ['ada', ['alerts', 'public/sport']],
      ['ben', ['alerts', 'default']],
      ['cleo', []],
    ] as const)
      phones.push(await register(userId, subscriptions));
  });

  afterAll(() => gateway.close());

  it('are listed with their sizes, the default ones as everybody', async () => {
    const { status, body } = await call('GET', '');
    expect(status).toBe(200);
    expect(body).toEqual({
      channels: [
        { channel: 'public/default', size: 3, isEverybody: true },
        { channel: 'private/default', size: 3, isEverybody: true },
        { channel: 'private/alerts', size: 2, isEverybody: false },
        { channel: 'public/sport', size: 1, isEverybody: false },
      ],
      nextCursor: null,
    });
    const first = await call('GET', '?limit=1');
    expect(first.body.channels).toHaveLength(3);
    const second = await call('GET', `?limit=1&cursor=${first.body.nextCursor}`);
    expect(second.body).toEqual({
      channels: [{ channel: 'public/sport', size: 1, isEverybody: false }],
      nextCursor: null,
    });
    expect((await call('GET', '?cursor=x')).status).toBe(400);
  });

  it('are read by any spelling of their name', async () => {
    for (const name of ['private%2Falerts', '%2Fprivate%2Falerts', 'private/alerts']) {
      expect((await call('GET', `/${name}`)).body).toEqual({ channel: 'private/alerts', size: 2, isEverybody: false });
    }
    for (const name of ['sport', 'public%2Fsport']) expect((await call('GET', `/${name}`)).body.size).toBe(1);
    expect((await call('GET', '/default')).body).toEqual({ channel: 'public/default', size: 3, isEverybody: true });
    expect((await call('GET', '/empty')).body.size).toBe(0);
    expect((await call('GET', '/a%20b')).status).toBe(400);
  });

  it('list their members page by page', async () => {
    const first = await call('GET', '/private%2Falerts/members?limit=1');
    expect(first.body.members).toEqual([{ installationId: phones[0], userId: 'ada' }]);
    const second = await call('GET', `/private%2Falerts/members?limit=1&cursor=${first.body.nextCursor}`);
    expect(second.body).toEqual({ members: [{ installationId: phones[1], userId: 'ben' }], nextCursor: null });
    expect((await call('GET', '/default/members')).body.members).toHaveLength(3);
    expect((await call('GET', '/a%20b/members')).body.error.details[0].path).toBe('channel');
    expect((await call('GET', '/default/members?limit=0')).body.error.details[0].path).toBe('limit');
  });

  it('change as members come and go', async () => {
    const token = await gateway.application('club');
    const [leaves, stays] = [await register('ada', [], token), await register('cleo', [], token)];
    await call('POST', '/private%2Fnew/members', { users: ['ada', 'cleo'] }, token);
    expect((await call('GET', '/private%2Fnew', undefined, token)).body.size).toBe(2);
    await call('DELETE', '/%2Fprivate%2Fnew/members', { installations: [leaves] }, token);
    expect((await call('GET', '/private%2Fnew/members', undefined, token)).body.members).toEqual([
      { installationId: stays, userId: 'cleo' },
    ]);
  });

  it('keep applications apart, and ask for the scope that fits', async () => {
    expect((await call('GET', '', undefined, stranger)).body.channels).toEqual([
      { channel: 'public/default', size: 0, isEverybody: true },
      { channel: 'private/default', size: 0, isEverybody: true },
    ]);
    expect((await call('GET', '/private%2Falerts', undefined, stranger)).body.size).toBe(0);
    expect((await call('GET', '/private%2Falerts/members', undefined, stranger)).body.members).toEqual([]);
    const addressed = await gateway.request('GET', `/apps/shop/api/channels?access_token=${stranger}`);
    expect(addressed.status).toBe(401);
    const client = await gateway.token('shop', ['devices']);
    for (const path of ['', '/sport', '/sport/members']) {
      expect((await call('GET', path, undefined, client)).status).toBe(403);
    }
  });
});
