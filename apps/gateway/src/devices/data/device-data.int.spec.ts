import { rows } from '@postrider/persistence';
import { newId } from '@postrider/platform';
import { startTestGateway, type TestAnswer, type TestGateway } from '../../testing/test-gateway';

describe('what devices and backends tell about users', () => {
  let gateway: TestGateway;
  let client: string;
  let server: string;
  let stranger: string;

  const call = (method: string, path: string, body?: unknown, token = client): Promise<TestAnswer> =>
    gateway.request(method, `/api/${path}`, { body, headers: { 'x-access-token': token } });
  const register = async (userId: string, deviceToken: string): Promise<string> =>
    (await call('POST', 'installations', { userId, deviceType: 'android', deviceToken })).body.id;
  const one = async <Row>(sql: string, parameters: unknown[]): Promise<Row | undefined> =>
    (await rows<Row>(gateway.database, sql, parameters))[0];
  const deviceIdOf = async (installationId: string): Promise<string> =>
    (await one<{ id: string }>(`SELECT id FROM installations WHERE installation_id = $1`, [installationId]))?.id ?? '';
  const infoOf = async (installationId: string): Promise<unknown> =>
    (await call('GET', `installations/${installationId}`)).body.userInfo;

  beforeAll(async () => {
    gateway = await startTestGateway();
    server = await gateway.application('shop');
    client = await gateway.token('shop', ['devices']);
    stranger = await gateway.application('other', ['devices']);
  });

  afterAll(() => gateway.close());

  it("keeps a user's attributes as the published client changes them, on all their devices", async () => {
    const phone = await register('ada', 'ada-1');
    const change = (body: object): Promise<TestAnswer> =>
      call('PUT', 'installations/userInfo', { installationId: phone, ...body });
    await change({
      data: { firstName: 'Ada', age: 36, since: 1_700_000_000_000, 'plan.name': 'gold', gone: true },
      __meta: { keys: { since: { type: 'date' } } },
    });
    await change({ data: {}, __meta: { keys: { gone: { operation: 'unset' } } } });
    await change({ data: {}, __meta: { keys: { likes: { type: 'array', operation: 'addToArray', value: ['tea'] } } } });
    await change({ data: {}, __meta: { keys: { likes: { operation: 'addToArray', value: ['milk', 'tea'] } } } });
    const { body } = await change({
      data: { age: null },
      __meta: { keys: { likes: { operation: 'removeFromArray', value: ['milk'] } } },
    });
    const expected = {
      firstName: 'Ada',
      since: '2023-11-14T22:13:20.000Z',
      'plan.name': 'gold',
      likes: ['tea'],
    };
    expect(body).toEqual(expected);
    expect(await infoOf(await register('ada', 'ada-2'))).toEqual(expected);
    expect((await call('PUT', 'installations/userInfo', { installationId: newId(), data: {} })).status).toBe(404);
    const bad = await change({ data: { nested: { a: 1 } }, __meta: { keys: { a: { operation: 'explode' } } } });
    expect(bad.body.error.details.map(({ path }: { path: string }) => path)).toEqual([
      'data.nested',
      '__meta.keys.a.operation',
    ]);
  });

  it('loses none of many increments at once', async () => {
    const phone = await register('bob', 'bob-1');
    await Promise.all(
      Array.from({ length: 50 }, () =>
        call('POST', 'installations/incrementAttribute', {
          installationId: phone,
          attributes: [
            { attribute: 'points', value: 2 },
            { attribute: 'visits', value: '1' },
            { attribute: 'spent', value: 0.1 },
          ],
        }),
      ),
    );
    expect(await infoOf(phone)).toEqual({ points: 100, visits: 50, spent: 5 });
  });

  it('adds to no attribute that has a value other than a number, and keeps all of them', async () => {
    const phone = await register('bea', 'bea-1');
    const kept = { plan: 'gold', code: '42', likes: ['tea'], isPaying: true, points: 1 };
    expect((await call('PUT', 'installations/userInfo', { installationId: phone, data: kept })).status).toBe(200);
    const add = (...attributes: object[]): Promise<TestAnswer> =>
      call('POST', 'installations/incrementAttribute', { installationId: phone, attributes });
    for (const attribute of ['plan', 'code', 'likes', 'isPaying']) {
      const { status, body } = await add({ attribute: 'points', value: 1 }, { attribute, value: 1 });
      expect(status).toBe(400);
      expect(body.error.details).toEqual([{ path: 'attributes[1].attribute', message: 'is not a number' }]);
    }
    const { status, body } = await add({ attribute: 'large', value: 1e308 }, { attribute: 'large', value: 1e308 });
    expect([status, body.error.details[0].path]).toEqual([400, 'attributes[1].value']);
    expect(await infoOf(phone)).toEqual(kept);
    expect((await add({ attribute: 'toString', value: 2 })).body).toEqual({ ...kept, toString: 2 });
  });

  it.each(['__proto__', 'constructor', 'prototype'])('makes no attribute with the name %s', async (attribute) => {
    const phone = await register('bo', 'bo-1');
    const { status, body } = await call('POST', 'installations/incrementAttribute', {
      installationId: phone,
      attributes: [{ attribute, value: 1 }],
    });
    expect(status).toBe(400);
    expect(body.error.details).toEqual([{ path: 'attributes[0].attribute', message: 'is not allowed as a name' }]);
    expect(await infoOf(phone)).toEqual({});
  });

  it('lets the backend set attributes of a user or of one device', async () => {
    const phone = await register('carl', 'carl-1');
    await register('carl', 'carl-2');
    const set = (body: object, token = server): Promise<TestAnswer> =>
      call('POST', 'installations/attributes', body, token);
    expect((await set({ userId: 'carl', attributes: { city: 'Yazd' } })).body).toEqual({ count: 2 });
    expect((await set({ installationId: phone, attributes: { color: 'red' } })).body).toEqual({ count: 1 });
    expect((await set({ userId: 'nobody', attributes: { a: 1 } })).body).toEqual({ count: 0 });
    for (const installationId of [newId(), 'nonsense'])
      expect((await set({ installationId, attributes: { a: 1 } })).status).toBe(404);
    expect(await one(`SELECT attributes FROM installations WHERE installation_id = $1`, [phone])).toEqual({
      attributes: { color: 'red' },
    });
    expect((await set({ userId: 'carl', attributes: {} }, client)).status).toBe(403);
    expect((await set({ userId: 'carl', installationId: phone, attributes: {} })).body.error.details[0].path).toBe(
      'userId',
    );
    const huge = { userId: 'carl', attributes: { text: Array.from({ length: 100 }, () => 'x'.repeat(4_000)) } };
    expect((await set(huge)).status).toBe(400);
  });

  it('makes devices members of channels, and ends it', async () => {
    const phone = await register('dora', 'dora-1');
    await register('dora', 'dora-2');
    const members = (method: string, channel: string, body: object, token = server): Promise<TestAnswer> =>
      call(method, `channels/${encodeURIComponent(channel)}/members`, body, token);
    expect((await members('POST', 'sport', { users: ['dora'] })).body).toEqual({ count: 2 });
    expect((await members('POST', 'sport', { installations: [phone, 'nonsense', newId()] })).body).toEqual({
      count: 1,
    });
    expect((await members('POST', '/private/alerts', { installations: [phone] })).body).toEqual({ count: 1 });
    expect((await call('GET', `installations/${phone}`)).body.subscriptions).toEqual([
      'public/sport',
      'private/alerts',
    ]);
    expect((await members('DELETE', 'sport', { installations: [phone] })).body).toEqual({ count: 1 });
    expect((await members('DELETE', 'sport', { users: ['dora'] })).body).toEqual({ count: 1 });
    expect((await members('POST', 'default', { users: ['dora'] })).body).toEqual({ count: 2 });
    const refusedFor = async (channel: string, named: object): Promise<string> =>
      (await members('POST', channel, named)).body.error.details[0].path;
    expect(await refusedFor('not a channel', { users: ['dora'] })).toBe('channel');
    expect(await refusedFor('sport', {})).toBe('users');
    expect((await members('POST', 'sport', { users: ['dora'] }, client)).status).toBe(403);
  });

  it('moves deliveries forward by what the device reports, in whatever order, and never back', async () => {
    const phone = await register('eve', 'eve-1');
    const deviceId = await deviceIdOf(phone);
    const [known, early, foreign] = [newId(), newId(), newId()];
    await rows(
      gateway.database,
      `INSERT INTO deliveries (app_id, message_id, device_id, state, rank, vendor, error_code)
       VALUES ('shop', $1, $2, 'failed', 1, 'fcm', 'TIMEOUT')`,
      [known, deviceId],
    );
    await rows(
      gateway.database,
      `INSERT INTO pages (app_id, message_id, id, vendor, lane, device_ids, state, fence)
       VALUES ('shop', $1, $2, 'fcm', 'campaign', ARRAY[$3::bigint], 'running', 1)`,
      [early, newId(), deviceId],
    );
    const report = (events: object[], token = client): Promise<TestAnswer> =>
      call(
        'POST',
        'installations/events',
        { installationId: phone, userId: 'eve', deviceType: 'android', createdAt: Date.now(), eventData: events },
        token,
      );
    const receipt = (msgId: string, actionType: string, actionTs: number): object => ({
      type: 1,
      msgId,
      actionType,
      actionTs,
    });
    const stateOf = (messageId: string): Promise<unknown> =>
      one(`SELECT state, rank, error_code, shown_at, opened_at FROM deliveries WHERE message_id = $1`, [messageId]);

    await report([
      receipt(known, 'OPENED', 2_000),
      receipt(known, 'OPENED', 3_000),
      receipt(early, 'DELIVERED', 1_000),
    ]);
    await report([
      receipt(known, 'SHOWN', 1_000),
      receipt(foreign, 'OPENED', 1_000),
      receipt('not-ours', 'SHOWN', 1_000),
    ]);
    expect(await stateOf(known)).toEqual({
      state: 'opened',
      rank: 6,
      error_code: null,
      shown_at: new Date(1_000),
      opened_at: new Date(2_000),
    });
    expect(await stateOf(early)).toMatchObject({ state: 'delivered', rank: 3 });
    expect(await stateOf(foreign)).toBeUndefined();
    expect((await report([], stranger)).status).toBe(404);
    const bad = await report([{ type: 1, actionType: 'EATEN' }, { type: 9 }, { type: 3 }, { type: 2 }]);
    expect(bad.body.error.details.map(({ path }: { path: string }) => path)).toEqual([
      'eventData[0].actionType',
      'eventData[0].msgId',
      'eventData[1].type',
      'eventData[2].link',
      'eventData[3].eventName',
    ]);
  });

  it('keeps tracked behaviour as attributes that segments can ask for, and opened links', async () => {
    const phone = await register('finn', 'finn-1');
    const report = (events: object[]): Promise<TestAnswer> =>
      call('POST', 'installations/events', { installationId: phone, userId: 'finn', eventData: events });
    await report([
      { type: 2, eventName: 'purchase', data: { value: 20 }, createdAt: 1_700_000_000_000 },
      { type: 2, data: { eventName: 'purchase', value: 5 }, createdAt: 1_700_000_001_000 },
      { type: 2, eventName: 'visit', createdAt: 1_700_000_002_000 },
      { type: 3, link: 'shop://sale', actionTs: 1_700_000_003_000 },
    ]);
    expect(await infoOf(phone)).toEqual({
      'purchase.count': 2,
      'purchase.last': '2023-11-14T22:13:21.000Z',
      'purchase.lastValue': 5,
      'purchase.sum': 25,
      'visit.count': 1,
      'visit.last': '2023-11-14T22:13:22.000Z',
    });
    expect(await one(`SELECT user_id, link, opened_at FROM link_opens`, [])).toEqual({
      user_id: 'finn',
      link: 'shop://sale',
      opened_at: new Date(1_700_000_003_000),
    });
  });

  it('shows and changes nothing across applications', async () => {
    const phone = await register('gina', 'gina-1');
    const asStranger = (method: string, path: string, body: object): Promise<TestAnswer> =>
      call(method, `installations/${path}`, { installationId: phone, ...body }, stranger);
    expect((await asStranger('PUT', 'userInfo', { data: { a: 1 } })).status).toBe(404);
    const increment = { attributes: [{ attribute: 'a', value: 1 }] };
    expect((await asStranger('POST', 'incrementAttribute', increment)).status).toBe(404);
    expect((await asStranger('POST', 'events', { userId: 'gina', eventData: [] })).status).toBe(404);
    const other = await gateway.token('other', ['server']);
    const body = { installations: [phone], users: ['gina'] };
    expect((await call('POST', 'channels/sport/members', body, other)).body).toEqual({ count: 0 });
    const attributes = { userId: 'gina', attributes: { a: 1 } };
    expect((await call('POST', 'installations/attributes', attributes, other)).body).toEqual({ count: 0 });
    const ofDevice = { installationId: phone, attributes: { a: 1 } };
    expect((await call('POST', 'installations/attributes', ofDevice, other)).status).toBe(404);
    expect(await infoOf(phone)).toEqual({});
  });
});
