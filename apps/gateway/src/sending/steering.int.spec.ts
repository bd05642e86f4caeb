import { rows } from '@postrider/persistence';
import { addDevice, configureVendor } from '../testing/devices';
import { startTestGateway, TEST_ADMIN_TOKEN, type TestAnswer, type TestGateway } from '../testing/test-gateway';

const DAY_MS = 86_400_000;
const NOW = Date.now();
const inDays = (days: number): string => new Date(NOW + days * DAY_MS).toISOString();
const wallIn = (days: number): string => inDays(days).slice(0, 19);

describe('steering a send', () => {
  let gateway: TestGateway;
  let token: string;

  beforeAll(async () => {
    gateway = await startTestGateway({}, { now: () => new Date(NOW) });
    token = await gateway.application('shop');
    await configureVendor(gateway.database, 'shop', 'fcm');
    for (const userId of ['ada', 'bob', 'eve']) await addDevice(gateway.database, { appId: 'shop', userId });
    await rows(
      gateway.database,
      `UPDATE installations SET time_zone = CASE user_id WHEN 'ada' THEN 'Pacific/Kiritimati' WHEN 'bob' THEN 'Etc/GMT+12' END`,
    );
  });
  afterAll(() => gateway.close());

  const send = (endpoint: string, body: object, headers: Record<string, string> = {}): Promise<TestAnswer> =>
    gateway.request('POST', `/api/push/${endpoint}`, { body, headers: { 'x-access-token': token, ...headers } });
  const read = async (id: string): Promise<TestAnswer> =>
    gateway.request('GET', `/api/push/messages/${id}`, { headers: { 'x-access-token': token } });
  const admin = (method: string, path: string, body: object): Promise<TestAnswer> =>
    gateway.request(method, `/api/admin/${path}`, { body, headers: { authorization: `Bearer ${TEST_ADMIN_TOKEN}` } });
  const group = { target: { deviceType: 'android' }, content: 'hello' };
  const named = { user: 'ada', content: 'hello' };

  it.each([
    ['toUsers', { ...named, rate: 0 }, 'rate'],
    ['toUsers', { ...named, rate: 1_000_001 }, 'rate'],
    ['toUsers', { ...named, rate: 1.5 }, 'rate'],
    ['toUsers', { ...named, rate: 'fast' }, 'rate'],
    ['toUsers', { ...named, sendAt: 'tomorrow' }, 'sendAt'],
    ['toUsers', { ...named, sendAt: '2026-02-30T10:00:00Z' }, 'sendAt'],
    ['toUsers', { ...named, sendAt: NOW + DAY_MS }, 'sendAt'],
    ['toUsers', { ...named, sendAt: inDays(-1) }, 'sendAt'],
    ['toUsers', { ...named, sendAt: inDays(91) }, 'sendAt'],
    ['toUsers', [named, { ...named, sendAt: inDays(-1) }], '[1].sendAt'],
    ['toUsers', { ...named, sendAt: wallIn(1), localTime: true }, 'localTime'],
    ['toUsers', { ...named, sendAt: inDays(1), live: true }, 'sendAt'],
    ['toUsers', { ...named, rate: 5, live: true }, 'rate'],
    ['toUsers', { ...named, rate: 5, inApp: true }, 'rate'],
    ['toUsers', { ...named, ignoreQuietHours: 'perhaps' }, 'ignoreQuietHours'],
    ['byQuery', { ...group, localTime: true }, 'localTime'],
    ['byQuery', { ...group, localTime: 'yes' }, 'localTime'],
    ['byQuery', { ...group, localTime: true, sendAt: `${wallIn(1)}+03:30` }, 'sendAt'],
    ['byQuery', { ...group, localTime: true, sendAt: wallIn(-2) }, 'sendAt'],
    ['byQuery', { ...group, localTime: true, sendAt: wallIn(92) }, 'sendAt'],
  ])('is refused where it cannot be: %s %j', async (endpoint, body, path) => {
    const answer = await send(endpoint, body);
    expect([answer.status, answer.body.error?.details?.map((detail: { path: string }) => detail.path)]).toEqual([
      400,
      [path],
    ]);
  });

  it.each([
    [
      'toUsers',
      { ...named, rate: null, sendAt: null, localTime: null, ignoreQuietHours: null },
      { rate: null, sendAt: null, localTime: false, ignoreQuietHours: false },
    ],
    ['toUsers', { ...named, rate: '5' }, { rate: 5, sendAt: null, localTime: false, ignoreQuietHours: false }],
    [
      'toUsers',
      { ...named, sendAt: inDays(80) },
      { rate: null, sendAt: inDays(80), localTime: false, ignoreQuietHours: false },
    ],
    ['toUsers', { users: ['ada', 'bob'], content: 'x', sendAt: '2099-01-01T00:00:00Z' }, null],
    [
      'notifyUsers',
      { ...named, sendAt: inDays(0.01), ignoreQuietHours: 1 },
      { rate: null, sendAt: inDays(0.01), localTime: false, ignoreQuietHours: true },
    ],
    [
      'byQuery',
      { ...group, sendAt: wallIn(2), localTime: true, rate: 9 },
      { rate: 9, sendAt: wallIn(2), localTime: true, ignoreQuietHours: false },
    ],
    [
      'byQuery',
      { ...group, sendAt: `${wallIn(2)}Z`, localTime: true },
      { rate: null, sendAt: wallIn(2), localTime: true, ignoreQuietHours: false },
    ],
  ])('is kept with the message and can be read: %s %j', async (endpoint, body, steering) => {
    const answer = await send(endpoint, body);
    if (steering === null) {
      expect(answer.status).toBe(400);
      return;
    }
    expect([answer.status, answer.body.count]).toEqual([200, endpoint === 'byQuery' ? 3 : 1]);
    const message = (await read(String(answer.headers['x-message-id']))).body;
    expect(message).toMatchObject({ ...steering, status: 'accepted' });
    expect(message.totals.pending).toBe(answer.body.count);
    expect(message.content.extra).toBeUndefined();
  });

  it('counts the time to live from the moment, of local times from the last', async () => {
    const scheduled = await send('toUsers', { ...named, sendAt: inDays(3), ttl: 60 });
    const plain = (await read(String(scheduled.headers['x-message-id']))).body;
    expect(plain.expiresAt).toBe(new Date(NOW + 3 * DAY_MS + 60_000).toISOString());
    const around = await send('byQuery', { ...group, sendAt: wallIn(3), localTime: true, ttl: 60 });
    const local = (await read(String(around.headers['x-message-id']))).body;
    const wall = Date.parse(`${wallIn(3)}Z`);
    expect(local.expiresAt).toBe(new Date(wall + 12 * 3_600_000 + 60_000).toISOString());
    const [stored] = await rows<{ at: Date }>(gateway.database, `SELECT send_at AS at FROM messages WHERE id = $1`, [
      local.id,
    ]);
    expect(stored?.at).toEqual(new Date(wall - 14 * 3_600_000));
  });

  it('answers a repeated request as before, though its time is over by then', async () => {
    const body = { ...named, sendAt: inDays(-0.0001) };
    const first = await send('toUsers', body, { 'idempotency-key': 'once' });
    expect(first.status).toBe(200);
    const late = { ...named, sendAt: inDays(-1) };
    expect((await send('toUsers', late, { 'idempotency-key': 'other' })).status).toBe(400);
    const again = await send('toUsers', body, { 'idempotency-key': 'once' });
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([200, 'true']);
  });

  it('is shown by a dry run, from the first device to the last', async () => {
    const answer = await send('byQuery?dryRun=true', { ...group, sendAt: wallIn(3), localTime: true });
    const wall = Date.parse(`${wallIn(3)}Z`);
    expect(answer.body).toMatchObject({
      count: 3,
      schedule: [
        {
          firstAt: new Date(wall - 14 * 3_600_000).toISOString(),
          lastAt: new Date(wall + 12 * 3_600_000).toISOString(),
        },
      ],
    });
    const slow = await send('byQuery?dryRun=true', { ...group, rate: 1 });
    expect(slow.body.schedule).toEqual([
      { firstAt: new Date(NOW).toISOString(), lastAt: new Date(NOW + 3_000).toISOString() },
    ]);
    expect((await send('byQuery?dryRun=true', { ...group, sendAt: inDays(-1) })).status).toBe(400);
  });

  it('stops before it began, at once', async () => {
    const answer = await send('toUsers', { ...named, sendAt: inDays(20), fallback: { content: 'sms' } });
    const id = String(answer.headers['x-message-id']);
    const cancelled = await gateway.request('POST', `/api/push/messages/${id}/cancel`, {
      headers: { 'x-access-token': token },
    });
    expect([cancelled.status, cancelled.body.status, cancelled.body.totals.cancelled]).toEqual([200, 'cancelled', 1]);
  });

  it('of an application is set and read by the operator', async () => {
    const quietHours = { start: '22:00', end: '08:00', timeZone: 'Asia/Tehran', applies: 'all' };
    const set = await admin('PATCH', 'apps/shop', {
      devicesPerSecond: 500,
      quietHours,
      defaultTimeZone: 'Asia/Tehran',
    });
    expect(set.body).toMatchObject({ devicesPerSecond: 500, quietHours, defaultTimeZone: 'Asia/Tehran' });
    const short = await admin('PATCH', 'apps/shop', { quietHours: { start: '23:00', end: '07:30' } });
    expect(short.body.quietHours).toEqual({ start: '23:00', end: '07:30', timeZone: 'device', applies: 'campaigns' });
    const unset = await admin('PATCH', 'apps/shop', {
      devicesPerSecond: null,
      quietHours: null,
      defaultTimeZone: null,
    });
    expect(unset.body).toMatchObject({ devicesPerSecond: null, quietHours: null, defaultTimeZone: null });
    const made = await admin('POST', 'apps', { id: 'bank', name: 'Bank', devicesPerSecond: 5, quietHours });
    expect(made.status).toBe(201);
  });

  it.each([
    [{ devicesPerSecond: 0 }, 'devicesPerSecond'],
    [{ quietHours: 'at night' }, 'quietHours'],
    [{ quietHours: { start: '22:00' } }, 'quietHours.end'],
    [{ quietHours: { start: '22:00', end: '24:00' } }, 'quietHours.end'],
    [{ quietHours: { start: '22:00', end: '22:00' } }, 'quietHours.end'],
    [{ quietHours: { start: '22:00', end: '08:00', timeZone: 'Mars' } }, 'quietHours.timeZone'],
    [{ quietHours: { start: '22:00', end: '08:00', applies: 'some' } }, 'quietHours.applies'],
    [{ quietHours: { start: '22:00', end: '08:00', days: [1] } }, 'quietHours.days'],
    [{ defaultTimeZone: '+01:00' }, 'defaultTimeZone'],
  ])('of an application is refused: %j', async (body, path) => {
    const answer = await admin('PATCH', 'apps/shop', body);
    expect([answer.status, answer.body.error?.details?.map((detail: { path: string }) => detail.path)]).toEqual([
      400,
      [path],
    ]);
  });
});
