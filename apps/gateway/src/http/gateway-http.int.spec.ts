import { startTestGateway, type TestAnswer, type TestGateway, untilReady } from '../testing/test-gateway';

const MESSAGE = { user: 'ada', content: 'Hello' };

describe('the gateway over HTTP', () => {
  let gateway: TestGateway;
  let token: string;

  beforeAll(async () => {
    gateway = await startTestGateway({ maxBodyBytes: 10_000, publicDocs: true });
    token = await gateway.application('shop');
  });

  afterAll(() => gateway.close());

  function post(body: unknown, headers: Record<string, string> = {}, path = '/api/push/toUsers'): Promise<TestAnswer> {
    return gateway.request('POST', path, { body, headers: { 'x-access-token': token, ...headers } });
  }

  it('is alive and ready, and counts requests by route', async () => {
    expect(await gateway.request('GET', '/health/live')).toMatchObject({ status: 200, body: { status: 'live' } });
    expect(await untilReady(() => gateway.request('GET', '/health/ready'))).toMatchObject({ ready: true });
    await post(MESSAGE, {}, `/api/push/toUsers?access_token=${token}`);
    const { status, headers, body } = await gateway.request('GET', '/metrics');
    expect({ status, type: headers['content-type'] }).toEqual({
      status: 200,
      type: expect.stringContaining('text/plain'),
    });
    expect(body).toMatch(
      /postrider_http_request_duration_seconds_count\{app="gateway",route="\/api\/push\/toUsers",method="POST",status="200"/,
    );
    expect(body).not.toContain(token);
  });

  it('echoes a request id, or makes one', async () => {
    const own = await gateway.request('GET', '/health/live', { headers: { 'x-request-id': 'trace-17' } });
    expect(own.headers['x-request-id']).toBe('trace-17');
    const made = await gateway.request('GET', '/health/live', { headers: { 'x-request-id': 'with blank' } });
    expect(made.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect((await gateway.request('GET', '/nowhere')).headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('takes a path with a trailing slash and byQuery in lower case, and no other spelling', async () => {
    expect(await post(MESSAGE, {}, '/api/push/toUsers/')).toMatchObject({ status: 200 });
    expect(await post({}, {}, '/api/push/byquery')).toMatchObject({ status: 400 });
    for (const path of ['/api/push/tousers', '/api/push/byQUERY', '/api/push/notifyUser', '/api/push/notifytousers']) {
      expect(await post(MESSAGE, {}, path)).toMatchObject({ status: 404 });
    }
  });

  it('answers an unknown path in the one error shape, with or without a token, body and base', async () => {
    const expected = {
      status: 404,
      body: { error: { name: 'NotFound', status: 404, code: 'NOT_FOUND', message: expect.any(String) } },
    };
    expect(await gateway.request('GET', '/nowhere')).toMatchObject(expected);
    expect(await post('{broken', {}, '/api/push/nowhere')).toMatchObject(expected);
    expect(await post('a=b', { 'content-type': 'text/plain' }, '/api/nowhere')).toMatchObject(expected);
    expect(await post(MESSAGE, {}, '/apps/shop/api/nowhere')).toMatchObject(expected);
    expect(await post(MESSAGE, {}, '/apps/shop')).toMatchObject(expected);
  });

  it('says which methods a path knows', async () => {
    for (const [method, path, allow] of [
      ['DELETE', '/health/live', 'GET, HEAD'],
      ['GET', '/api/push/toUsers', 'POST'],
      ['PUT', '/apps/shop/api/push/byQuery/', 'POST'],
      ['PATCH', '/api/push/notifyUsers?access_token=x', 'POST'],
    ] as const) {
      const answer = await gateway.request(method, path);
      expect(answer).toMatchObject({ status: 405, body: { error: { code: 'METHOD_NOT_ALLOWED', status: 405 } } });
      expect(answer.headers.allow).toBe(allow);
    }
  });

  it('answers HEAD as GET without a body', async () => {
    expect(await gateway.request('HEAD', '/health/live')).toMatchObject({ status: 200, body: '' });
  });

  it.each<Record<string, string>>([
    { 'content-type': 'text/plain' },
    { 'content-type': 'application/x-www-form-urlencoded' },
    { 'content-type': 'application/xml' },
    { 'content-type': 'multipart/form-data; boundary=x' },
    { 'content-type': 'nonsense' },
    { 'content-type': '' },
    { 'content-type': 'application/json; charset=utf-16' },
    { 'content-encoding': 'gzip' },
  ])('refuses a body of another type: %j', async (headers) => {
    expect(await post(MESSAGE, headers)).toMatchObject({
      status: 415,
      body: {
        error: { code: 'UNSUPPORTED_MEDIA_TYPE', status: 415, message: expect.stringContaining('application/json') },
      },
    });
  });

  it('refuses a body that says no type', async () => {
    const answer = await fetch(`${gateway.address}/api/push/toUsers?access_token=${token}`, {
      method: 'POST',
      body: new Blob([JSON.stringify(MESSAGE)]),
    });
    expect(answer.status).toBe(415);
  });

  it('takes JSON that says it is UTF-8, and one with a byte order mark', async () => {
    expect(await post(MESSAGE, { 'content-type': 'application/json; charset=UTF-8' })).toMatchObject({ status: 200 });
    expect(await post(`\uFEFF${JSON.stringify(MESSAGE)}`)).toMatchObject({ status: 200 });
    expect(await post(Buffer.from([0x22, 0xff, 0x22]))).toMatchObject({ status: 400 });
  });

  it.each([
    'text/html',
    'application/xml',
    'application/json;q=0',
    'text/*, application/json;q=0',
    'image/png, */*;q=0',
  ])('refuses a caller who takes no JSON: %s', async (accept) => {
    expect(await post(MESSAGE, { accept })).toMatchObject({ status: 406, body: { error: { code: 'NOT_ACCEPTABLE' } } });
  });

  it.each(['*/*', 'application/json', 'application/*', 'text/html, */*;q=0.1', 'application/json; charset=utf-8', ''])(
    'answers a caller who takes JSON: %s',
    async (accept) => {
      const answer = await post(MESSAGE, { accept });
      expect(answer.status).toBe(200);
      expect(answer.headers['content-type']).toMatch(/^application\/json/);
    },
  );

  it('refuses a body over the limit, and the sender reads the answer whenever they look', async () => {
    for (const size of [10_001, 100_000, 5_000_000]) {
      const answer = await post({ ...MESSAGE, content: 'x'.repeat(size) });
      expect(answer).toMatchObject({ status: 413, body: { error: { code: 'PAYLOAD_TOO_LARGE', status: 413 } } });
    }
    const chunked = await fetch(`${gateway.address}/api/push/toUsers?access_token=${token}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: new Blob([JSON.stringify({ ...MESSAGE, content: 'x'.repeat(50_000) })]).stream(),
      duplex: 'half',
    });
    expect(chunked.status).toBe(413);
  });

  it.each(['/apps/%/health/live', '/api/installations/addTag/%E0%A4%A/x', '/api/installations/%zz'])(
    'refuses the badly encoded path %s',
    async (path) => {
      const answer = await gateway.request('GET', path, { headers: { 'x-access-token': token } });
      expect(answer).toMatchObject({ status: 400, body: { error: { code: 'INVALID_REQUEST' } } });
    },
  );

  it('keeps the connection after a refused body', async () => {
    expect((await post('{broken')).headers.connection).not.toBe('close');
  });

  it('lets web pages of any origin register devices and read messages, and nothing else', async () => {
    const preflight = await gateway.request('OPTIONS', '/api/installations', {
      headers: { origin: 'https://shop.example', 'access-control-request-method': 'POST' },
    });
    expect(preflight).toMatchObject({ status: 204, headers: { 'access-control-allow-origin': '*' } });
    expect(preflight.headers['access-control-allow-methods']).toContain('PUT');
    expect(preflight.headers['access-control-allow-headers']).toContain('X-Access-Token');
    expect(preflight.headers['access-control-allow-credentials']).toBeUndefined();
    const refused = await gateway.request('GET', '/apps/shop/api/installations/x', {
      headers: { origin: 'https://a.b' },
    });
    expect(refused).toMatchObject({ status: 401, headers: { 'access-control-allow-origin': '*' } });
    expect(refused.headers['access-control-expose-headers']).toContain('Idempotent-Replayed');
    expect((await post(MESSAGE, { origin: 'https://a.b' })).headers['access-control-allow-origin']).toBeUndefined();
    const closed = await gateway.request('OPTIONS', '/api/push/toUsers', {
      headers: { origin: 'https://shop.example' },
    });
    expect(closed.headers['access-control-allow-origin']).toBeUndefined();
  });
});
