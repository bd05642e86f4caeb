import { randomUUID } from 'node:crypto';
import { rows, SavedTemplatesRepository } from '@postrider/persistence';
import { addDevice, configureVendor, emptyTables } from '@postrider/testing';
import { startTestGateway, type TestAnswer, type TestGateway } from '../testing/test-gateway';

const TOMORROW = new Date(Date.now() + 86_400_000).toISOString();
const ORDER = {
  name: 'Order ready',
  message: {
    content: 'Order {{ variables.order }} is ready',
    useAsAlert: true,
    notification: { title: 'Ready', body: '{{ variables.order }}: {{ variables.place }}', clickUrl: 'shop://orders' },
    data: { kind: 'order' },
    colour: 'red',
  },
  variables: [
    { name: 'order', required: true },
    { name: 'place', default: 'the shop', description: 'where it waits' },
  ],
};

describe('templates', () => {
  let gateway: TestGateway;
  let token: string;

  beforeAll(async () => {
    gateway = await startTestGateway();
    token = await gateway.application('shop');
    await configureVendor(gateway.database, 'shop', 'fcm');
    for (const userId of ['ada', 'omid']) await addDevice(gateway.database, { appId: 'shop', userId });
  });

  afterAll(() => gateway.close());
  beforeEach(() =>
    emptyTables(gateway.database, 'templates', 'messages', 'pages', 'deliveries', 'fallbacks', 'idempotency_keys'),
  );

  function call(method: string, path: string, body?: unknown, headers = {}): Promise<TestAnswer> {
    return gateway.request(method, `/api/${path}`, { body, headers: { 'x-access-token': token, ...headers } });
  }

  async function create(changes: object = {}): Promise<string> {
    const { status, body } = await call('POST', 'templates', { ...ORDER, ...changes });
    expect([status, body]).toEqual([201, expect.anything()]);
    return body.id as string;
  }

  async function contents(): Promise<Record<string, unknown>[]> {
    const found = await rows<{ content: Record<string, unknown> }>(
      gateway.database,
      'SELECT content FROM messages ORDER BY id',
    );
    return found.map(({ content }) => content);
  }

  const refused = (...paths: string[]): object => ({
    status: 400,
    body: { error: { details: paths.map((path) => ({ path })) } },
  });

  it('hold no integer in data or defaults that JSON would change', async () => {
    const id = await create();
    const change = (text: string): string => JSON.stringify(ORDER).replace('{"kind":"order"}', text);
    const bad = change('{"order":9007199254740993}');
    for (const [method, path] of [
      ['POST', 'templates'],
      ['PUT', `templates/${id}`],
    ] as const) {
      expect(await call(method, path, bad, { 'content-type': 'application/json' })).toMatchObject({
        status: 400,
        body: { error: { details: [{ path: 'message.data.order' }] } },
      });
    }
  });

  it('keep every version, and say who made it and when', async () => {
    const id = await create();
    const second = { name: 'Order ready', description: 'shorter', message: { content: 'Ready' }, version: 1 };
    expect(await call('PUT', `templates/${id}`, second)).toMatchObject({
      status: 200,
      body: { id, version: 2, description: 'shorter', message: { content: 'Ready' }, variables: [], updatedBy: 'test' },
    });
    expect(await call('GET', `templates/${id}?version=1`)).toMatchObject({
      body: { version: 1, message: ORDER.message, variables: [{ name: 'order', required: true }, { required: false }] },
    });
    expect(await call('POST', `templates/${id}/restore`, { version: 1 })).toMatchObject({
      status: 200,
      body: { version: 3, message: ORDER.message, name: 'Order ready', description: 'shorter' },
    });
    const { body: first } = await call('GET', `templates/${id}/versions?limit=2`);
    const { body: rest } = await call('GET', `templates/${id}/versions?cursor=${first.nextCursor as string}`);
    expect([first, rest]).toMatchObject([
      { versions: [{ version: 3, createdBy: 'test' }, { version: 2 }] },
      { versions: [{ version: 1 }], nextCursor: null },
    ]);
    expect(await call('GET', `templates/${id}?version=4`)).toMatchObject({ status: 404 });
    expect(await call('POST', `templates/${id}/restore`, { version: 9 })).toMatchObject({ status: 404 });
  });

  it('refuse a version that was made from an older one, whoever comes first', async () => {
    const id = await create();
    const saves = ['one', 'two', 'three'].map((content) =>
      call('PUT', `templates/${id}`, { name: 'x', message: { content }, version: 1 }),
    );
    const answers = await Promise.all(saves);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    const { body: present } = await call('GET', `templates/${id}`);
    for (const { status, body } of answers) {
      if (status === 409) expect(body.error).toMatchObject({ code: 'EDIT_CONFLICT', current: present });
    }
  });

  it('answer the version that was saved, although somebody saves the next one before the answer is made', async () => {
    const id = await create();
    const change = (content: string, version: number): Promise<TestAnswer> =>
      call('PUT', `templates/${id}`, { name: 'Welcome', message: { content }, version });
    const { update: original } = SavedTemplatesRepository.prototype;
    const update = jest.spyOn(SavedTemplatesRepository.prototype, 'update');
    update.mockImplementationOnce(async function (this: SavedTemplatesRepository, ...of) {
      const saved = await original.apply(this, of);
      expect(await change('of grace', 2)).toMatchObject({ status: 200, body: { version: 3 } });
      return saved;
    });
    expect(await change('of ada', 1)).toMatchObject({
      status: 200,
      body: { version: 2, message: { content: 'of ada' } },
    });
  });

  it('are listed a part at a time, deleted, and belong to one application', async () => {
    const ids = [await create({ name: 'a' }), await create({ name: 'b' }), await create({ name: 'c' })];
    const { body: first } = await call('GET', 'templates?limit=2');
    const { body: rest } = await call('GET', `templates?limit=2&cursor=${first.nextCursor as string}`);
    const listed = [...(first.templates as { id: string }[]), ...(rest.templates as { id: string }[])];
    expect(listed.map(({ id }) => id)).toEqual([...ids].reverse());
    const { body: found } = await call('GET', 'templates?name=B');
    expect(found.templates).toMatchObject([{ id: ids[1], name: 'b' }]);
    expect(await call('POST', 'templates', { ...ORDER, name: 'a' })).toMatchObject({
      status: 409,
      body: { error: { code: 'CONFLICT', details: [{ path: 'name' }] } },
    });
    const other = { 'x-access-token': await gateway.application('bank') };
    const [id] = ids;
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['GET', '/versions'],
    ] as const) {
      expect(await call(method, `templates/${id}${path}`, undefined, other)).toMatchObject({ status: 404 });
    }
    expect(await call('POST', 'push/toUsers', { user: 'ada', templateId: id }, other)).toMatchObject(
      refused('templateId'),
    );
    expect(await call('DELETE', `templates/${id}`)).toMatchObject({ status: 200 });
    expect(await call('GET', `templates/${id}`)).toMatchObject({ status: 404 });
  });

  it.each([
    [{ message: {} }, ['message.content']],
    [{ message: { content: '{{ user.name' } }, ['message.content']],
    [
      { message: { content: 'x', notification: { title: 't', clickUrl: 'javascript:x' } } },
      ['message.notification.clickUrl'],
    ],
    [
      { message: { content: 'x', user: 'ada', target: {}, sendAt: TOMORROW } },
      ['message.user', 'message.target', 'message.sendAt'],
    ],
    [{ message: { content: 'x', templateId: randomUUID() } }, ['message.templateId']],
    [{ variables: [{ name: 'a b' }] }, ['variables[0].name']],
    [{ variables: [{ name: 'constructor' }, { name: '__proto__' }] }, ['variables[0].name', 'variables[1].name']],
    [{ variables: [{ name: 'a' }, { name: 'a' }] }, ['variables']],
    [
      {
        variables: [
          { name: 'a', default: 'x'.repeat(9_000) },
          { name: 'b', default: 'x'.repeat(9_000) },
        ],
      },
      ['variables'],
    ],
    [{ message: { content: 'x', data: 'y'.repeat(131_072) } }, ['message']],
  ])('are validated as a send is: %#', async (changes, paths) => {
    expect(await call('POST', 'templates', { ...ORDER, ...changes })).toMatchObject(refused(...paths));
  });

  it('warn of names that never have a value, and of variables that are not listed or not read', async () => {
    const message = {
      content: '{{ percent }} % off{% for item in user.cart %}, {{ item }}{% endfor %}',
      notification: { title: '{{ variables.shop | upcase }}' },
      localized: { de: { content: '{{ User.name }}' } },
      data: { plain: 'percent' },
    };
    const warnings = [
      { path: 'message.content', message: expect.stringContaining('reads percent, which never has a value') },
      { path: 'message.notification.title', message: expect.stringContaining('reads variables.shop') },
      { path: 'message.localized.de.content', message: expect.stringContaining('reads User') },
      { path: 'variables[0]', message: 'is read by no text: write {{ variables.percent }}' },
    ];
    const id = await create({ message, variables: [{ name: 'percent' }] });
    expect((await call('GET', `templates/${id}`)).body.warnings).toEqual(warnings);

    const mended = {
      name: 'Order ready',
      message: { content: '{{ variables.percent }} % off at {% if variables.shop %}{{ variables.shop }}{% endif %}' },
      variables: [{ name: 'percent' }, { name: 'shop' }],
    };
    expect(await call('PUT', `templates/${id}`, mended)).toMatchObject({ status: 200, body: { warnings: [] } });
    expect((await call('POST', `templates/${id}/restore`, { version: 1 })).body.warnings).toEqual(warnings);
  });

  it.each([
    '{% for variable in variables %}{{ variable }}{% endfor %}',
    '{{ variables[user.kind] }}',
    '{% assign percent = variables.percent %}{{ percent }}{{ user.name | default: promoCode }}{{ tags.vip }}',
    '{{ device.model }}, {{ message.trackId }}: {{ variables["percent"] }}',
  ])('warn of nothing in %s', async (content) => {
    const id = await create({ message: { content }, variables: [{ name: 'percent' }] });
    expect((await call('GET', `templates/${id}`)).body.warnings).toEqual([]);
  });

  it.each([
    ['toUsers', { user: 'ada' }],
    ['toUsers', { users: ['ada', 'omid'] }],
    ['toUsers', { user: '*' }],
    ['byQuery', { target: { deviceType: 'android' } }],
    ['notifyUsers', { user: 'ada' }],
  ])('are sent with by %s to %j', async (endpoint, to) => {
    const templateId = await create();
    const body = { ...to, templateId, variables: { order: 17 } };
    expect(await call('POST', `push/${endpoint}?dryRun=true`, body)).toMatchObject({ status: 200 });
    expect(await call('POST', `push/${endpoint}`, body)).toMatchObject({ status: 200 });
    const [content] = await contents();
    expect(content).toMatchObject({
      content: ORDER.message.content,
      notification: ORDER.message.notification,
      data: { kind: 'order' },
      extra: { colour: 'red' },
      templateId,
      templateVersion: 1,
      variables: { order: 17, place: 'the shop' },
    });
    expect(Object.keys(content?.extra as object)).toEqual(['colour']);
  });

  it('give way to what the send says itself, in a notification field by field', async () => {
    const templateId = await create();
    const body = {
      user: 'ada',
      templateId,
      variables: { order: 1 },
      content: 'Mine',
      notification: { title: 'Own' },
      data: null,
    };
    expect(await call('POST', 'push/toUsers', body)).toMatchObject({ status: 200 });
    expect(await contents()).toMatchObject([
      { content: 'Mine', notification: { ...ORDER.message.notification, title: 'Own' }, data: { kind: 'order' } },
    ]);
  });

  it('show their variables in a preview', async () => {
    const templateId = await create();
    const body = { users: ['ada'], templateId, variables: { order: 17, place: 'locker {{ user.id }}' } };
    const { body: preview } = await call('POST', 'push/preview', body);
    expect(preview.users).toMatchObject([
      { devices: [{ title: 'Ready', body: '17: locker {{ user.id }}', content: 'Order 17 is ready', warnings: [] }] },
    ]);
    const [payload] = (preview.users as { devices: { payload: object }[] }[]).map(({ devices }) => devices[0]?.payload);
    expect(JSON.stringify(payload)).not.toContain('variables');
  });

  it('name the required variables that are missing, also in arrays, and nothing is sent', async () => {
    const templateId = await create();
    expect(await call('POST', 'push/toUsers', { user: 'ada', templateId })).toMatchObject(refused('variables.order'));
    expect(await call('POST', 'push/preview', { users: ['ada'], templateId })).toMatchObject(
      refused('variables.order'),
    );
    const array = [
      { user: 'ada', templateId, variables: { order: 1 } },
      { user: 'omid', templateId, variables: { order: null } },
      { user: 'omid', templateId: randomUUID() },
      { user: 'omid', templateId, templateVersion: 7, variables: { order: 1 } },
    ];
    const paths = ['[1].variables.order', '[2].templateId', '[3].templateVersion'];
    expect(await call('POST', 'push/toUsers', array)).toMatchObject(refused(...paths));
    expect(await contents()).toEqual([]);
  });

  it('are sent with a misspelt variable, of which a dry run and a preview warn', async () => {
    const message = {
      content: 'Order {{ variables.order }} at {{ variables.place }}{{ variables.bay | default: "" }}',
    };
    const listed = [{ name: 'order' }, { name: 'place', default: 'the shop' }, { name: 'till', default: 1 }];
    const templateId = await create({ message, variables: listed });
    const body = { templateId, variables: { ordr: 'A-7' } };
    const warnings = [
      { path: 'content', message: 'shows variables.order, which neither the send nor a default of its template gives' },
      { path: 'variables.ordr', message: 'is read by no text' },
    ];
    const at = (place: string): object[] => warnings.map((one) => ({ ...one, path: `${place}.${one.path}` }));
    const dryRun = async (sent: object): Promise<unknown> =>
      (await call('POST', 'push/toUsers?dryRun=true', sent)).body.warnings;
    expect(await dryRun({ user: 'ada', ...body })).toEqual(warnings);
    expect((await call('POST', 'push/preview', { users: ['ada'], ...body })).body.warnings).toEqual(warnings);
    const right = { user: 'ada', templateId, variables: { order: 'A-7' } };
    expect(await dryRun([right, { user: 'ada', ...body }])).toEqual(at('[1]'));
    expect(await dryRun(right)).toBeUndefined();
    expect(
      (await call('POST', 'push/preview', { ...right, user: undefined, users: ['ada'] })).body.warnings,
    ).toBeUndefined();
    const sent = await call('POST', 'push/toUsers', { user: 'ada', ...body });
    expect(sent).toMatchObject({ status: 200 });
    expect(Object.keys(sent.body)).toEqual(['count']);
  });

  it.each([
    ['{{ percent }} % off', [{ path: 'content', message: expect.stringContaining('reads percent') }]],
    ['{% if variables.percent %}{{ variables.percent }} %{% endif %} off', []],
    ['{% raw %}{{ percent }}{% endraw %}{% for one in variables %}{{ one }}{% endfor %}', []],
    ['{{ variables["a(b"] }}', []],
    ['{{ variables.percent | upcase }}', [{ path: 'content', message: expect.stringContaining('variables.percent') }]],
  ])('need not be named for a dry run to warn: %s', async (content, warnings) => {
    const { status, body } = await call('POST', 'push/toUsers?dryRun=true', { user: 'ada', content });
    expect(status).toBe(200);
    expect(body.warnings ?? []).toEqual(warnings);
  });

  it.each([
    [{ templateId: 'order' }, 'templateId'],
    [{ content: 'x', templateVersion: 1 }, 'templateVersion'],
    [{ content: 'x', variables: [1] }, 'variables'],
    [{ content: 'x', variables: { big: 'x'.repeat(16_384) } }, 'variables'],
  ])('must be named rightly: %j', async (fields, path) => {
    expect(await call('POST', 'push/toUsers', { user: 'ada', ...fields })).toMatchObject(refused(path));
  });

  it('are sent to ten thousand users with one text', async () => {
    const templateId = await create({
      message: { content: `{% if variables.order %}${'x'.repeat(3_000)}{% endif %}` },
    });
    const array = Array.from({ length: 200 }, (_, order) => ({ user: 'ada', templateId, variables: { order } }));
    expect(await call('POST', 'push/toUsers', array)).toMatchObject({ status: 200, body: { count: 200 } });
  });

  it('stay as they were in a message that waits, whatever becomes of them', async () => {
    const templateId = await create();
    const sent = await call('POST', 'push/toUsers', {
      user: 'ada',
      templateId,
      variables: { order: 1 },
      sendAt: TOMORROW,
    });
    const messageId = sent.headers['x-message-id'] as string;
    await call('PUT', `templates/${templateId}`, { name: 'x', message: { content: 'New' } });
    await call('DELETE', `templates/${templateId}`);
    const change = await call('PATCH', `push/messages/${messageId}`, { variables: { order: 2 } });
    expect(change).toMatchObject({
      status: 200,
      body: { content: { content: ORDER.message.content, templateVersion: 1, variables: { order: 2 } } },
    });
    expect(await call('PATCH', `push/messages/${messageId}`, { templateId })).toMatchObject(refused('templateId'));
  });

  it('are sent with at an old version', async () => {
    const templateId = await create();
    await call('PUT', `templates/${templateId}`, { name: 'x', message: { content: 'New' } });
    const body = { user: 'ada', templateId, variables: { order: 1 } };
    await call('POST', 'push/toUsers', { ...body, templateVersion: 1 });
    await call('POST', 'push/toUsers', body);
    expect(await contents()).toMatchObject([
      { content: ORDER.message.content, templateVersion: 1 },
      { content: 'New', templateVersion: 2 },
    ]);
  });

  it('may be gone when a request is repeated with its idempotency key: it gets its answer again', async () => {
    const templateId = await create();
    const body = { user: 'ada', templateId, variables: { order: 1 } };
    const headers = { 'idempotency-key': 'order-17' };
    const first = await call('POST', 'push/toUsers', body, headers);
    await call('DELETE', `templates/${templateId}`);
    expect(await call('POST', 'push/toUsers', body, headers)).toMatchObject({
      status: 200,
      headers: { 'idempotent-replayed': 'true', 'x-message-id': first.headers['x-message-id'] },
    });
    expect(await call('POST', 'push/toUsers', body, { 'idempotency-key': 'another' })).toMatchObject(
      refused('templateId'),
    );
    expect(await contents()).toHaveLength(1);
  });

  it('with a fallback are for named users: a group is told why', async () => {
    const templateId = await create({ message: { content: 'x', fallback: { content: 'SMS {{ variables.order }}' } } });
    const body = { templateId, variables: { order: 1 } };
    expect(await call('POST', 'push/toUsers', { user: 'ada', ...body })).toMatchObject({ status: 200 });
    expect(await call('POST', 'push/byQuery', { target: { deviceType: 'android' }, ...body })).toMatchObject(
      refused('fallback'),
    );
  });

  it('with variants are for groups, whose texts read the variables, and named users are told why', async () => {
    const variants = [
      { name: 'plain', weight: 1 },
      { name: 'loud', weight: 2, content: 'NOW {{ variables.order }}', localized: { de: { content: 'JETZT' } } },
    ];
    const templateId = await create({ message: { content: 'Order', localized: { de: { content: 'X' } }, variants } });
    const body = { templateId, variables: { order: 1 } };
    const group = { target: { deviceType: 'android' } };
    expect(await call('POST', 'push/byQuery', { ...group, ...body })).toMatchObject({ status: 200 });
    expect(await contents()).toMatchObject([
      { content: 'Order', variants, variables: { order: 1 }, templateVersion: 1 },
    ]);
    expect(await call('POST', 'push/toUsers', { user: 'ada', ...body })).toMatchObject(refused('variants'));
    const broken = [variants[0], { ...variants[1], content: '{{ variables.order' }];
    const message = { content: 'Order', variants: broken };
    expect(await call('POST', 'templates', { ...ORDER, name: 'b', message })).toMatchObject(
      refused('message.variants[1].content'),
    );
  });
});
