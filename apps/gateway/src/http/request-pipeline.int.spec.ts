import { connect, type Socket } from 'node:net';
import { rows } from '@postrider/persistence';
import { LOGGER, type Logger, METRICS } from '@postrider/platform';
import { TestClock, untilTrue } from '@postrider/testing';
import type { Registry } from 'prom-client';
import { startTestGateway, type TestAnswer, type TestGateway } from '../testing/test-gateway';
import { BodyDeadlines } from './body-deadlines';

const MESSAGE = { user: 'ada', content: 'Hello' };

describe('what a request passes before its body is read', () => {
  let gateway: TestGateway;
  let server: string;
  let tags: string;

  beforeAll(async () => {
    gateway = await startTestGateway({ maxBodyBytes: 10_000, bodyTimeoutSeconds: 1, maxHttpConnectionsPerAddress: 20 });
    server = await gateway.application('shop');
    tags = await gateway.token('shop', ['tags']);
  });

  afterAll(() => gateway.close());

  const send = (
    token: string,
    { body = MESSAGE, type = 'application/json', query = '' }: { body?: unknown; type?: string; query?: string } = {},
  ): Promise<TestAnswer> =>
    gateway.request('POST', `/api/push/toUsers${query}`, {
      body,
      headers: { 'x-access-token': token, 'content-type': type },
    });

  it.each([
    ['a body that is too large', { body: { ...MESSAGE, content: 'x'.repeat(20_000) } }, 413],
    ['a body of another type', { type: 'text/plain' }, 415],
    ['a body that is no JSON', { body: '{"user":' }, 400],
    ['a field that is wrong', { body: { user: 'ada' } }, 400],
    ['a query parameter that is misspelled', { query: '?dryrun=true' }, 400],
  ])(
    'answers a stranger 401 and a token without the scope 403, whatever else is wrong: %s',
    async (_, request, status) => {
      expect(await send('pr_unknown', request)).toMatchObject({
        status: 401,
        headers: { 'www-authenticate': 'Bearer realm="Postrider"' },
      });
      expect((await send(tags, request)).status).toBe(403);
      expect((await send(server, request)).status).toBe(status);
    },
  );

  function dribble(head: string): Promise<{ answer: string; socket: Socket }> {
    const { port } = new URL(gateway.address);
    return new Promise((answered, failed) => {
      const socket = connect(Number(port), '127.0.0.1', () => socket.write(head));
      let answer = '';
      socket.on('error', failed);
      socket.on('data', (bytes: Buffer) => {
        answer += bytes.toString();
        if (answer.includes('}}')) answered({ answer, socket });
      });
    });
  }

  const closed = (socket: Socket): Promise<void> => new Promise((end) => socket.once('close', () => end()).resume());

  it('answers a stranger from the headers, and waits for no more than a while for the rest', async () => {
    const head =
      'POST /api/push/toUsers HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{';
    const { answer, socket } = await dribble(head);
    expect(answer).toMatch(/^HTTP\/1\.1 401 /);
    await closed(socket);
  });

  it('ends a body that does not arrive in time with 408', async () => {
    const head = `POST /api/push/toUsers?access_token=${server} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`;
    const { answer, socket } = await dribble(head);
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(answer).toContain('"code":"REQUEST_TIMEOUT"');
    await closed(socket);
    expect(await rows(gateway.database, 'SELECT id FROM messages')).toEqual([]);
  });

  it('keeps a connection that was refused with a whole body', async () => {
    const answer = await send('pr_unknown');
    expect(answer.status).toBe(401);
    expect(answer.headers.connection).not.toBe('close');
  });

  it('takes no more connections from one address than it may have', async () => {
    const { port } = new URL(gateway.address);
    const sockets = await Promise.all(
      Array.from(
        { length: 30 },
        () =>
          new Promise<Socket>(
            (open) =>
              void connect(Number(port), '127.0.0.1', function (this: Socket) {
                open(this);
              }),
          ),
      ),
    );
    const ended = sockets.map(
      (socket) =>
        new Promise<void>((end) =>
          socket
            .on('error', () => undefined)
            .once('close', () => end())
            .resume(),
        ),
    );
    await Promise.race(ended);
    let open = sockets.length;
    await new Promise<void>((enough) => {
      for (const each of ended) void each.then(() => (open -= 1) <= 20 && enough());
    });
    sockets.forEach((socket) => socket.destroy());
    await Promise.all(ended);
    expect((await gateway.request('GET', '/health/live')).status).toBe(200);
  });

  it('refuses query parameters that differ from ours by case only, and says the right name', async () => {
    for (const [query, name, right] of [
      ['?dryrun=true', 'dryrun', 'dryRun'],
      ['?DryRun=true', 'DryRun', 'dryRun'],
      ['?dryRun=true&Access_Token=x', 'Access_Token', 'access_token'],
    ] as const) {
      expect(await send(server, { query })).toMatchObject({
        status: 400,
        body: { error: { details: [{ path: name, message: `is spelled ${right}` }] } },
      });
    }
    expect((await send(server, { query: '?dryRun=true&utm_source=x' })).status).toBe(200);
    expect(await rows(gateway.database, 'SELECT id FROM messages')).toEqual([]);
  });

  it.each(['%00', 'a%00b', '%ED%A0%80', '%zz', '%'])(
    'refuses the query value %j by the name of its parameter',
    async (value) => {
      for (const path of ['/api/push/messages', '/api/users/ada/deliveries', '/api/installations?x=1']) {
        const url = `${path}${path.includes('?') ? '&' : '?'}userId=${value}`;
        const answer = await gateway.request('GET', url, { headers: { 'x-access-token': server } });
        expect(answer).toMatchObject({ status: 400, body: { error: { details: [{ path: 'userId' }] } } });
      }
    },
  );

  it.each(['/api/installations/tags/%00', '/api/push/messages/a%00', '/api/installations/tags/%ED%A0%80'])(
    'refuses NUL and half a character in the path %s',
    async (path) => {
      const answer = await gateway.request('GET', path, { headers: { 'x-access-token': server } });
      expect(answer).toMatchObject({ status: 400, body: { error: { code: 'INVALID_REQUEST' } } });
    },
  );

  it.each([
    ['GET', '/api/installations/addTags', 'POST'],
    ['DELETE', '/api/installations/events/', 'POST'],
    ['HEAD', '/api/installations/userInfo', 'PUT'],
    ['POST', '/api/installations/addTag/ada/vip', 'GET'],
  ])('refuses %s %s as the wrong method, not as an unknown installation', async (method, path, allow) => {
    const answer = await gateway.request(method, path, { headers: { 'x-access-token': server } });
    expect([answer.status, answer.headers.allow]).toEqual([405, allow]);
  });

  it('answers HEAD as GET would, and not at all where GET changes something', async () => {
    await rows(
      gateway.database,
      `INSERT INTO users (app_id, user_id, tags) VALUES ('shop', 'ada', '{}') ON CONFLICT DO NOTHING`,
    );
    for (const verb of ['addTag', 'removeTag']) {
      const answer = await gateway.request('HEAD', `/api/installations/${verb}/ada/vip?access_token=${server}`);
      expect([answer.status, answer.headers.allow]).toEqual([405, 'GET']);
    }
    const read = (method: string): Promise<TestAnswer> =>
      gateway.request(method, `/api/installations/tags/ada?access_token=${server}`);
    expect(await read('GET')).toMatchObject({ status: 200, body: [] });
    expect(await read('HEAD')).toMatchObject({ status: 200, body: '' });
  });
});

type LabelsOfRequest = Record<'route' | 'method' | 'status', string>;

describe('the stages that a request passes', () => {
  /** A request in which everything is wrong. Each step corrects what the step before was refused for. */
  const WRONG = {
    method: 'PUT',
    path: '/api/push/nowhere',
    query: '?dryrun=true',
    body: `{"user":"${'x'.repeat(20_000)}`,
    headers: { accept: 'text/html', 'content-type': 'text/plain', 'x-access-token': 'pr_unknown' },
  };

  it('refuse it one after another, and each request is logged and counted once, with what refused it', async () => {
    const gateway = await startTestGateway({ maxBodyBytes: 10_000 }, new TestClock(Date.parse('2026-03-01T10:00:00Z')));
    const lines: unknown[] = [];
    jest.spyOn(gateway.app.get<Logger>(LOGGER), 'info').mockImplementation((line) => void lines.push(line));
    const right = await gateway.application('shop');
    const tags = await gateway.token('shop', ['tags']);
    const hasty = await gateway.application('hasty');
    await rows(gateway.database, `UPDATE applications SET requests_per_second = 1 WHERE app_id = 'hasty'`);
    expect((await gateway.request('GET', `/api/installations/tags/ada?access_token=${hasty}`)).status).toBe(200);
    await untilTrue(() => lines.length === 1);

    let request = WRONG;
    const send = async (changes: Partial<typeof WRONG>, headers: Partial<typeof WRONG.headers> = {}) => {
      request = { ...request, ...changes, headers: { ...request.headers, ...headers } };
      const { method, path, query, body } = request;
      const answer = await gateway.request(method, path + query, { body, headers: request.headers });
      expect(answer.headers['x-request-id']).toBeDefined();
      return answer;
    };
    const steps: [stage: string, status: number, code: string | undefined, step: () => Promise<TestAnswer>][] = [
      ['path', 404, 'NOT_FOUND', () => send({})],
      ['method', 405, 'METHOD_NOT_ALLOWED', () => send({ path: '/api/push/toUsers' })],
      ['answer', 406, 'NOT_ACCEPTABLE', () => send({ method: 'POST' })],
      ['authentication', 401, 'UNAUTHORIZED', () => send({}, { accept: 'application/json' })],
      ['scope', 403, 'FORBIDDEN', () => send({}, { 'x-access-token': tags })],
      ['budget', 429, 'RATE_LIMITED', () => send({}, { 'x-access-token': hasty })],
      ['query', 400, 'INVALID_REQUEST', () => send({}, { 'x-access-token': right })],
      ['type of the body', 415, 'UNSUPPORTED_MEDIA_TYPE', () => send({ query: '?dryRun=true' })],
      ['size of the body', 413, 'PAYLOAD_TOO_LARGE', () => send({}, { 'content-type': 'application/json' })],
      ['JSON', 400, 'INVALID_REQUEST', () => send({ body: '{"user":' })],
      ['fields', 400, 'INVALID_REQUEST', () => send({ body: '{"user":"ada"}' })],
      ['none', 200, undefined, () => send({ body: JSON.stringify(MESSAGE) })],
    ];
    const messages: unknown[] = [];
    for (const [stage, status, code, step] of steps) {
      const answer = await step();
      const { error } = answer.body as { error?: { code: string; details?: { path: string }[]; message: string } };
      expect([stage, answer.status, error?.code]).toEqual([stage, status, code]);
      if (status === 400) messages.push([stage, error?.details?.[0]?.path, error?.message.includes('JSON')]);
    }
    expect(messages).toEqual([
      ['query', 'dryrun', false],
      ['JSON', '', true],
      ['fields', 'content', false],
    ]);

    await untilTrue(() => lines.length === 1 + steps.length);
    expect(lines.slice(1)).toMatchObject(
      steps.map(([, status, errorCode]) => (errorCode === undefined ? { status } : { status, errorCode })),
    );
    const durations = gateway.app.get<Registry>(METRICS).getSingleMetric('postrider_http_request_duration_seconds');
    const { values } = (await durations?.get()) as unknown as {
      values: { metricName: string; labels: LabelsOfRequest; value: number }[];
    };
    const counted = values.filter(({ metricName, labels }) => metricName.endsWith('_count') && labels.method !== 'GET');
    expect(
      Object.fromEntries(counted.map(({ labels: { route, status }, value }) => [`${route} ${status}`, value])),
    ).toEqual({
      'unknown 404': 1,
      'unknown 405': 1,
      ...Object.fromEntries([406, 401, 403, 429, 415, 413, 200].map((status) => [`/api/push/toUsers ${status}`, 1])),
      '/api/push/toUsers 400': 3,
    });
    await gateway.close();
  });
});

describe('deadlines of bodies', () => {
  it('end what is late, and forget what has arrived or has gone', () => {
    let now = 0;
    const deadlines = new BodyDeadlines({ bodyTimeoutSeconds: 1, uploadTimeoutSeconds: 1 }, () => now);
    const written: string[] = [];
    const request = (changes: object = {}) => {
      const socket = {
        _httpMessage: { headersSent: false },
        write: (text: string) => written.push(text),
        destroySoon: () => written.push('end'),
      };
      return { complete: false, destroyed: false, socket, ...changes } as never;
    };
    deadlines.set(request(), 1_000);
    deadlines.set(request({ complete: true }), 1_000);
    deadlines.set(request({ destroyed: true }), 1_000);
    expect(deadlines.size).toBe(2);
    now = 999;
    deadlines.look();
    expect([deadlines.size, written]).toEqual([1, []]);
    now = 1_000;
    deadlines.look();
    expect(deadlines.size).toBe(0);
    expect(written).toEqual([expect.stringMatching(/^HTTP\/1\.1 408 /), 'end']);
    deadlines.onApplicationShutdown();
  });
});
