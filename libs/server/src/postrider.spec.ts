import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Postrider, type PostriderOptions } from './postrider';
import { PostriderError } from './postrider-error';
import { connectionError, FakeService, lostDatabase, type Planned, refusal } from './testing/fake-service';

const MESSAGE = { user: 'ada', content: 'Hi' };

describe('the client of a backend', () => {
  afterEach(() => jest.restoreAllMocks());

  const make = (planned: Planned[], options: Partial<PostriderOptions> = {}) => {
    const service = new FakeService(...planned);
    const retry = { leastMs: 0, ...options.retry };
    const access = { url: 'https://push.example/', token: 't', ...options };
    return { service, postrider: new Postrider({ ...access, retry, fetch: service.fetch }) };
  };
  const failureOf = (call: PromiseLike<unknown>): Promise<PostriderError> =>
    Promise.resolve(call).then(
      () => {
        throw new Error('did not fail');
      },
      (error: unknown) => error as PostriderError,
    );

  it.each([
    ['url', { url: 'push.example' }],
    ['url', { url: 'https://push.example/?a=1' }],
    ['token', { token: '' }],
    ['appId', { appId: 'a b' }],
    ['timeoutMs', { timeoutMs: -1 }],
    ['retry.maxRetries', { retry: { maxRetries: Number.NaN } }],
  ])('says what is wrong with %s', (name, wrong) => {
    expect(() => make([], wrong)).toThrow(new RegExp(`^${name} must be`));
  });

  it.each(['maxRetries', 'timeoutMs'])('says what is wrong with %s in one call, and makes none', async (name) => {
    const { service, postrider } = make([{ status: 200 }]);
    const error = await failureOf(postrider.getOverview({}, { [name]: Number.NaN }));
    expect(error).toEqual(new TypeError(`${name} must be a number from 0`));
    expect(service.requests).toEqual([]);
  });

  it.each([
    ['idempotency-key', { idempotencyKey: 'order-17\norder-18' }],
    ['x-user-hash', { userHash: '\u20ac' }],
    ['x-trace', { headers: { 'x-trace': 'a\0' } }],
  ])('says at once that %s can be no header, and makes no call', async (name, options) => {
    const { service, postrider } = make([{ status: 200 }]);
    const error = await failureOf(postrider.toUsers(MESSAGE, options));
    expect(error).toEqual(new TypeError(`${name} must be text that can stand in a header`));
    expect(service.requests).toEqual([]);
  });

  it('writes path, query, body and token as the operation wants them', async () => {
    const { service, postrider } = make([{ status: 200, body: { deliveries: [], nextCursor: null } }]);
    await postrider.listUserDeliveries('a/b ü', { limit: 5 });
    await postrider.createSegment({ name: 'x', target: { deviceType: 'ios' } });
    expect(service.requests.map(({ method, url, body }) => [method, url, body])).toEqual([
      ['GET', 'https://push.example/api/users/a%2Fb%20%C3%BC/deliveries?limit=5', ''],
      ['POST', 'https://push.example/api/segments', '{"name":"x","target":{"deviceType":"ios"}}'],
    ]);
    expect(service.requests[1]?.headers).toMatchObject({
      authorization: 'Bearer t',
      'content-type': 'application/json',
    });
  });

  it('takes in a path what the API takes there: times as numbers, and vendors and lists that exist', async () => {
    const { service, postrider } = make([{ status: 200 }], { adminToken: 'a' });
    await postrider.getUninstallReport(0, 1_790_000_000_000);
    // @ts-expect-error no such vendor
    await postrider.checkVendorCredentials('shop', 'fmc');
    // @ts-expect-error no such list
    await postrider.listMessageStats('m1', 'clicks');
    const [url] = service.requests.map((request) => request.url);
    expect(url).toBe('https://push.example/api/installations/v1/uninstall/report/0/1790000000000');
    await expect(postrider.getUninstallReport(Number.NaN, 0)).rejects.toThrow('from must be');
  });

  it('gives the answer to an event that a backend tracks, and offers no dry run of one', async () => {
    const { service, postrider } = make([{ status: 200, body: { queued: true, n: 1 } }]);
    const tracked = await postrider.track({ userId: 'ada', eventName: 'order' }, { idempotencyKey: 'order-17' });
    const n: number = tracked.n;
    expect([n, tracked]).toEqual([1, { queued: true, n: 1, isReplay: false }]);
    // @ts-expect-error an event would be recorded although the caller asked only to count
    await postrider.track({ userId: 'ada', eventName: 'order' }, { dryRun: true });
    expect(service.requests.map(({ url }) => url)).toEqual(
      Array(2).fill('https://push.example/api/installations/track'),
    );
    expect(service.requests[0]?.headers).toMatchObject({ 'idempotency-key': 'order-17' });
  });

  it.each(['', '.', '..'])('addresses nothing else when a part of the path is %j', (id) => {
    const { postrider } = make([]);
    return expect(postrider.getUser(id)).rejects.toThrow(TypeError);
  });

  it('uses the token that an operation takes, and addresses the application for the operator', async () => {
    const { service, postrider } = make([{ status: 200 }], { token: undefined, adminToken: 'a', appId: 'shop' });
    await postrider.getOverview();
    await postrider.listApplications();
    expect(service.requests.map(({ url, headers }) => [url, headers.authorization])).toEqual([
      ['https://push.example/apps/shop/api/push/overview', 'Bearer a'],
      ['https://push.example/api/admin/apps', 'Bearer a'],
    ]);
    await expect(make([]).postrider.listApplications()).rejects.toThrow('takes the adminToken');
    const alone = make([], { token: undefined, adminToken: 'a' }).postrider;
    await expect(alone.getOverview()).rejects.toThrow('needs the appId');
  });

  it.each([
    ['method', 'get', '/api/apps', {}],
    ['path', 'GET', '.example.com/api/apps', {}],
    ['path', 'GET', '@example.com/api/apps', {}],
    ['A request', 'POST', '/api/apps', { body: {}, file: Buffer.from('a') }],
    ['GET', 'GET', '/api/apps', { body: {} }],
  ])('refuses words that are no request, and calls nobody: %s of %s %s', async (name, method, path, content) => {
    const { service, postrider } = make([{ status: 200 }]);
    for (const call of ['request', 'requestFile'] as const) {
      const error = await failureOf(postrider[call](method, path as '/api/', content));
      expect([error, error.message]).toEqual([expect.any(TypeError), expect.stringMatching(new RegExp(`^${name} `))]);
    }
    expect(service.requests).toEqual([]);
  });

  describe('repeats', () => {
    const LOST = { error: connectionError('ECONNRESET') };
    const OK = { status: 200, body: { count: 1 }, headers: { 'x-message-id': 'm1' } };

    it('a send under one key until it is answered', async () => {
      const { service, postrider } = make([LOST, refusal(409, 'CONFLICT'), refusal(500, 'INTERNAL'), OK]);
      expect(await postrider.toUsers(MESSAGE)).toEqual({
        count: 1,
        messageIds: ['m1'],
        batchId: null,
        isReplay: false,
      });
      const keys = service.requests.map(({ headers }) => headers['idempotency-key']);
      expect([keys.length, new Set(keys).size]).toEqual([4, 1]);
      await postrider.toUsers(MESSAGE);
      expect(service.requests.at(-1)?.headers['idempotency-key']).not.toBe(keys[0]);
      await postrider.toUsers(MESSAGE, { idempotencyKey: 'mine' });
      expect(service.requests.at(-1)?.headers['idempotency-key']).toBe('mine');
    });

    it('what was refused before anything was carried out, whatever it is', async () => {
      const refused = [refusal(503, 'UNAVAILABLE'), refusal(429, 'RATE_LIMITED')];
      const unreached = { error: connectionError('ECONNREFUSED') };
      const { service, postrider } = make([...refused, unreached, { status: 201, body: { id: 'shop' } }], {
        adminToken: 'a',
      });
      expect(await postrider.createApplication({ id: 'shop', name: 'Shop' })).toEqual({ id: 'shop' });
      expect(service.requests).toHaveLength(4);
    });

    it.each<[string, Planned]>([
      ['an answer that was lost', LOST],
      ['an answer 500', refusal(500, 'INTERNAL')],
      ['a proxy that answers 503', { status: 503, body: 'busy' }],
      ['a conflict', refusal(409, 'CONFLICT')],
      ['a database that was lost during the request', lostDatabase()],
    ])('nothing that could be carried out twice: %s', async (_name, planned) => {
      const { service, postrider } = make([planned, OK], { adminToken: 'a' });
      expect(await failureOf(postrider.createApplication({ id: 'shop', name: 'Shop' }))).toMatchObject({ attempts: 1 });
      expect(service.requests).toHaveLength(1);
    });

    it.each(['ERR_SSL_WRONG_VERSION_NUMBER', 'SELF_SIGNED_CERT_IN_CHAIN', 'ERR_TLS_CERT_ALTNAME_INVALID'])(
      'no call whose server does not prove who it is, which no repetition changes: %s',
      async (code) => {
        const { service, postrider } = make([{ error: connectionError(code) }, OK]);
        const error = await failureOf(postrider.toUsers(MESSAGE));
        expect(error).toMatchObject({ code: 'UNREACHABLE', attempts: 1, isTemporary: false, isRefused: true });
        expect(service.requests).toHaveLength(1);
      },
    );

    it('no call to a port that fetch never calls', async () => {
      const postrider = new Postrider({ url: 'http://127.0.0.1:1', token: 't' });
      const error = await failureOf(postrider.toUsers(MESSAGE));
      expect(error).toMatchObject({ code: 'UNREACHABLE', attempts: 1, isTemporary: false, isRefused: true });
      expect(error.message).toContain('this port');
    });

    it('no call that the service says is wrong', async () => {
      const details = [{ path: 'ttl', message: 'must be a whole number' }];
      const { service, postrider } = make([
        { ...refusal(400, 'INVALID_REQUEST', details), headers: { 'x-request-id': 'r1' } },
      ]);
      const error = await failureOf(postrider.toUsers(MESSAGE));
      expect(error).toBeInstanceOf(PostriderError);
      expect(error).toMatchObject({ code: 'INVALID_REQUEST', status: 400, field: 'ttl', details, requestId: 'r1' });
      expect(service.requests).toHaveLength(1);
    });

    it('no more often than asked, and not after a longer wait than the longest', async () => {
      const busy: Planned = { ...refusal(429, 'RATE_LIMITED'), headers: { 'retry-after': '3600' } };
      const patient = make([busy]);
      expect(await failureOf(patient.postrider.getOverview())).toMatchObject({ attempts: 1, retryAfterMs: 3_600_000 });
      const short = make([LOST]);
      expect(await failureOf(short.postrider.getOverview())).toMatchObject({ code: 'UNREACHABLE', attempts: 5 });
      const told: [string, number][] = [];
      const watched = make([LOST], {
        retry: { maxRetries: 2, leastMs: 2, mostMs: 2 },
        onRetry: ({ code }, waitMs) => told.push([code, Math.ceil(waitMs / 2)]),
      });
      await failureOf(watched.postrider.getOverview());
      expect(told).toEqual([
        ['UNREACHABLE', 1],
        ['UNREACHABLE', 1],
      ]);
      const never = make([LOST]);
      const failure = await failureOf(never.postrider.getOverview({}, { maxRetries: 0 }));
      expect([failure.attempts, failure.isTemporary]).toEqual([1, true]);
    });
  });

  it('ends with the reason of its signal, at once and while it waits', async () => {
    const { service, postrider } = make([refusal(503, 'UNAVAILABLE')], {
      retry: { leastMs: 100_000, mostMs: 100_000 },
    });
    const controller = new AbortController();
    const call = failureOf(postrider.getOverview({}, { signal: controller.signal }));
    const reason = new Error('enough');
    controller.abort(reason);
    expect(await call).toBe(reason);
    expect(await failureOf(postrider.getOverview({}, { signal: controller.signal }))).toBe(reason);
    expect(service.requests.length).toBeLessThan(2);
  });

  it('ends an attempt that takes too long', async () => {
    const never = ((_url: string, { signal }: RequestInit) =>
      new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new Error('ended'))))) as typeof fetch;
    const postrider = new Postrider({ url: 'https://push.example', token: 't', fetch: never, timeoutMs: 1 });
    const failure = await failureOf(postrider.getOverview({}, { maxRetries: 0 }));
    expect(failure).toMatchObject({ code: 'TIMEOUT', status: 0 });
  });

  it.each([Infinity, 2 ** 31])('has no limit where the time is longer than a timer takes: %d', async (timeoutMs) => {
    // A timer of more than 24 days runs at once.
    const timers = jest.spyOn(globalThis, 'setTimeout');
    const service = new FakeService({ status: 200, body: [] });
    const operator = new Postrider({ url: 'https://push.example', adminToken: 'o', fetch: service.fetch });
    expect(await operator.listApplications({ timeoutMs })).toEqual([]);
    expect(timers).not.toHaveBeenCalled();
  });

  it('follows no redirect, and takes nothing that is not JSON for an answer', async () => {
    const elsewhere = make([{ status: 301, body: '', headers: { location: 'https://other.example' } }]);
    expect(await failureOf(elsewhere.postrider.getOverview())).toMatchObject({ code: 'BAD_ANSWER', status: 301 });
    const page = make([{ status: 200, body: '<html>' }]);
    expect(await failureOf(page.postrider.getOverview())).toMatchObject({ code: 'BAD_ANSWER' });
    const proxy = make([{ status: 404, body: '<html>' }]);
    expect(await failureOf(proxy.postrider.getOverview())).toMatchObject({ code: 'HTTP_404', status: 404 });
  });

  it('goes through the entries of all pages, and asks for nothing before', async () => {
    const { service, postrider } = make([
      { status: 200, body: { messages: [{ id: 1 }, { id: 2 }], nextCursor: 'c 1' } },
      { status: 200, body: { messages: [], nextCursor: 'c2' } },
      { status: 200, body: { messages: [{ id: 3 }], nextCursor: null } },
    ]);
    const list = postrider.listMessages({ trackId: 'x' });
    expect(service.requests).toEqual([]);
    expect((await list).messages).toHaveLength(2);
    const ids: unknown[] = [];
    for await (const { id } of list) ids.push(id);
    expect(ids).toEqual([1, 2, 3]);
    expect(service.requests.map(({ url }) => new URL(url).search)).toEqual([
      '?trackId=x',
      '?trackId=x&cursor=c+1',
      '?trackId=x&cursor=c2',
    ]);
  });

  it.each([
    [
      'ERR_SSL_WRONG_VERSION_NUMBER',
      '8:error:0A00010B:SSL routines::wrong version number:ssl3_record.c:350:\n',
      'http://',
    ],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate', 'NODE_EXTRA_CA_CERTS'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'unable to verify the first certificate', 'NODE_EXTRA_CA_CERTS'],
  ])('says what to change if TLS fails: %s', async (code, text, remedy) => {
    const error = Object.assign(new TypeError('fetch failed'), { cause: Object.assign(new Error(text), { code }) });
    const { postrider } = make([{ error }]);
    const { message } = await failureOf(postrider.getOverview({}, { maxRetries: 0 }));
    expect(message).toContain(remedy);
    expect(message).not.toMatch(/\n|ssl3_record/);
  });

  describe('uploads', () => {
    const DONE: Planned = { status: 202, body: { jobId: 'j' } };
    let folder: string;

    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), 'postrider-upload-'));
      writeFileSync(join(folder, 'a"b.csv'), 'one\ntwo\n');
    });
    afterEach(() => rmSync(folder, { recursive: true }));

    const path = (): string => join(folder, 'a"b.csv');

    it('a file on disk as the part of a form, from its beginning with every attempt', async () => {
      const { service, postrider } = make([refusal(503, 'UNAVAILABLE'), DONE]);
      await postrider.updatePromoCodes('spring', { path: path() }, { async: true });
      for (const { url, headers, body } of service.requests) {
        expect(url).toBe('https://push.example/api/containers/updatePromoCodes/spring?async=true');
        const boundary = headers['content-type']?.split('boundary=')[1] ?? '';
        expect(body.split(`--${boundary}`).map((part) => part.trim())).toEqual([
          '',
          'content-disposition: form-data; name="file"; filename="a_b.csv"\r\ncontent-type: application/octet-stream\r\n\r\none\ntwo',
          '--',
        ]);
      }
      expect(service.requests).toHaveLength(2);
    });

    it.each<[string, () => Parameters<Postrider['uploadTagFile']>[0]]>([
      ['bytes', () => Buffer.from('ada,vip\n')],
      ['a blob', () => new Blob(['ada,vip\n'])],
      ['a function', () => text],
    ])('%s as the body, as often as needed', async (_name, file) => {
      const { service, postrider } = make([refusal(429, 'RATE_LIMITED'), DONE]);
      await postrider.uploadTagFile(file(), {}, { contentType: 'text/csv' });
      expect(service.requests.map(({ body, headers }) => [body, headers['content-type']])).toEqual([
        ['ada,vip\n', 'text/csv'],
        ['ada,vip\n', 'text/csv'],
      ]);
    });

    it('a stream once, because it can be read once', async () => {
      const { service, postrider } = make([refusal(429, 'RATE_LIMITED'), DONE]);
      expect(await failureOf(postrider.uploadTagFile(text()))).toMatchObject({ code: 'RATE_LIMITED', attempts: 1 });
      expect(service.requests).toHaveLength(1);
    });

    it('nothing of a file that cannot be read, and says what the file system says', async () => {
      const { service, postrider } = make([DONE]);
      const missing = failureOf(postrider.uploadTagFile({ path: join(folder, 'none') }));
      expect(await missing).toMatchObject({ code: 'ENOENT' });
      const broken = new Error('disk on fire');
      expect(await failureOf(postrider.uploadTagFile(() => fails(broken)))).toBe(broken);
      expect(service.requests).toEqual([]);
    });
  });
});

async function* text(): AsyncGenerator<string> {
  await Promise.resolve();
  yield 'ada,';
  yield 'vip\n';
}

async function* fails(error: Error): AsyncGenerator<string> {
  await Promise.resolve();
  yield 'ada,';
  throw error;
}
