import { randomUUID } from 'node:crypto';
import { rows } from '@postrider/persistence';
import { newId } from '@postrider/platform';
import { configureVendor, emptyTables } from '@postrider/testing';
import { startTestGateway, type TestAnswer, type TestGateway } from '../testing/test-gateway';

describe('users', () => {
  let gateway: TestGateway;
  let server: string;
  let stranger: string;

  const call = (method: string, path: string, body?: unknown, token = server): Promise<TestAnswer> =>
    gateway.request(method, path, { body, headers: { 'x-access-token': token } });
  const register = async (userId: string, more: object = {}): Promise<string> => {
    const device = { userId, deviceType: 'android', deviceToken: `token-of-${userId}-${randomUUID()}`, ...more };
    return (await call('POST', '/api/installations', device)).body.id as string;
  };
  const send = async (body: object, path = 'toUsers'): Promise<string> => {
    const answer = await call('POST', `/api/push/${path}`, body);
    expect(answer.status).toBe(200);
    return answer.headers['x-message-id'] as string;
  };
  /** What a delivery worker records. */
  const deliver = (messageId: string, installationId: string): Promise<unknown> =>
    rows(
      gateway.database,
      `INSERT INTO deliveries (app_id, message_id, device_id, state, rank, vendor, vendor_message_id)
       SELECT 'shop', $1, id, 'sent', 2, 'fcm', 'v-' || id FROM installations WHERE installation_id = $2`,
      [messageId, installationId],
    );
  /** The webhook events that workers write, which they made for the application. */
  const tell = async (type: string, data: object, times = 1): Promise<void> => {
    await rows(
      gateway.database,
      `WITH webhook AS (
         INSERT INTO webhooks (app_id, webhook_id, url, events, sealed, created_at, updated_at)
         VALUES ('shop', gen_random_uuid(), 'https://example.com/', '{}', '', now(), now()) RETURNING webhook_id
       )
       INSERT INTO webhook_events (app_id, webhook_id, type, data)
       SELECT 'shop', webhook_id, $1, $2 FROM webhook, generate_series(1, $3::integer)`,
      [type, JSON.stringify(data), times],
    );
  };
  /** Every row of the database that contains a text, by table. */
  const tracesOf = async (text: string): Promise<string[]> => {
    const tables = await rows<{ name: string }>(
      gateway.database,
      `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')`,
    );
    const found = await Promise.all(
      tables.map(async ({ name }) => {
        const hits = await rows(gateway.database, `SELECT 1 FROM ${name} t WHERE strpos(t::text, $1) > 0 LIMIT 1`, [
          text,
        ]);
        return hits.length > 0 ? [name] : [];
      }),
    );
    return found.flat();
  };

  beforeAll(async () => {
    gateway = await startTestGateway();
    server = await gateway.application('shop');
    stranger = await gateway.application('other');
    await configureVendor(gateway.database, 'shop', 'fcm');
  });

  afterAll(() => gateway.close());
  beforeEach(() => emptyTables(gateway.database, 'webhook_events'));

  it('are written as CSV, all of them or those that are asked for, of one application', async () => {
    for (let number = 0; number < 3; number++) await register(`csv-${number}`);
    await call('POST', '/api/installations/addTags', { userId: 'csv-1', tags: ['vip'] });
    await call('POST', '/api/installations/addValueTag', { userId: 'csv-1', tag: 'from', value: 'a,b' });
    await call('POST', '/api/installations/attributes', { userId: 'csv-1', attributes: { city: 'Linz' } });
    await call('POST', '/api/installations/attributes', { userId: 'csv-2', attributes: { note: 'x;=1+1;y' } });
    const read = async (query: string, token = server): Promise<string[]> => {
      const answer = await fetch(`${gateway.address}/api/users${query}`, { headers: { 'x-access-token': token } });
      expect(answer.headers.get('content-disposition')).toBe('attachment; filename="users.csv"');
      return (await answer.text()).split('\r\n').map((line) => line.replace(/20\d\d-[^,]*Z/, 'at'));
    };
    expect(await read('?prefix=csv-&format=csv&limit=1')).toEqual([
      'userId,createdAt,devices,tags,attributes',
      ...[
        'csv-0,at,1,,{}',
        'csv-1,at,1,"from=a,b;vip","{""city"":""Linz""}"',
        'csv-2,at,1,,"{""note"":""x\\u003b=1+1;y""}"',
        '',
      ],
    ]);
    expect(await read('?attribute=city&value=Linz&format=csv')).toHaveLength(3);
    expect(await read('?format=csv', stranger)).toEqual(['userId,createdAt,devices,tags,attributes', '']);
  });

  it('are all written as CSV, however many there are', async () => {
    await rows(
      gateway.database,
      `INSERT INTO users (app_id, user_id) SELECT 'shop', 'crowd-' || n FROM generate_series(1, 1001) n`,
    );
    const answer = await fetch(`${gateway.address}/api/users?prefix=crowd-`, {
      headers: { 'x-access-token': server, accept: 'text/csv' },
    });
    const ids = (await answer.text()).split('\r\n').slice(1, -1);
    expect(new Set(ids.map((line) => line.split(',')[0])).size).toBe(1_001);
    expect(ids).toHaveLength(1_001);
  });

  it('are found by the beginnings of their ids, page by page', async () => {
    for (const userId of ['list-a', 'list-b', 'list_c', 'list%d', 'other']) await register(userId);
    await register('list-a');
    const first = await call('GET', '/api/users?prefix=list-&limit=1');
    expect(first.body.users).toEqual([
      { userId: 'list-a', tags: [], tagValues: {}, devices: 2, createdAt: expect.any(String) },
    ]);
    const second = await call('GET', `/api/users?prefix=list-&limit=1&cursor=${first.body.nextCursor}`);
    expect(second.body).toMatchObject({ users: [{ userId: 'list-b' }], nextCursor: null });
    const literal = await call('GET', '/api/users?prefix=list%25');
    expect(literal.body.users.map(({ userId }: { userId: string }) => userId)).toEqual(['list%d']);
    expect((await call('GET', '/api/users?limit=500&cursor=AA')).body.error.details).toHaveLength(2);
  });

  it('are found by an attribute, as text, in their own application', async () => {
    for (const userId of ['lives-a', 'lives-b', 'lives-c']) await register(userId);
    await call('POST', '/api/installations/attributes', { userId: 'lives-a', attributes: { city: 'Graz', age: 30 } });
    await call('POST', '/api/installations/attributes', { userId: 'lives-b', attributes: { city: 'graz', age: 30 } });
    const idsOf = async (query: string, token = server): Promise<string[]> =>
      (await call('GET', `/api/users?${query}`, undefined, token)).body.users.map(
        ({ userId }: { userId: string }) => userId,
      );
    expect(await idsOf('attribute=city&value=Graz')).toEqual(['lives-a']);
    expect(await idsOf('attribute=age&value=30&prefix=lives-')).toEqual(['lives-a', 'lives-b']);
    expect(await idsOf('attribute=city&value=Graz', stranger)).toEqual([]);
    for (const [query, path] of [
      ['attribute=city', 'attribute'],
      ['value=Graz', 'value'],
    ]) {
      expect((await call('GET', `/api/users?${query}`)).body.error.details).toMatchObject([{ path }]);
    }
  });

  it('are read with tags, attributes and devices, without whole tokens', async () => {
    await register('reader', { deviceToken: 'a-very-long-secret-token' });
    await call('GET', '/api/installations/addTag/reader/vip');
    await call('POST', '/api/installations/attributes', { userId: 'reader', attributes: { age: 30 } });
    const { status, body } = await call('GET', '/api/users/reader');
    expect(status).toBe(200);
    expect(body).toMatchObject({ userId: 'reader', tags: ['vip'], attributes: { age: 30 } });
    expect(body.devices).toEqual([expect.objectContaining({ userId: 'reader', deviceToken: 'a-very-l…' })]);
    expect((await call('GET', '/api/users/nobody')).status).toBe(404);
    expect((await call('GET', '/api/users/%00')).status).toBe(400);
    // A token of a vendor without credentials reaches nobody, as in a send.
    expect(body.devices[0]).toMatchObject({ reachedBy: 'fcm', unreachableReason: null });
    await register('far', { deviceToken: 'far-away', pushType: 'hms' });
    expect((await call('GET', '/api/users/far')).body.devices[0]).toMatchObject({
      reachedBy: null,
      unreachableReason: 'vendor_not_configured',
    });
    expect((await call('POST', '/api/push/toUsers', { user: 'far', content: 'x' })).body).toEqual({ count: 0 });
  });

  it('are erased with everything that is stored about them', async () => {
    const phone = await register('erase-me');
    const tablet = await register('erase-me');
    const others = await register('stays');
    await call('GET', '/api/installations/addTag/erase-me/vip');
    await call('POST', '/api/installations/attributes', { userId: 'erase-me', attributes: { secret: 'love-letter' } });
    await call('POST', '/api/installations/events', {
      userId: 'erase-me',
      installationId: phone,
      deviceType: 'android',
      createdAt: Date.now(),
      eventData: [{ type: 3, link: 'shop://erase-me', actionTs: Date.now() }],
    });
    const alone = await send({ user: 'erase-me', content: 'love-letter', clientId: 'erase-me-17' });
    const shared = await send({ users: ['erase-me', 'stays'], content: 'Hello both' });
    const campaign = await send({ target: { deviceType: 'android' }, content: 'Hello all' }, 'byQuery');
    for (const message of [alone, shared, campaign])
      for (const device of [phone, tablet]) await deliver(message, device);
    for (const message of [shared, campaign]) await deliver(message, others);
    const failed = { installationId: others, userId: 'stays', vendor: 'fcm' };
    await tell('delivery.failed', {
      messageId: campaign,
      trackId: null,
      count: 2,
      deliveries: [{ ...failed, installationId: phone, userId: 'erase-me' }, failed],
    });
    await tell('token.removed', { count: 1, tokens: [{ installationId: tablet, userId: 'erase-me', vendor: 'fcm' }] });
    await tell('fallback.sent', { messageId: shared, userId: 'erase-me', provider: 'twilio', phone: '+31655501234' });
    await tell('fallback.sent', { messageId: shared, userId: 'stays', provider: 'twilio', phone: '+31655505678' });
    expect(await tracesOf('erase-me')).not.toEqual([]);

    const erased = await call('DELETE', '/api/users/erase-me');
    expect(erased).toMatchObject({ status: 200, body: { devices: 2, messages: 2, deliveries: 6, links: 1 } });
    for (const text of ['erase-me', 'love-letter', phone, tablet, '+31655501234'])
      expect([text, await tracesOf(text)]).toEqual([text, []]);
    const kept = await rows(gateway.database, `SELECT user_ids FROM messages WHERE id = $1`, [shared]);
    expect(kept).toEqual([{ user_ids: ['stays'] }]);
    expect((await call('GET', `/api/push/messages/${alone}`)).body).toMatchObject({ status: 'cancelled', users: [] });
    for (const message of [shared, campaign]) {
      const left = await call('GET', `/api/push/messages/${message}/deliveries`);
      expect(left.body.deliveries).toContainEqual(expect.objectContaining({ installationId: others, state: 'sent' }));
    }
    const events = await rows<{ data: object }>(
      gateway.database,
      `SELECT data FROM webhook_events ORDER BY created_at, type`,
    );
    expect(events.map(({ data }) => data)).toEqual([
      { messageId: campaign, trackId: null, count: 2, deliveries: [failed] },
      { count: 1, tokens: [] },
      { messageId: shared, userId: null, provider: 'twilio', phone: null },
      { messageId: shared, userId: 'stays', provider: 'twilio', phone: '+31655505678' },
    ]);
    const again = await call('DELETE', '/api/users/erase-me');
    expect(again).toMatchObject({ status: 200, body: { devices: 0, messages: 0, deliveries: 0, links: 0 } });
    expect((await call('GET', '/api/users/erase-me')).status).toBe(404);
  });

  it('are erased whatever the number of their devices and messages', async () => {
    await rows(
      gateway.database,
      `INSERT INTO installations (app_id, installation_id, user_id) SELECT 'shop', gen_random_uuid(), 'busy'
       FROM generate_series(1, 250)`,
    );
    const ids = Array.from({ length: 1_100 }, () => newId());
    await rows(
      gateway.database,
      `INSERT INTO messages (app_id, id, kind, is_campaign, lane, audience, user_ids, channel, content, count,
         resolve_ceiling, accepted_at, expires_at)
       SELECT 'shop', id, 'users', false, 'transactional', '{}', CASE WHEN n % 2 = 0 THEN ARRAY['busy', 'x' || n] END,
         'public/default', '{}', 1, 0, now(), now() FROM unnest($1::uuid[]) WITH ORDINALITY AS m (id, n)`,
      [ids],
    );
    await rows(
      gateway.database,
      `INSERT INTO deliveries (app_id, message_id, device_id, state, rank)
       SELECT 'shop', m.id, i.id, 'sent', 2 FROM unnest($1::uuid[]) AS m (id)
       CROSS JOIN (SELECT id FROM installations WHERE user_id = 'busy' ORDER BY id DESC LIMIT 2) i`,
      [ids],
    );
    await tell('token.removed', { count: 1, tokens: [{ userId: 'busy' }] }, 2_500);
    const { body } = await call('DELETE', '/api/users/busy');
    expect(body).toMatchObject({ devices: 250, messages: 550, deliveries: 2_200 });
    expect(await tracesOf('busy')).toEqual([]);
  });

  it('are written out whole, and nobody else with them', async () => {
    const phone = await register('whole', { deviceToken: 'a-very-long-secret-token-2' });
    const changedOwner = await register('former', { deviceToken: 'shared-phone' });
    const toFormer = await send({ target: { deviceType: 'android' }, content: 'For the former owner' }, 'byQuery');
    await deliver(toFormer, changedOwner);
    await register('whole', { deviceToken: 'shared-phone' });
    await call('POST', '/api/installations/attributes', { userId: 'whole', attributes: { age: 30 } });
    const shared = await send({ users: ['whole', 'somebody-else'], content: 'Hello both' });
    const campaign = await send({ target: { deviceType: 'android' }, content: 'Hello all' }, 'byQuery');
    await deliver(campaign, phone);
    const { status, headers, body } = await call('GET', '/api/users/whole/export');
    expect(status).toBe(200);
    expect(headers['content-type']).toContain('application/json');
    expect(body).toMatchObject({ userId: 'whole', attributes: { age: 30 }, openedLinks: [] });
    expect(body.installations).toHaveLength(2);
    expect(body.messages.map(({ id }: { id: string }) => id)).toEqual([shared, campaign]);
    expect(body.messages[1]).toMatchObject({
      content: { content: 'Hello all' },
      deliveries: [{ installationId: phone, state: 'sent', vendor: 'fcm' }],
    });
    const text = JSON.stringify(body);
    for (const foreign of ['somebody-else', 'former', 'secret-token']) expect(text).not.toContain(foreign);
    const times = text.match(/"\d{4}-\d\d-\d\dT[^"]*"/g) ?? [];
    expect(times.length).toBeGreaterThan(4);
    expect(times.filter((time) => !/T\d\d:\d\d:\d\d\.\d{3}Z"$/.test(time))).toEqual([]);
    expect((await call('GET', '/api/users/nobody/export')).status).toBe(404);
  });

  it('keep applications apart, and ask for the scope that fits', async () => {
    await register('mine');
    expect((await call('GET', '/api/users', undefined, stranger)).body).toEqual({ users: [], nextCursor: null });
    expect((await call('GET', '/api/users/mine', undefined, stranger)).status).toBe(404);
    expect((await call('GET', '/api/users/mine/export', undefined, stranger)).status).toBe(404);
    expect((await call('DELETE', '/api/users/mine', undefined, stranger)).body.devices).toBe(0);
    expect((await call('GET', '/api/users/mine')).body.devices).toHaveLength(1);
    for (const method of ['GET', 'DELETE']) {
      expect((await call(method, '/apps/shop/api/users/mine', undefined, stranger)).status).toBe(401);
      expect((await call(method, '/api/users/mine', undefined, 'unknown')).status).toBe(401);
    }
    const reader = await gateway.token('shop', ['read']);
    const client = await gateway.token('shop', ['devices', 'send', 'tags']);
    expect((await call('GET', '/api/users/mine', undefined, reader)).status).toBe(200);
    expect((await call('DELETE', '/api/users/mine', undefined, reader)).status).toBe(403);
    for (const path of ['', '/mine', '/mine/export']) {
      expect((await call('GET', `/api/users${path}`, undefined, client)).status).toBe(403);
    }
  });
});
