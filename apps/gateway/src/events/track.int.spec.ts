import { rows } from '@postrider/persistence';
import { newId } from '@postrider/platform';
import { startTestGateway, type TestAnswer, type TestGateway } from '../testing/test-gateway';

const HOUR_MS = 3_600_000;

describe('events that a backend tracks', () => {
  let gateway: TestGateway;
  let server: string;
  let sender: string;
  let client: string;

  beforeAll(async () => {
    gateway = await startTestGateway({ requestsPerSecond: 0 });
    server = await gateway.application('shop');
    sender = await gateway.token('shop', ['send']);
    client = await gateway.token('shop', ['devices']);
  });

  afterAll(() => gateway.close());

  const call = (path: string, body: unknown, token = sender, headers = {}): Promise<TestAnswer> =>
    gateway.request('POST', `/api/installations/${path}`, { body, headers: { 'x-access-token': token, ...headers } });
  const register = async (userId: string, deviceToken: string): Promise<string> =>
    (await call('', { userId, deviceType: 'android', deviceToken }, client)).body.id;
  const attributesOf = async (userId: string): Promise<Record<string, unknown> | undefined> =>
    (
      await rows<{ attributes: Record<string, unknown> }>(
        gateway.database,
        `SELECT attributes FROM users WHERE app_id = 'shop' AND user_id = $1`,
        [userId],
      )
    )[0]?.attributes;
  const detailsOf = ({ body }: TestAnswer): string[] =>
    body.error.details.map(({ path }: { path: string }) => path) as string[];

  it('are attributes of a user at once, also of one whom nobody has heard of, and segments find them', async () => {
    const at = Date.now() - HOUR_MS;
    const answer = await call('track', {
      userId: 'ada',
      eventName: 'level',
      eventTime: at,
      eventData: { value: 3, world: 'ice', parts: ['a', 'b'], when: '2026-11-22T09:00:00Z' },
    });
    expect(answer).toMatchObject({ status: 200, body: { queued: true, n: 1 } });
    expect(await attributesOf('ada')).toEqual({
      'level.count': 1,
      'level.last': new Date(at).toISOString(),
      'level.lastValue': 3,
      'level.sum': 3,
    });
    await register('ada', 'ada-1');
    const segment = { all: [{ name: 'level.count', operator: 'greater_than', value: 0 }] };
    const counted = await gateway.request('POST', '/api/segments/count', {
      body: { segment },
      headers: { 'x-access-token': server },
    });
    expect(counted).toMatchObject({ status: 200, body: { devices: 1 } });
  });

  it('of an installation count for its user; an unknown one is a 404, in an array a 400 with its index', async () => {
    const phone = await register('bob', 'bob-1');
    expect(await call('track', { installationId: phone, eventName: 'look' })).toMatchObject({ status: 200 });
    expect(await attributesOf('bob')).toMatchObject({ 'look.count': 1 });
    expect(await call('track', { installationId: newId(), eventName: 'look' })).toMatchObject({ status: 404 });
    expect(await call('track', { installationId: 'x', eventName: 'look' })).toMatchObject({ status: 404 });
    const bulk = await call('trackBulk', [
      { userId: 'bob', eventName: 'look' },
      { installationId: newId(), eventName: 'look' },
    ]);
    expect(bulk.status).toBe(400);
    expect(detailsOf(bulk)).toEqual(['[1].installationId']);
    expect(await attributesOf('bob')).toMatchObject({ 'look.count': 1 });
  });

  it('keep the newest time and the value that came with it, whatever order they come in', async () => {
    const now = Date.now();
    const event = (hours: number, value: unknown): object => ({
      userId: 'cleo',
      eventName: 'visit',
      eventTime: new Date(now + hours * HOUR_MS).toISOString(),
      eventData: { value },
    });
    await call('trackBulk', [event(-1, 'late'), event(-3, 'early')]);
    await call('track', event(-2, 'between'));
    expect(await attributesOf('cleo')).toEqual({
      'visit.count': 3,
      'visit.last': new Date(now - HOUR_MS).toISOString(),
      'visit.lastValue': 'late',
    });
    expect(await call('track', event(23, 1))).toMatchObject({ status: 200 });
    expect(detailsOf(await call('track', event(25, 1)))).toEqual(['eventTime']);
    expect(detailsOf(await call('trackBulk', [event(0, 1), event(25, 1)]))).toEqual(['[1].eventTime']);
  });

  it('add revenue up by currency, and all of it only while there is one currency', async () => {
    const buy = (revenue: number, currency?: string): Promise<TestAnswer> =>
      call('trackPurchase', { userId: 'dora', eventName: 'order', revenue, ...(currency ? { currency } : {}) });
    await buy(10, 'EUR');
    await buy(2.5);
    expect(await attributesOf('dora')).toMatchObject({
      'order.sum': 12.5,
      'order.sum.EUR': 10,
      'order.lastValue': 2.5,
    });
    await buy(7, 'USD');
    await buy(1);
    const now = await attributesOf('dora');
    expect(now).toMatchObject({ 'order.count': 4, 'order.sum.EUR': 10, 'order.sum.USD': 7, 'order.lastValue': 1 });
    expect(now).not.toHaveProperty('order.sum');
    expect(await call('trackRevenue', { userId: 'dora', revenue: 3 })).toMatchObject({ body: { queued: true, n: 1 } });
    expect(await attributesOf('dora')).toMatchObject({ 'Purchase.count': 1, 'Purchase.sum': 3 });
    expect(detailsOf(await call('trackRevenue', { userId: 'dora', revenue: 3, eventName: 'order' }))).toEqual([
      'eventName',
    ]);
    expect(detailsOf(await call('trackPurchase', { userId: 'dora', eventName: 'order' }))).toEqual(['revenue']);
  });

  it('are all checked before any is taken', async () => {
    const bad = await call('trackBulk', [
      { userId: 'eve', eventName: 'a' },
      { eventName: 'a' },
      { userId: 'eve', installationId: newId(), eventName: 'a' },
      { userId: 'eve', eventName: '' },
      { userId: 'eve', eventName: 'a', eventTime: 'yesterday' },
      { userId: 'eve', eventName: 'a', eventData: { deep: { x: 1 } } },
      7,
    ]);
    expect(bad.status).toBe(400);
    expect(detailsOf(bad)).toEqual([
      '[1].userId',
      '[2].userId',
      '[3].eventName',
      '[4].eventTime',
      '[5].eventData.deep',
      '[6]',
    ]);
    expect(await attributesOf('eve')).toBeUndefined();
    for (const body of [[], Array.from({ length: 1_001 }, () => ({ userId: 'eve', eventName: 'a' })), {}]) {
      expect(await call('trackBulk', body)).toMatchObject({ status: 400 });
    }
  });

  it('are refused, and their user is named, if the user would have too many attributes', async () => {
    const attributes = Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`a${n}`, n]));
    await rows(gateway.database, `INSERT INTO users (app_id, user_id, attributes) VALUES ('shop', 'full', $1)`, [
      attributes,
    ]);
    const event = { userId: 'full', eventName: 'more' };
    expect(detailsOf(await call('track', event))).toEqual(['userId']);
    expect(detailsOf(await call('trackBulk', [{ userId: 'zoe', eventName: 'more' }, event]))).toEqual(['[1].userId']);
    expect(detailsOf(await call('trackRevenue', { userId: 'full', revenue: 1 }))).toEqual(['userId']);
    const phone = await register('full', 'full-1');
    expect(detailsOf(await call('track', { installationId: phone, eventName: 'more' }))).toEqual(['installationId']);
    const reported = { installationId: phone, userId: 'full', eventData: [{ type: 2, eventName: 'more' }] };
    expect(detailsOf(await call('events', reported, client))).toEqual(['eventData']);
    const info = { installationId: phone, data: { more: 1 } };
    const changed = await gateway.request('PUT', '/api/installations/userInfo', {
      body: info,
      headers: { 'x-access-token': client },
    });
    expect(detailsOf(changed)).toEqual(['data']);
    expect(await attributesOf('zoe')).toBeUndefined();
  });

  it('count exactly when many are tracked at the same time, one by one and in arrays', async () => {
    const users = ['f1', 'f2', 'f3'];
    const event = (n: number): object => ({ userId: users[n % 3], eventName: 'tick', eventData: { value: 1 } });
    const arrays = Array.from({ length: 8 }, (_, n) =>
      call(
        'trackBulk',
        Array.from({ length: 30 }, (_unused, m) => event(n + m)),
      ),
    );
    const single = Array.from({ length: 30 }, (_, n) => call('track', event(n)));
    for (const answer of await Promise.all([...arrays, ...single])) expect(answer.status).toBe(200);
    for (const user of users) expect(await attributesOf(user)).toMatchObject({ 'tick.count': 90, 'tick.sum': 90 });
  });

  it('are recorded once under an idempotency key, and each time without one', async () => {
    const body = { userId: 'gus', eventName: 'once', eventTime: Date.now() };
    const key = { 'idempotency-key': 'event-1' };
    const answers = [await call('track', body, sender, key), await call('track', body, sender, key)];
    expect(answers.map(({ headers }) => headers['idempotent-replayed'])).toEqual([undefined, 'true']);
    expect(answers[1]?.body).toEqual({ queued: true, n: 1 });
    expect(await attributesOf('gus')).toMatchObject({ 'once.count': 1 });
    expect(await call('track', { ...body, eventName: 'other' }, sender, key)).toMatchObject({ status: 422 });
    await call('track', body);
    expect(await attributesOf('gus')).toMatchObject({ 'once.count': 2 });
  });

  it('keep the idempotency keys of devices apart from those of backends', async () => {
    const phone = await register('jo', 'jo-1');
    const key = { 'idempotency-key': 'order-17' };
    const own = { installationId: phone, eventName: 'own' };
    expect(await call('track', own, client, key)).toMatchObject({ status: 200 });
    const send = {
      body: { user: 'jo', content: 'Your order is on its way' },
      headers: { 'x-access-token': sender, ...key },
    };
    expect(await gateway.request('POST', '/api/push/toUsers', send)).toMatchObject({ status: 200 });
    expect(await call('track', own, client, key)).toMatchObject({
      status: 200,
      headers: { 'idempotent-replayed': 'true' },
    });
    expect(await attributesOf('jo')).toMatchObject({ 'own.count': 1 });
  });

  it('of a backend are not answered again to a device that may not track them', async () => {
    const key = { 'idempotency-key': 'order-18' };
    const body = { userId: 'kim', eventName: 'won', eventTime: Date.now() };
    expect(await call('track', body, sender, key)).toMatchObject({ status: 200 });
    expect(await call('track', body, client, key)).toMatchObject({ status: 403 });
    expect(await call('track', { ...body, eventName: 'lost' }, client, key)).toMatchObject({ status: 403 });
  });

  it("are, with the key inside an app, the device's own user's only", async () => {
    const phone = await register('hal', 'hal-1');
    expect(await call('track', { installationId: phone, eventName: 'own' }, client)).toMatchObject({ status: 200 });
    expect(await call('track', { userId: 'hal', eventName: 'own' }, client)).toMatchObject({ status: 403 });
    expect(
      await call(
        'trackBulk',
        [
          { installationId: phone, eventName: 'own' },
          { userId: 'ada', eventName: 'own' },
        ],
        client,
      ),
    ).toMatchObject({ status: 403 });
    await rows(
      gateway.database,
      `UPDATE applications SET protected_attributes = '{own.sum.EUR}' WHERE app_id = 'shop'`,
    );
    const reader = await gateway.token('shop', ['read']);
    expect(await call('track', { userId: 'hal', eventName: 'own' }, reader)).toMatchObject({ status: 403 });
    expect(await attributesOf('hal')).toMatchObject({ 'own.count': 1 });
  });

  it('with revenue are conversions of the message that the user opened last, each of them', async () => {
    const phone = await register('ivy', 'ivy-1');
    const [{ id: deviceId } = { id: '' }] = await rows<{ id: string }>(
      gateway.database,
      `SELECT id FROM installations WHERE installation_id = $1`,
      [phone],
    );
    const messageId = newId();
    await rows(
      gateway.database,
      `INSERT INTO deliveries (app_id, message_id, device_id, vendor, state, rank, opened_at)
       VALUES ('shop', $1, $2, 'fcm', 'opened', 5, now() - interval '1 minute')`,
      [messageId, deviceId],
    );
    const eventTime = Date.now();
    const buy = { eventName: 'order', revenue: 5, currency: 'EUR', eventTime };
    await call('trackPurchase', { userId: 'ivy', ...buy });
    await call('trackPurchase', { installationId: phone, ...buy });
    await call('trackPurchase', { userId: 'nobody', ...buy });
    const counts = await rows<{ count: string; amount: string; name: string }>(
      gateway.database,
      `SELECT count::text, amount::text, name FROM message_counts WHERE message_id = $1 AND kind = 'conversion'`,
      [messageId],
    );
    expect(counts).toEqual([{ count: '2', amount: '10', name: 'EUR' }]);
    const kept = await rows(gateway.database, `SELECT 1 FROM conversions WHERE message_id = $1`, [messageId]);
    expect(kept).toHaveLength(2);
  });
});
