import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { gunzipSync, gzipSync } from 'node:zlib';
import { ArchiveRepository, ErasuresRepository, rows } from '@postrider/persistence';
import { emptyTables, untilTrue } from '@postrider/testing';
import { startTestGateway, TEST_ADMIN_TOKEN, type TestAnswer, type TestGateway } from '../../testing/test-gateway';

const HEAD = '{"archive":{"version":1,"application":"shop","writtenAt":"2026-01-01T00:00:00Z"}}\n';
/** What is saved in the application beside users and devices. */
const SAVED = { segments: 1, templates: 1, templateVersions: 2, drafts: 2, trackers: 2 };
const END = '{"end":{"users":0,"devices":0,"segments":0}}\n';

/** The columns of a user, beside the id. */
const EMPTY_USER = { tags: [], tag_values: {}, attributes: {}, created_at: '2026-01-01', updated_at: '2026-01-01' };

describe('the archive of an application', () => {
  let from: TestGateway;
  let to: TestGateway;
  let template: TestAnswer;

  beforeAll(async () => {
    [from, to] = await Promise.all([startTestGateway(), startTestGateway()]);
    const token = await from.application('shop');
    await to.application('store');
    const call = async (method: string, path: string, body: unknown): Promise<TestAnswer> => {
      const answer = await from.request(method, path, { body, headers: { 'x-access-token': token } });
      expect([path, Math.floor(answer.status / 100)]).toEqual([path, 2]);
      return answer;
    };
    for (let n = 0; n < 30; n++) {
      await call('POST', '/api/installations', {
        userId: `user-${n % 20}`,
        deviceType: n % 2 ? 'ios' : 'android',
        deviceToken: n % 2 ? n.toString(16).padStart(64, '0') : `token-${n}`,
        clientVersion: '2.4.0',
        subscriptions: ['public/sport'],
        location: { lat: 52.1, lng: 5.1 },
        favourite: 'تهران',
      });
    }
    await call('POST', '/api/installations/addValueTag', { userId: 'user-1', tag: 'plan', value: 'gold' });
    await call('POST', '/api/installations/attributes', {
      userId: 'user-2',
      attributes: { age: 33, born: '1990-01-01' },
    });
    await call('POST', '/api/segments', { name: 'iPhones', target: { deviceType: 'ios' } });
    const message = { content: 'Hi {{ user.name }}' };
    template = await call('POST', '/api/templates', { name: 'Hello', description: 'first', message });
    for (const content of ['Hello {{ user.name }}', 'Good day {{ variables.who }}']) {
      const variables = [{ name: 'who', required: false, default: 'you' }];
      template = await call('PUT', `/api/templates/${template.body.id}`, {
        name: 'Hello',
        description: 'first',
        message: { content },
        variables,
      });
    }
    for (const name of ['Spring', 'Summer']) {
      const { body } = await call('POST', '/api/drafts', { name, message: { content: 'Everything must' } });
      const changed = { name, message: { content: 'Everything must go' }, revision: 1 };
      await call('PUT', `/api/drafts/${body.id}`, changed);
    }
    const sale = { name: 'Sale', deepLink: 'shop://sale', destination: 'https://gone.example/sale' };
    await call('POST', '/api/trackers', { ...sale, platforms: { ios: 'https://apps.apple.com/app/id1' } });
    await call('POST', '/api/trackers', { name: 'Plain', destination: 'https://shop.example/' });
    await operator(from, 'PATCH', '/api/admin/apps/shop', {
      defaultTimeZone: 'Europe/Amsterdam',
      linkHosts: ['shop.example'],
    });
  });

  afterAll(() => Promise.all([from.close(), to.close()]));
  // An id of a tracker belongs to the first application that brings it.
  beforeEach(() => emptyTables(to.database, 'trackers'));

  const operator = (gateway: TestGateway, method: string, path: string, body?: unknown): Promise<TestAnswer> =>
    gateway.request(method, path, { body, headers: { authorization: `Bearer ${TEST_ADMIN_TOKEN}` } });

  /** The file, as bytes: the helper reads answers as text. */
  async function download(gateway: TestGateway, appId: string): Promise<Buffer> {
    const answer = await fetch(`${gateway.address}/api/admin/apps/${appId}/archive`, {
      headers: { authorization: `Bearer ${TEST_ADMIN_TOKEN}` },
    });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/gzip']);
    expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="${appId}.ndjson.gz"`);
    return Buffer.from(await answer.arrayBuffer());
  }

  const upload = (body: Buffer | string, appId = 'store', headers: Record<string, string> = {}): Promise<TestAnswer> =>
    to.request('POST', `/api/admin/apps/${appId}/archive`, {
      body,
      headers: { authorization: `Bearer ${TEST_ADMIN_TOKEN}`, 'content-type': 'application/x-ndjson', ...headers },
    });

  /** Everything that an archive should contain, without data that belongs to this installation only. */
  const everything = (gateway: TestGateway, appId: string): Promise<object[]> =>
    rows<object>(
      gateway.database,
      `SELECT to_jsonb(i) - 'app_id' - 'id' - 'launch_day' AS device, to_jsonb(u) - 'app_id' AS owner
       FROM installations i JOIN users u USING (app_id, user_id) WHERE app_id = $1 ORDER BY installation_id`,
      [appId],
    );

  /** What the API answers about everything that an application has, without what an archive leaves behind. */
  async function answersOf(gateway: TestGateway, appId: string): Promise<unknown> {
    const token = await gateway.token(appId, ['server']);
    const get = async (path: string): Promise<TestAnswer['body']> => {
      const answer = await gateway.request('GET', path, { headers: { 'x-access-token': token } });
      expect([path, answer.status]).toEqual([path, 200]);
      return answer.body;
    };
    const each = (path: string, listed: { id: string }[]): Promise<unknown[]> =>
      Promise.all(listed.map(({ id }) => get(`${path}/${id}`)));
    const [segments, templates, drafts, trackers] = await Promise.all([
      get('/api/segments'),
      get('/api/templates'),
      get('/api/drafts'),
      get('/api/trackers'),
    ]);
    const versions = (templates.templates as { id: string; version: number }[]).flatMap(({ id, version }) =>
      Array.from({ length: version }, (_, n) => get(`/api/templates/${id}?version=${n + 1}`)),
    );
    const answers: unknown = [
      segments,
      templates,
      await each('/api/drafts', drafts.drafts as { id: string }[]),
      drafts,
      trackers,
      await Promise.all(versions),
    ];
    // Who saved it is a token, which stays behind; links begin with the address of the gateway; sizes are measured anew.
    const said = JSON.stringify(answers, (key, value: unknown) =>
      ['updatedBy', 'createdBy', 'size'].includes(key) ? undefined : value,
    );
    return JSON.parse(said.replaceAll(gateway.address, '')) as unknown;
  }

  it('brings another installation the same users, devices, segments, templates and settings, and nothing twice', async () => {
    await to.application('twin');
    const archive = await download(from, 'shop');
    const packed = { 'content-encoding': 'gzip' };
    expect(await upload(archive, 'twin', packed)).toMatchObject({
      status: 200,
      body: { users: 20, devices: 30, ...SAVED, kept: 0, changedSettings: true },
    });
    expect(await everything(to, 'twin')).toEqual(await everything(from, 'shop'));
    const settings = await operator(to, 'GET', '/api/admin/apps/twin');
    expect(settings.body).toMatchObject({
      id: 'twin',
      defaultTimeZone: 'Europe/Amsterdam',
      linkHosts: ['shop.example'],
    });
    expect(await answersOf(to, 'twin')).toEqual(await answersOf(from, 'shop'));
    // Nothing has to say that it is packed.
    expect(await upload(archive, 'twin')).toMatchObject({
      body: { users: 0, devices: 0, segments: 0, templates: 0, templateVersions: 0, drafts: 0, trackers: 0, kept: 58 },
    });
    const again = gunzipSync(await download(to, 'twin'))
      .toString()
      .split('\n')
      .slice(1);
    expect(again.sort()).toEqual(gunzipSync(archive).toString().split('\n').slice(1).sort());
  });

  it('of the first version has no ids and no drafts, and is still read', async () => {
    await to.application('older');
    const old = gunzipSync(await download(from, 'shop'))
      .toString()
      .replace('"version":2', '"version":1')
      .split('\n')
      .filter((line) => !/^\{"(?:templateVersion|draft|tracker)"/.test(line))
      .map((line) => (line.startsWith('{"segment"') ? line.replace(/"id":"[^"]+",/, '') : line))
      .map((line) => line.replace(/,"version":3,"createdAt":"[^"]+","updatedAt":"[^"]+"/, ''))
      .map((line) => line.replace(/,"templateVersions":\d+,"drafts":\d+,"trackers":\d+\}\}$/, '}}'))
      .join('\n');
    expect(old).toContain('{"template":{"id":');
    const expected = { ...SAVED, templateVersions: 0, drafts: 0, trackers: 0, kept: 0 };
    expect(await upload(old, 'older')).toMatchObject({ status: 200, body: expected });
    const token = await to.token('older', ['read']);
    const found = await to.request('GET', `/api/templates/${template.body.id}`, {
      headers: { 'x-access-token': token },
    });
    expect(found.body).toMatchObject({ name: 'Hello', message: template.body.message, version: 1 });
    // The newer archive then brings what the older one did not have, and changes nothing that is there.
    expect(await upload(gunzipSync(await download(from, 'shop')), 'older')).toMatchObject({
      status: 200,
      body: { segments: 0, templates: 0, templateVersions: 0, drafts: 2, devices: 0 },
    });
  });

  it('leaves a tracker with the application that has its id, because links name no application', async () => {
    await to.application('copy');
    const archive = gunzipSync(await download(from, 'shop'));
    await to.application('first-one');
    await upload(archive, 'first-one');
    expect(await upload(archive, 'copy')).toMatchObject({ status: 200, body: { drafts: 2, trackers: 0 } });
  });

  it('holds no secret', async () => {
    const text = gunzipSync(await download(from, 'shop')).toString();
    expect(text).not.toMatch(/sealed|identity|secret|privateKey/i);
  });

  it('that broke off keeps what it held, and says so; the whole one then completes it', async () => {
    await to.application('late');
    const text = gunzipSync(await download(from, 'shop')).toString();
    const half = text.split('\n').slice(0, 40).join('\n');
    expect(await upload(half, 'late')).toMatchObject({
      status: 400,
      body: { error: { details: [{ message: 'ends before its last line' }] } },
    });
    const [{ n }] = (await rows<{ n: number }>(
      to.database,
      `SELECT count(*)::int AS n FROM installations WHERE app_id = 'late'`,
    )) as [{ n: number }];
    expect(n).toBeGreaterThan(0);
    await rows(to.database, `UPDATE segments SET measure_at = now() + interval '1 hour' WHERE app_id = 'late'`);
    expect(await upload(text, 'late')).toMatchObject({ status: 200, body: { devices: 30 - n } });
    // Their sizes were measured when there were only these devices.
    const due = await rows(
      to.database,
      `SELECT 1 FROM segments WHERE app_id = 'late' AND measure_at <= clock_timestamp()`,
    );
    expect(due.length).toBeGreaterThan(0);
  });

  it('brings a device whose user was new when it was written, with its user', async () => {
    await to.application('busy');
    const lines = gunzipSync(await download(from, 'shop'))
      .toString()
      .split('\n');
    const withoutUsers = lines
      .filter((line) => !line.startsWith('{"user"'))
      .map((line) => line.replace(/^\{"end":\{"users":\d+/, '{"end":{"users":0'))
      .join('\n');
    expect(await upload(withoutUsers, 'busy')).toMatchObject({ status: 200, body: { users: 0, devices: 30 } });
    const [found] = await rows<{ n: number }>(
      to.database,
      `SELECT count(*)::int AS n FROM users u WHERE app_id = 'busy' AND EXISTS (
         SELECT 1 FROM installations i WHERE i.app_id = u.app_id AND i.user_id = u.user_id AND i.tags = u.tags)`,
    );
    expect(found?.n).toBe(20);
  });

  it('is refused if the time of a device is infinite, which no page could name', async () => {
    await to.application('infinite');
    const lines = gunzipSync(await download(from, 'shop'))
      .toString()
      .split('\n');
    const at = lines.findIndex((line) => line.startsWith('{"device"'));
    const { device } = JSON.parse(lines[at] as string) as { device: object };
    lines[at] = JSON.stringify({ device: { ...device, token_registered_at: '-Infinity' } });
    expect(await upload(lines.join('\n'), 'infinite')).toMatchObject({
      status: 400,
      body: {
        error: {
          details: [{ path: `line ${at + 1}`, message: 'token_registered_at must be a time, not infinity' }],
        },
      },
    });
  });

  it('is refused where it would make one template too many, and not where all of them are there', async () => {
    await to.application('full');
    await rows(
      to.database,
      `INSERT INTO templates (app_id, template_id, name, version, created_at)
       SELECT 'full', gen_random_uuid(), 'template ' || n, 1, now() FROM generate_series(1, 1000) n`,
    );
    const of = (name: string): string =>
      `${HEAD}${JSON.stringify({ template: { name, message: { content: 'Hi' } } })}\n${END}`;
    expect(await upload(of('template 7'), 'full')).toMatchObject({ status: 200, body: { templates: 0, kept: 1 } });
    expect(await upload(of('template 1001'), 'full')).toMatchObject({
      status: 409,
      body: { error: { message: 'An application keeps at most 1000 templates', details: [{ path: 'line 2' }] } },
    });
  });

  it.each([
    ['a file of something else', 'token,user\n', 'line 1'],
    ['an archive without its beginning', END, 'line 1'],
    ['a later version', HEAD.replace('"version":1', '"version":3') + END, 'line 1'],
    ['a line of two things', `${HEAD}{"user":{},"device":{}}\n${END}`, 'line 2'],
    ['settings that are none', `${HEAD}{"settings":{"quietHours":"at night"}}\n${END}`, 'line 2'],
    ['a user without an id', `${HEAD}{"user":{"tags":[]}}\n${END}`, 'line 2'],
    [
      'a device whose id is none',
      `${HEAD}{"user":{"user_id":"u","tags":[],"tag_values":{},"attributes":{},"created_at":"2026-01-01T00:00:00Z","updated_at":"2026-01-01T00:00:00Z"}}\n{"device":{"installation_id":"x","user_id":"u"}}\n${END}`,
      'line 3',
    ],
    ['one that has lost a line', `${HEAD}{"end":{"users":0,"devices":0,"segments":1}}\n`, 'line 2'],
    [
      'a value of more levels than can be written',
      `${HEAD}${JSON.stringify({ user: { user_id: 'u', ...EMPTY_USER } }).replace('"attributes":{}', `"attributes":{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`)}\n${END}`,
      'line 2',
    ],
    [
      'an id that is too long for an index',
      `${HEAD}${JSON.stringify({ user: { user_id: randomBytes(20_000).toString('hex'), ...EMPTY_USER } })}\n${END}`,
      'line 2',
    ],
    [
      'ever more kinds',
      `${HEAD}${Array.from({ length: 200 }, (_, n) => `{"kind ${n}":{}}\n`).join('')}${END}`,
      'line 102',
    ],
    ['text with NUL', `${HEAD}{"user":{"user_id":"\\u0000"}}\n${END}`, 'line 2'],
  ])('is refused with the line: %s', async (_name, file, line) => {
    const answer = await upload(file);
    expect([answer.status, answer.body.error.details[0].path]).toEqual([400, line]);
  });

  it('is refused with the line that is not UTF-8, and neither this line nor its thousand is stored', async () => {
    await to.application('latin');
    const user = (name: string): string =>
      JSON.stringify({ user: { user_id: name, ...EMPTY_USER, attributes: { city: 'M\u00fcnchen' } } });
    const file = `${HEAD}${user('ada')}\n${user('bob')}\n{"end":{"users":2}}\n`;
    const answer = await upload(Buffer.from(file, 'latin1'), 'latin');
    expect([answer.status, answer.body.error.details]).toEqual([400, [{ path: 'line 2', message: 'is not UTF-8' }]]);
    expect(await rows(to.database, `SELECT 1 FROM users WHERE app_id = 'latin'`)).toEqual([]);
    expect(await upload(Buffer.from(file, 'utf8'), 'latin')).toMatchObject({ status: 200, body: { users: 2 } });
  });

  it.each([
    ['user', { user_id: 'cem', ...EMPTY_USER, attributes: { nick: 'half' } }],
    ['user', { user_id: 'cem', ...EMPTY_USER, tag_values: { half: '1' } }],
    ['settings', { name: 'half' }],
  ])('is refused with the line that has half a surrogate pair, and not with its thousand: %s', async (kind, value) => {
    const user = (name: string): string => JSON.stringify({ user: { user_id: name, ...EMPTY_USER } });
    const half = JSON.stringify({ [kind]: value }).replace('half', String.raw`\ud83d`);
    const answer = await upload(`${HEAD}${user('half-1')}\n${user('half-2')}\n${half}\n${user('half-3')}\n${END}`);
    const message = 'must not contain NUL or half a surrogate pair';
    expect([answer.status, answer.body.error.details]).toEqual([400, [{ path: 'line 4', message }]]);
  });

  it.each([
    ['wrong', { user_id: 'cem', ...EMPTY_USER, created_at: 'soon' }, 'has a value of the wrong kind'],
    ['missing', { ...EMPTY_USER }, 'lacks a value that it needs'],
  ])(
    'is refused with the one line that cannot be stored, without the words of PostgreSQL: %s',
    async (_, bad, message) => {
      const appId = `one-${message.length}`;
      await to.application(appId);
      const user = (row: object): string => `${JSON.stringify({ user: row })}\n`;
      const good = ['ada', 'ben', 'dan'].map((user_id) => user({ user_id, ...EMPTY_USER }));
      const answer = await upload(`${HEAD}${good[0]}\n${good[1]}${user(bad)}${good[2]}${END}`, appId);
      expect([answer.status, answer.body.error.details]).toEqual([400, [{ path: 'line 5', message }]]);
      const stored = await rows(to.database, `SELECT user_id FROM users WHERE app_id = $1 ORDER BY 1`, [appId]);
      expect(stored).toEqual([{ user_id: 'ada' }, { user_id: 'ben' }]);
    },
  );

  it.each(['__proto__', 'constructor', 'toString', 'later'])('skips a kind that it does not know: %s', async (kind) => {
    const answer = await upload(`${HEAD}{"${kind}":{}}\n${END}`);
    expect(answer).toMatchObject({ status: 200, body: { kept: 0, failed: 0, problems: [] } });
  });

  it.each([
    ['a segment without rules', `{"segment":{"name":"x","segment":{"all":7}}}`],
    ['a template without content', `{"template":{"name":"x","message":{"content":"{{ user."}}}`],
    ['a draft without content', `{"draft":{"name":"x"}}`],
    ['a draft saved at no time', `{"draft":{"name":"x","message":{},"createdAt":"infinity"}}`],
    ['a tracker that runs a script', `{"tracker":{"id":"1a","name":"x","deepLink":"javascript:1"}}`],
    ['a tracker whose id is a path', `{"tracker":{"id":"../x","name":"x"}}`],
    [
      'a former version of no template',
      `{"templateVersion":{"templateId":"x","version":1,"createdAt":1,"message":{},"variables":[]}}`,
    ],
    ['a segment with half a surrogate pair', `{"segment":{"name":"\\ud83d","target":{"deviceType":"ios"}}}`],
    ['a draft with half a surrogate pair', `{"draft":{"name":"x","message":{"content":"Hi \\ud83d"}}}`],
    ['a template with NUL', `{"template":{"name":"x","message":{"content":"Hi","data":{"a":"\\u0000"}}}}`],
  ])('leaves out what is wrong, names its line, and imports the rest: %s', async (name, line) => {
    const segment = JSON.stringify({ segment: { name, target: { deviceType: 'ios' } } });
    const answer = await upload(`${HEAD}${line}\n${segment}\n${END}`);
    expect(answer).toMatchObject({ status: 200, body: { segments: 1, templates: 0, drafts: 0, kept: 0, failed: 1 } });
    expect(answer.body.problems).toEqual([{ line: 2, message: expect.not.stringMatching(/^line/) }]);
  });

  it('leaves out the former versions of a template that is wrong, and names at most a hundred lines', async () => {
    await to.application('partly');
    const lines = gunzipSync(await download(from, 'shop'))
      .toString()
      .split('\n');
    const at = lines.findIndex((line) => line.startsWith('{"template"'));
    lines[at] = (lines[at] as string).replace('Good day {{ variables.who }}', 'Good day {{ variables.');
    const versions = lines.flatMap((line, n) => (line.startsWith('{"templateVersion"') ? [n + 1] : []));
    const { status, body } = await upload(lines.join('\n'), 'partly');
    expect([status, body.templates, body.templateVersions, body.devices, body.failed]).toEqual([200, 0, 0, 30, 3]);
    expect(body.problems).toEqual([
      { line: at + 1, message: expect.stringContaining('message.content') },
      ...versions.map((line) => ({
        line,
        message: `is a version of the template of line ${at + 1}, which is wrong`,
      })),
    ]);
    const wrong = '{"draft":{"name":"x"}}\n'.repeat(150);
    const many = await upload(`${HEAD}${wrong}${END}`, 'partly');
    expect([many.body.failed, (many.body.problems as object[]).length]).toEqual([150, 100]);
  });

  it('is written in smaller parts where its lines are long: a thousand of them would not fit into memory', async () => {
    await to.application('long');
    const adding = jest.spyOn(ArchiveRepository.prototype, 'addUsers');
    const lines = Array.from({ length: 20 }, (_, n) =>
      JSON.stringify({ user: { user_id: `u-${n}`, ...EMPTY_USER, attributes: { text: 'x'.repeat(1_000_000) } } }),
    );
    const answer = await upload(`${HEAD}${lines.join('\n')}\n${END}`, 'long');
    const parts = adding.mock.calls.map(([, , users]) => users.length);
    adding.mockRestore();
    expect([answer.status, answer.body.users, parts]).toEqual([200, 20, [8, 8, 4]]);
  });

  it('is to be sent again while a user in it is being erased', async () => {
    const file = `${HEAD}${JSON.stringify({ user: { user_id: 'leaving', ...EMPTY_USER } })}\n${END}`;
    const erasing = { appId: 'store', userId: 'leaving', erasureId: randomUUID() };
    await new ErasuresRepository(to.database).begin(erasing);
    expect(await upload(file)).toMatchObject({ status: 503, body: { error: { code: 'UNAVAILABLE' } } });
    await rows(to.database, `DELETE FROM erasures`, []);
    expect(await upload(file)).toMatchObject({ status: 200, body: { users: 1 } });
  });

  it('is the operator’s, of an application that exists', async () => {
    const token = await to.token('store', ['server']);
    const asServer = await to.request('GET', '/api/admin/apps/store/archive', { headers: { 'x-access-token': token } });
    expect(asServer.status).toBe(401);
    expect((await upload(HEAD + END, 'nobody')).status).toBe(404);
    expect((await operator(to, 'GET', '/api/admin/apps/nobody/archive')).status).toBe(404);
    expect((await upload(gzipSync(HEAD).subarray(0, 20), 'store', { 'content-encoding': 'gzip' })).status).toBe(400);
  });

  it('is not written into an application that was deleted while it arrived, nor into the next one of its id', async () => {
    await to.application('slow');
    const users = (from: number): string =>
      Array.from(
        { length: 1_500 },
        (_, n) => `{"user":${JSON.stringify({ user_id: `u${from + n}`, ...EMPTY_USER })}}\n`,
      ).join('');
    const outgoing = httpRequest(`${to.address}/api/admin/apps/slow/archive`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${TEST_ADMIN_TOKEN}`,
        'content-type': 'application/x-ndjson',
        'content-length': 100_000_000,
      },
    });
    const status = once(outgoing, 'response').then(([answer]) => (answer as IncomingMessage).statusCode);
    const stored = (): Promise<object[]> => rows(to.database, `SELECT FROM users WHERE app_id = 'slow' LIMIT 1`);
    outgoing.write(HEAD + users(0));
    await untilTrue(async () => (await stored()).length > 0);
    expect((await operator(to, 'DELETE', '/api/admin/apps/slow')).status).toBe(200);
    await to.application('slow');
    outgoing.write(users(2_000));
    expect(await status).toBe(404);
    outgoing.destroy();
    expect(await stored()).toEqual([]);
  });
});
