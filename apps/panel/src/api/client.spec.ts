import { ApiError, isForeign } from './api-error';
import { answerOf, applicationApi, applicationUrl, keyOf } from './client';

const ORIGIN = 'http://gateway.example';
const api = applicationApi('a b', ORIGIN);
const asked: Request[] = [];

/** Answers every request like this. */
function answersWith(status: number, body: unknown, headers: Record<string, string> = {}): void {
  jest.spyOn(globalThis, 'fetch').mockImplementation((request) => {
    asked.push(request as Request);
    return Promise.resolve(new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers }));
  });
}

async function refusalOf(asking: Promise<unknown>): Promise<ApiError> {
  const error: unknown = await asking.catch((caught: unknown) => caught);
  if (!(error instanceof ApiError)) throw new Error('It was not refused');
  return error;
}

describe('the client of an application', () => {
  beforeEach(() => asked.splice(0));
  afterEach(() => jest.restoreAllMocks());

  it('asks for a path with its parameters written in, and leaves out the words that say nothing', async () => {
    answersWith(200, { users: [], nextCursor: null });
    const params = { query: { prefix: '', limit: 5, cursor: 'c&d' } };
    expect(await answerOf(api.GET('/api/users', { params }))).toEqual({ users: [], nextCursor: null });
    await api.DELETE('/api/users/{userId}', { params: { path: { userId: 'a/b %20' } } });
    expect(asked.map(({ method, url }) => `${method} ${url}`)).toEqual([
      `GET ${ORIGIN}/apps/a%20b/api/users?limit=5&cursor=c%26d`,
      `DELETE ${ORIGIN}/apps/a%20b/api/users/a%2Fb%20%2520`,
    ]);
  });

  it('marks every request as the panel’s own, and sends a body as JSON', async () => {
    answersWith(200, { count: 1 }, { 'x-message-id': 'm' });
    const header = { 'Idempotency-Key': 'draft-1' };
    const body = { user: 'ada', content: 'Hello' };
    const { response } = await api.POST('/api/push/toUsers', { params: { header }, body });
    await api.GET('/api/webhooks');
    const [sent, read] = asked;
    expect(response.headers.get('x-message-id')).toBe('m');
    expect(await sent?.json()).toEqual(body);
    expect(Object.fromEntries(sent?.headers ?? [])).toEqual({
      accept: 'application/json',
      'content-type': 'application/json',
      'idempotency-key': 'draft-1',
      'x-postrider-panel': '1',
    });
    expect(read?.credentials).toBe('same-origin');
    expect(Object.fromEntries(read?.headers ?? [])).toEqual({ accept: 'application/json', 'x-postrider-panel': '1' });
  });

  it('throws what the gateway refuses, with its fields and when to try again', async () => {
    const details = [{ path: 'name', message: 'is required' }];
    const error = { name: 'BadRequest', status: 429, message: 'Too much', code: 'TOO_MANY_REQUESTS', details };
    answersWith(429, { error }, { 'retry-after': '7' });
    const refused = await refusalOf(api.POST('/api/trackers', { body: { name: '' } }));
    expect(refused).toMatchObject({ status: 429, message: 'Too much', code: 'TOO_MANY_REQUESTS', details });
    expect([refused.retryAfterSeconds, refused.at('name')]).toEqual([7, 'is required']);
  });

  it.each([502, 503, 413])('says the status %i of a refusal that is no JSON', async (status) => {
    answersWith(status, '<html>Bad gateway</html>');
    const refused = await refusalOf(api.GET('/api/webhooks'));
    expect(refused).toMatchObject({
      status,
      message: `The gateway, or a server before it, answered with status ${status}`,
      details: [],
    });
    expect(isForeign(refused)).toBe(true);
  });

  it.each([
    [200, '<!doctype html><title>Sign in to the network</title>'],
    [200, '{"webhooks":['],
    [401, 'Unauthorized'],
    [404, '404 page not found'],
    [404, '{"error":"not found"}'],
  ])('takes %i with %s for no answer of the gateway', async (status, body) => {
    answersWith(status, body);
    const refused = await refusalOf(api.GET('/api/webhooks'));
    expect(refused).toMatchObject({
      status: 0,
      message: expect.stringMatching(`in its place, with status ${status}$`),
    });
    expect(isForeign(refused)).toBe(true);
  });

  it('takes an answer that is cut off in the middle for none', async () => {
    const body = new ReadableStream({ start: (stream) => stream.error(new TypeError('network error')) });
    jest.spyOn(globalThis, 'fetch').mockImplementation(() => Promise.resolve(new Response(body)));
    expect(await refusalOf(api.GET('/api/webhooks'))).toMatchObject({
      status: 0,
      message: 'The gateway could not be reached',
    });
  });

  it('waits two minutes for an answer, and no longer', async () => {
    const clock = new AbortController();
    const limit = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(clock.signal);
    jest.spyOn(globalThis, 'fetch').mockImplementation(
      (_, options) =>
        new Promise((_resolve, reject) => {
          const { signal } = options as { signal: AbortSignal };
          signal.addEventListener('abort', () => reject(signal.reason as Error));
          clock.abort();
        }),
    );
    expect(await refusalOf(api.GET('/api/webhooks'))).toMatchObject({
      status: 0,
      message: 'The gateway did not answer in two minutes',
    });
    expect(limit).toHaveBeenCalledWith(130_000);
  });

  it('says status 0 where nobody answers', async () => {
    jest.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('fetch failed'));
    expect(await refusalOf(api.GET('/api/webhooks'))).toMatchObject({ status: 0, code: null });
  });

  it('passes on that a request was given up', async () => {
    jest.spyOn(globalThis, 'fetch').mockImplementation((request) => {
      (request as Request).signal.throwIfAborted();
      return Promise.reject(new Error('It was not given up'));
    });
    const stopper = new AbortController();
    stopper.abort();
    await expect(api.GET('/api/webhooks', { signal: stopper.signal })).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('does not know what the API document does not say', () => {
    // Never run: the type check of the panel reads it.
    const wrong = [
      // @ts-expect-error -- no such path
      () => api.GET('/api/nothing'),
      // @ts-expect-error -- the operator's
      () => api.GET('/api/admin/apps'),
      // @ts-expect-error -- its place in the path is missing
      () => api.GET('/api/users/{userId}'),
      // @ts-expect-error -- no such field of the answer
      async () => (await answerOf(api.GET('/api/webhooks'))).hooks,
      // @ts-expect-error -- a tracker has a name
      () => api.POST('/api/trackers', { body: { destination: 'https://shop.example' } }),
    ];
    expect(wrong).toHaveLength(5);
  });
});

describe('an address of the API', () => {
  it('is written for a plain link', () => {
    const path = { userId: 'a/b' };
    expect(applicationUrl('shop', '/api/users/{userId}/export', { path })).toBe('/apps/shop/api/users/a%2Fb/export');
  });

  it('is the key of what is read there', () => {
    expect(keyOf('shop', '/api/segments')).toEqual(['shop', '/api/segments']);
    const params = { path: { id: 's' } };
    expect(keyOf('shop', '/api/segments/{id}', params)).toEqual(['shop', '/api/segments/{id}', params]);
  });
});
