import { randomUUID } from 'node:crypto';
import { rows, SavedDraftsRepository } from '@postrider/persistence';
import { addDevice, configureVendor, TestClock, emptyTables } from '@postrider/testing';
import { startTestGateway, type TestAnswer, type TestGateway } from '../testing/test-gateway';

interface Draft {
  id: string;
  name: string;
  revision: number;
  message: object;
  updatedAt: string;
  updatedBy: string;
}

describe('drafts', () => {
  let gateway: TestGateway;
  let token: string;
  const clock = new TestClock();

  beforeAll(async () => {
    gateway = await startTestGateway({}, clock);
    token = await gateway.application('shop');
    await configureVendor(gateway.database, 'shop', 'fcm');
    await addDevice(gateway.database, { appId: 'shop', userId: 'ada' });
  });

  afterAll(() => gateway.close());
  beforeEach(() => emptyTables(gateway.database, 'drafts', 'messages', 'pages', 'deliveries', 'idempotency_keys'));

  function call(method: string, path: string, body?: unknown, headers = {}): Promise<TestAnswer> {
    return gateway.request(method, `/api/${path}`, { body, headers: { 'x-access-token': token, ...headers } });
  }

  async function save(name = 'Spring', message: object = { content: 'Hel' }): Promise<Draft> {
    const { status, body } = await call('POST', 'drafts', { name, message });
    expect(status).toBe(201);
    return body as Draft;
  }

  async function sent(): Promise<number> {
    return (await rows(gateway.database, 'SELECT id FROM messages')).length;
  }

  it('keep a message that is not finished, unchanged, and say who saved it and when', async () => {
    const message = { content: '{{ unfinished', target: { nonsense: null }, list: [1, 'é', { deep: [] }] };
    const draft = await save('Spring', message);
    expect(draft).toMatchObject({ name: 'Spring', revision: 1, message, updatedBy: 'test' });
    expect((await call('GET', `drafts/${draft.id}`)).body).toEqual(draft);
    clock.advance(1_000);
    const answer = await call('PUT', `drafts/${draft.id}`, { name: 'Sale', message: {}, revision: 1 });
    expect(answer).toMatchObject({ status: 200, body: { name: 'Sale', revision: 2, message: {} } });
    expect(Date.parse(answer.body.updatedAt as string)).toBe(Date.parse(draft.updatedAt) + 1_000);
  });

  it('refuse a save of an older revision and answer the present draft, whoever comes first', async () => {
    const { id } = await save();
    const saves = ['ada', 'grace', 'omid'].map((content) =>
      call('PUT', `drafts/${id}`, { name: content, message: { content }, revision: 1 }),
    );
    const answers = await Promise.all(saves);
    const [first] = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ status }) => status === 409);
    expect(refused).toHaveLength(2);
    const { body: present } = await call('GET', `drafts/${id}`);
    expect(present).toEqual(first?.body);
    for (const { body } of refused) expect(body.error).toMatchObject({ code: 'EDIT_CONFLICT', current: present });
  });

  it('answer what was saved, although somebody saves the next revision before the answer is made', async () => {
    const { id } = await save();
    const { update: original } = SavedDraftsRepository.prototype;
    const update = jest.spyOn(SavedDraftsRepository.prototype, 'update');
    update.mockImplementationOnce(async function (this: SavedDraftsRepository, ...of) {
      const saved = await original.apply(this, of);
      await call('PUT', `drafts/${id}`, { name: 'grace', message: { content: 'grace' }, revision: 2 });
      return saved;
    });
    const answer = await call('PUT', `drafts/${id}`, { name: 'ada', message: { content: 'ada' }, revision: 1 });
    expect(answer).toMatchObject({ status: 200, body: { name: 'ada', revision: 2, message: { content: 'ada' } } });
    expect((await call('GET', `drafts/${id}`)).body).toMatchObject({ name: 'grace', revision: 3 });
  });

  it('are listed a part at a time, the last saved first, without what stands in them', async () => {
    const made: Draft[] = [];
    for (const name of ['one', 'two', 'three']) {
      made.push(await save(name));
      clock.advance(1_000);
    }
    await call('PUT', `drafts/${made[0]?.id}`, { name: 'one', message: {}, revision: 1 });
    const { body: first } = await call('GET', 'drafts?limit=2');
    const { body: rest } = await call('GET', `drafts?limit=2&cursor=${first.nextCursor as string}`);
    const listed = [...(first.drafts as Draft[]), ...(rest.drafts as Draft[])];
    expect(listed.map(({ name }) => name)).toEqual(['one', 'three', 'two']);
    const { body: found } = await call('GET', 'drafts?name=T');
    expect((found.drafts as Draft[]).map(({ name }) => name)).toEqual(['three', 'two']);
    expect(listed[0]).not.toHaveProperty('message');
    expect(rest.nextCursor).toBeNull();
  });

  it('are duplicated, and deleted', async () => {
    const { id } = await save('Spring', { content: 'x' });
    const copies = [
      await call('POST', `drafts/${id}/duplicate`),
      await call('POST', `drafts/${id}/duplicate`, { name: 'Two' }),
    ];
    expect(copies.map(({ status, body }) => [status, body.name, body.message, body.revision])).toEqual([
      [201, 'Spring (copy)', { content: 'x' }, 1],
      [201, 'Two', { content: 'x' }, 1],
    ]);
    expect(await call('DELETE', `drafts/${id}?revision=7`)).toMatchObject({
      status: 409,
      body: { error: { code: 'EDIT_CONFLICT', current: { id, revision: 1 } } },
    });
    expect(await call('DELETE', `drafts/${id}?revision=1`)).toMatchObject({ status: 200, body: { id } });
    for (const [method, path] of [
      ['GET', `drafts/${id}`],
      ['DELETE', `drafts/${id}`],
      ['POST', `drafts/${id}/duplicate`],
      ['GET', 'drafts/none'],
    ] as const) {
      expect(await call(method, path)).toMatchObject({ status: 404 });
    }
  });

  it('have a largest size, and an application a largest number of them', async () => {
    const tooBig = { name: 'x', message: { content: 'x'.repeat(131_073) } };
    expect(await call('POST', 'drafts', tooBig)).toMatchObject({
      status: 400,
      body: { error: { details: [{ path: 'message' }] } },
    });
    await rows(
      gateway.database,
      `INSERT INTO drafts (app_id, draft_id, name, message, revision, created_at, updated_at)
       SELECT 'shop', gen_random_uuid(), 'x', '{}', 1, now(), now() FROM generate_series(1, 999)`,
    );
    const answers = await Promise.all([1, 2, 3].map(() => call('POST', 'drafts', { name: 'x', message: {} })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  });

  it('belong to one application', async () => {
    const { id } = await save();
    const bank = await gateway.application('bank');
    const headers = { 'x-access-token': bank };
    expect(await call('GET', `drafts/${id}`, undefined, headers)).toMatchObject({ status: 404 });
    expect(await call('DELETE', `drafts/${id}`, undefined, headers)).toMatchObject({ status: 404 });
    const answer = await call('PUT', `drafts/${id}`, { name: 'x', message: {}, revision: 1 }, headers);
    expect(answer.status).toBe(404);
    const send = { user: 'ada', content: 'x', draftId: id };
    expect(await call('POST', 'push/toUsers', send, headers)).toMatchObject({ status: 409 });
    expect((await call('GET', 'drafts')).body.drafts).toHaveLength(1);
  });

  describe('that a send names', () => {
    it.each([
      ['toUsers', { user: 'ada' }],
      ['toUsers', { user: '*' }],
      ['byQuery', { target: { deviceType: 'android' } }],
      ['notifyUsers', { users: ['ada'] }],
    ])('are gone once it is accepted: %s', async (endpoint, to) => {
      const { id } = await save();
      const body = { ...to, content: 'Hello', draftId: id, draftRevision: 1 };
      expect(await call('POST', `push/${endpoint}?dryRun=true`, body)).toMatchObject({ status: 200 });
      expect(await call('GET', `drafts/${id}`)).toMatchObject({ status: 200 });
      expect(await call('POST', `push/${endpoint}`, body)).toMatchObject({ status: 200, body: { count: 1 } });
      expect(await call('GET', `drafts/${id}`)).toMatchObject({ status: 404 });
      const [message] = await rows<{ content: object }>(gateway.database, 'SELECT content FROM messages');
      expect(message?.content).not.toHaveProperty('extra');
    });

    it('stay when somebody has saved another revision, and nothing is sent', async () => {
      const { id } = await save();
      await call('PUT', `drafts/${id}`, { name: 'Mine', message: {}, revision: 1 });
      const body = { user: 'ada', content: 'x', draftId: id, draftRevision: 1 };
      for (const query of ['?dryRun=true', '']) {
        expect(await call('POST', `push/toUsers${query}`, body)).toMatchObject({
          status: 409,
          body: { error: { code: 'EDIT_CONFLICT', current: { id, revision: 2 }, details: [{ path: 'draftId' }] } },
        });
      }
      expect(await sent()).toBe(0);
      expect(await call('POST', 'push/toUsers', { ...body, draftRevision: 2 })).toMatchObject({ status: 200 });
    });

    it('stay when the audience changed, or anything else is wrong', async () => {
      const { id } = await save();
      const body = { user: 'ada', content: 'x', draftId: id, expectedCount: 5 };
      expect(await call('POST', 'push/toUsers', body)).toMatchObject({ body: { error: { code: 'AUDIENCE_CHANGED' } } });
      expect(await call('POST', 'push/toUsers', { ...body, content: '' })).toMatchObject({ status: 400 });
      expect(await call('GET', `drafts/${id}`)).toMatchObject({ status: 200 });
    });

    it('let one of two people send who press the button at once', async () => {
      const { id } = await save();
      const body = { user: 'ada', content: 'x', draftId: id };
      const answers = await Promise.all(Array.from({ length: 6 }, () => call('POST', 'push/toUsers', body)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
      for (const { status, body: answer } of answers) {
        if (status === 409) expect(answer.error).toMatchObject({ code: 'EDIT_CONFLICT', current: null });
      }
      expect(await sent()).toBe(1);
    });

    it('are cleared once for an idempotency key: whoever lost the answer gets it again', async () => {
      const { id } = await save();
      const body = { user: 'ada', content: 'x', draftId: id, draftRevision: 1 };
      const headers = { 'idempotency-key': randomUUID() };
      const first = await call('POST', 'push/toUsers', body, headers);
      const again = await call('POST', 'push/toUsers', body, headers);
      expect([first.status, again.status]).toEqual([200, 200]);
      expect(again.headers).toMatchObject({
        'idempotent-replayed': 'true',
        'x-message-id': first.headers['x-message-id'],
      });
      expect(await sent()).toBe(1);
    });

    it('are named in the elements of an array: all are cleared, or none', async () => {
      const [one, two] = [await save(), await save()];
      const element = (draftId: string): object => ({ user: 'ada', content: 'x', draftId });
      expect(await call('POST', 'push/toUsers', [element(one.id), element(randomUUID())])).toMatchObject({
        status: 409,
        body: { error: { details: [{ path: '[1].draftId' }] } },
      });
      expect((await call('GET', 'drafts')).body.drafts).toHaveLength(2);
      expect(await call('POST', 'push/toUsers', [element(one.id), element(two.id), element(one.id)])).toMatchObject({
        status: 200,
      });
      expect((await call('GET', 'drafts')).body.drafts).toEqual([]);
    });

    it.each([
      [{ draftId: 'mine' }, 'draftId'],
      [{ draftRevision: 1 }, 'draftRevision'],
      [{ draftId: randomUUID(), draftRevision: 0 }, 'draftRevision'],
    ])('must be named rightly: %j', async (fields, path) => {
      expect(await call('POST', 'push/toUsers', { user: 'ada', content: 'x', ...fields })).toMatchObject({
        status: 400,
        body: { error: { details: [{ path }] } },
      });
    });
  });

  it('lose a user who is erased, and nothing else', async () => {
    await addDevice(gateway.database, { appId: 'shop', userId: 'ida' });
    const message = {
      users: 'grace\nida\nida-2\nomid',
      content: 'For ida, and ida',
      true: 1,
      '42': 42,
      list: ['ida', 'Friday'],
    };
    const { id } = await save('For ida', message);
    const other = await save('Spring', { content: 'Dear {{ user.name }}' });
    expect(await call('DELETE', 'users/ida')).toMatchObject({ status: 200 });
    expect((await call('GET', `drafts/${id}`)).body).toMatchObject({
      name: 'For ',
      revision: 2,
      message: { users: 'grace\n\n-2\nomid', content: 'For , and ', true: 1, '42': 42, list: ['', 'Friday'] },
    });
    expect((await call('GET', `drafts/${other.id}`)).body).toEqual(other);
  });
});

it('of a send that comes too late needs one connection at a time: many such sends do not wait for each other', async () => {
  const gateway = await startTestGateway({ databasePoolSize: 1 });
  const shop = await gateway.application('shop', ['send']);
  const body = { user: 'ada', content: 'x', draftId: randomUUID() };
  const late = await gateway.request('POST', `/api/push/toUsers?access_token=${shop}`, { body });
  expect(late).toMatchObject({ status: 409, body: { error: { details: [{ path: 'draftId' }] } } });
  await gateway.close();
});
