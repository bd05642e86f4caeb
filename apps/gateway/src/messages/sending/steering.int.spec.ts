import { DAY_MS } from '@postrider/domain';
import { rows } from '@postrider/persistence';
import { addDevice, configureVendor, TestClock } from '@postrider/testing';
import { startTestGateway, TEST_ADMIN_TOKEN, type TestAnswer, type TestGateway } from '../../testing/test-gateway';

const NOW = Date.now();
const inDays = (days: number): string => new Date(NOW + days * DAY_MS).toISOString();
const wallIn = (days: number): string => inDays(days).slice(0, 19);

describe('a steered send', () => {
  let gateway: TestGateway;
  let token: string;

  beforeAll(async () => {
    gateway = await startTestGateway({}, new TestClock(NOW));
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
    // Only the zones of the recipients count.
    await rows(gateway.database, `UPDATE installations SET launch_count = 7 WHERE user_id = 'bob'`);
    const one = { content: 'hello', target: { launchCount: 7 }, sendAt: wallIn(3), localTime: true };
    const atBob = { firstAt: new Date(wall + 12 * 3_600_000).toISOString() };
    const only = await send('byQuery?dryRun=true', one);
    expect(only.body).toMatchObject({ count: 1, schedule: [{ ...atBob, lastAt: atBob.firstAt }] });
    const paced = await send('byQuery?dryRun=true', { ...one, rate: 1 });
    const secondLater = new Date(wall + 12 * 3_600_000 + 1_000).toISOString();
    expect(paced.body.schedule).toEqual([{ ...atBob, lastAt: secondLater }]);
    const nobody = await send('byQuery?dryRun=true', { ...one, target: { launchCount: 8 } });
    const inDefaultZone = new Date(wall).toISOString();
    expect(nobody.body).toMatchObject({ count: 0, schedule: [{ firstAt: inDefaultZone, lastAt: inDefaultZone }] });
    const slow = await send('byQuery?dryRun=true', { ...group, rate: 1 });
    expect(slow.body.schedule).toEqual([
      { firstAt: new Date(NOW).toISOString(), lastAt: new Date(NOW + 3_000).toISOString() },
    ]);
    expect((await send('byQuery?dryRun=true', { ...group, sendAt: inDays(-1) })).status).toBe(400);
  });

  describe('keeps quiet hours', () => {
    const hourUtc = (hour: number, day = 3): string =>
      new Date(Math.floor(NOW / DAY_MS + day) * DAY_MS + hour * 3_600_000).toISOString();
    const setQuiet = (quietHours: object | null) => admin('PATCH', 'apps/shop', { quietHours });
    const night = { start: '22:00', end: '08:00', timeZone: 'UTC', applies: 'all' };

    afterEach(() => setQuiet(null));

    it('in the times that a dry run shows', async () => {
      await setQuiet(night);
      const spans = async (body: object): Promise<unknown> => (await send('byQuery?dryRun=true', body)).body.schedule;
      const [none, all, late] = [
        { waiting: 0, tooLate: 0 },
        { waiting: 3, tooLate: 0 },
        { waiting: 0, tooLate: 3 },
      ];
      expect(await spans({ ...group, sendAt: hourUtc(23) })).toEqual([
        { firstAt: hourUtc(32), lastAt: hourUtc(32), ...all },
      ]);
      expect(await spans({ ...group, sendAt: hourUtc(12) })).toEqual([
        { firstAt: hourUtc(12), lastAt: hourUtc(12), ...none },
      ]);
      const ignoring = { ...group, sendAt: hourUtc(23), ignoreQuietHours: true };
      expect(await spans(ignoring)).toEqual([{ firstAt: hourUtc(23), lastAt: hourUtc(23) }]);
      expect(await spans({ ...group, sendAt: hourUtc(23), ttl: 60 })).toEqual([
        { firstAt: null, lastAt: null, ...late },
      ]);
      const hour = new Date(NOW).getUTCHours();
      const clock = (of: number): string => `${String((of + 24) % 24).padStart(2, '0')}:00`;
      await setQuiet({ ...night, start: clock(hour), end: clock(hour + 2) });
      const now = [{ firstAt: hourUtc(hour + 2, 0), lastAt: hourUtc(hour + 2, 0), ...all }];
      expect(await spans(group)).toEqual(now);
      await setQuiet({ ...night, start: clock(hour + 2), end: clock(hour + 3) });
      expect(await spans(group)).toBeUndefined();
    });

    it('on the connections of named users too', async () => {
      const hour = new Date(NOW).getUTCHours();
      const clock = (of: number): string => `${String((of + 24) % 24).padStart(2, '0')}:00`;
      const quietHours = { ...night, start: clock(hour), end: clock(hour + 2), timeZone: 'device' };
      const made = await admin('POST', 'apps', { id: 'asleep', name: 'Asleep', quietHours });
      await addDevice(gateway.database, { appId: 'asleep', userId: 'ada' });
      await rows(
        gateway.database,
        `INSERT INTO edges (edge_id, heartbeat_at) VALUES ('edge-1', now() + interval '1 hour')`,
      );
      await rows(
        gateway.database,
        `INSERT INTO presence (app_id, id, edge_id, epoch) SELECT app_id, id, 'edge-1', 1 FROM installations WHERE app_id = 'asleep'`,
      );
      for (const [content, fields] of [
        ['quiet', {}],
        ['urgent', { ignoreQuietHours: true }],
        ['live', { live: true }],
      ] as const) {
        const headers = { 'x-access-token': made.body.tokens.server as string };
        const sent = await gateway.request('POST', '/api/push/toUsers', {
          body: { ...named, content, ...fields },
          headers,
        });
        expect([sent.status, sent.body]).toEqual([200, { count: 1 }]);
      }
      const onEdge = await rows(
        gateway.database,
        `SELECT m.content ->> 'content' AS text FROM pages p JOIN messages m ON m.app_id = p.app_id AND m.id = p.message_id
         WHERE p.app_id = 'asleep' AND p.edge_id IS NOT NULL ORDER BY m.id`,
      );
      expect(onEdge).toEqual([{ text: 'urgent' }, { text: 'live' }]);
    });

    it('where each device is', async () => {
      await setQuiet({ ...night, timeZone: 'device' });
      const { body } = await send('byQuery?dryRun=true', { ...group, sendAt: hourUtc(12) });
      // At UTC-12 it is midnight, and at UTC+14 it is 02:00 of the next day: the devices get the message at eight
      // there, eight and six hours later.
      expect(body.schedule).toEqual([{ firstAt: hourUtc(12), lastAt: hourUtc(20), waiting: 2, tooLate: 0 }]);
      // Only the zones of the recipients count: at UTC+14 it is eight at 18:00 UTC.
      const only = { users: ['ada'], content: 'x', sendAt: hourUtc(12) };
      expect((await send('toUsers?dryRun=true', only)).body.schedule).toEqual([
        { firstAt: hourUtc(18), lastAt: hourUtc(18), waiting: 1, tooLate: 0 },
      ]);
      expect((await send('toUsers?dryRun=true', { ...only, ttl: 3_600 })).body.schedule).toEqual([
        { firstAt: null, lastAt: null, waiting: 0, tooLate: 1 },
      ]);
      const both = [
        { ...only, users: undefined, user: 'ada' },
        { ...only, users: undefined, user: 'bob' },
      ];
      expect((await send('toUsers?dryRun=true', both)).body.schedule).toEqual([
        { firstAt: hourUtc(12), lastAt: hourUtc(20) },
        { firstAt: hourUtc(12), lastAt: hourUtc(20) },
      ]);
    });

    it('and names the frequency caps that are looked at later, which its count does not know', async () => {
      const frequencyCaps = [{ messages: 1, seconds: 86_400 }];
      await admin('PATCH', 'apps/shop', { frequencyCaps });
      const caps = async (endpoint: string, body: object): Promise<unknown> =>
        (await send(`${endpoint}?dryRun=true`, body)).body.frequencyCaps;
      expect(await caps('byQuery', group)).toEqual(frequencyCaps);
      expect(await caps('toUsers', { ...named, countsTowardsCap: true })).toEqual(frequencyCaps);
      expect(await caps('toUsers', named)).toBeUndefined();
      expect(await caps('byQuery', { ...group, ignoreFrequencyCap: true })).toBeUndefined();
      await admin('PATCH', 'apps/shop', { frequencyCaps: [] });
      expect(await caps('byQuery', group)).toBeUndefined();
    });

    it('with the SMS of its fallback, whose delay counts from when it was allowed to leave', async () => {
      await setQuiet({ ...night, timeZone: 'device' });
      const body = { users: ['ada', 'bob', 'eve'], content: 'hello', fallback: { content: 'sms', delay: 120 } };
      const answer = await send('toUsers', { ...body, sendAt: hourUtc(9) });
      const due = await rows<{ user_id: string; due_at: Date }>(
        gateway.database,
        `SELECT user_id, due_at FROM fallbacks WHERE message_id = $1 ORDER BY user_id`,
        [String(answer.headers['x-message-id'])],
      );
      const minutes = (at: Date): number => (at.getTime() - Date.parse(hourUtc(9))) / 60_000;
      // It is 23:00 at UTC+14, 21:00 of the day before at UTC-12, and 09:00 for users without a time zone.
      expect(due.map(({ user_id, due_at }) => [user_id, minutes(due_at)])).toEqual([
        ['ada', 9 * 60 + 2],
        ['bob', 2],
        ['eve', 2],
      ]);
      const late = await send('toUsers', { ...body, fallback: { content: 'sms', delay: 7_200 }, sendAt: hourUtc(9) });
      const [bob] = await rows<{ due_at: Date }>(
        gateway.database,
        `SELECT due_at FROM fallbacks WHERE message_id = $1 AND user_id = 'bob'`,
        [String(late.headers['x-message-id'])],
      );
      expect(minutes(bob?.due_at as Date)).toBe(11 * 60);
    });

    it('and says of a device that sleeps until when, and why', async () => {
      const answer = await send('byQuery', { ...group, rate: 1 });
      const id = String(answer.headers['x-message-id']);
      const until = inDays(0.2);
      for (const [place, waitsFor] of ['quiet_hours', 'local_time', null].entries()) {
        await rows(
          gateway.database,
          `INSERT INTO pages (app_id, message_id, id, vendor, lane, device_ids, is_steered, not_before, waits_for)
           SELECT 'shop', $1, gen_random_uuid(), 'fcm', 'campaign', ARRAY[id], true, $3, $4
           FROM installations WHERE app_id = 'shop' ORDER BY id OFFSET $2 LIMIT 1`,
          [id, place, until, waitsFor],
        );
      }
      const { body } = await gateway.request('GET', `/api/push/messages/${id}/deliveries`, {
        headers: { 'x-access-token': token },
      });
      expect(body.deliveries.map(({ reason }: { reason: string }) => reason)).toEqual([
        `Waits until ${until}, when the quiet hours end`,
        `Waits until ${until}, when the time of day of the message comes where the device is`,
        'Waits for its turn',
      ]);
    });
  });

  it('to a group is cancelled before it began, with a record of every device at once', async () => {
    const answer = await send('byQuery', { ...group, sendAt: inDays(20) });
    const id = String(answer.headers['x-message-id']);
    const headers = { 'x-access-token': token };
    const cancelled = await gateway.request('POST', `/api/push/messages/${id}/cancel`, { headers });
    expect(cancelled.body).toMatchObject({ status: 'cancelled', count: 3, recipients: 3, totals: { cancelled: 3 } });
    const { body } = await gateway.request('GET', `/api/push/messages/${id}/deliveries`, { headers });
    expect(body.deliveries.map(({ state }: { state: string }) => state)).toEqual(Array(3).fill('cancelled'));
  });

  it('to named users is cancelled before it began, at once', async () => {
    const answer = await send('toUsers', { ...named, sendAt: inDays(20), fallback: { content: 'sms' } });
    const id = String(answer.headers['x-message-id']);
    const cancelled = await gateway.request('POST', `/api/push/messages/${id}/cancel`, {
      headers: { 'x-access-token': token },
    });
    expect([cancelled.status, cancelled.body.status, cancelled.body.totals.cancelled]).toEqual([200, 'cancelled', 1]);
  });

  it('follows rules of its application, which the operator sets and reads', async () => {
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
  ])('follows rules of its application, which are refused if they are bad: %j', async (body, path) => {
    const answer = await admin('PATCH', 'apps/shop', body);
    expect([answer.status, answer.body.error?.details?.map((detail: { path: string }) => detail.path)]).toEqual([
      400,
      [path],
    ]);
  });
});
