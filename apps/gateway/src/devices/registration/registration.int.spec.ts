import { createHmac } from 'node:crypto';
import type { Channel } from '@postrider/domain';
import {
  type Closure,
  ConnectionSessionsRepository,
  EdgesRepository,
  PresenceRepository,
  rows,
} from '@postrider/persistence';
import { newId } from '@postrider/platform';
import { startTestGateway, TEST_ADMIN_TOKEN, type TestAnswer, type TestGateway } from '../../testing/test-gateway';

describe('registration of devices', () => {
  let gateway: TestGateway;
  let client: string;
  let server: string;

  const call = (method: string, path: string, body?: unknown, token = client): Promise<TestAnswer> =>
    gateway.request(method, `/api/installations${path}`, { body, headers: { 'x-access-token': token } });
  const phone = (userId: string, deviceToken: string, more: object = {}): object => ({
    userId,
    deviceToken,
    deviceType: 'android',
    ...more,
  });
  const stored = async (id: string): Promise<Record<string, unknown>> => {
    const [row] = await rows<Record<string, unknown>>(
      gateway.database,
      `SELECT * FROM installations WHERE installation_id = $1`,
      [id],
    );
    return row ?? {};
  };
  const waitFor = async (deviceId: unknown): Promise<string> => {
    const messageId = newId();
    await rows(
      gateway.database,
      `INSERT INTO deliveries (app_id, message_id, device_id, state, rank, vendor)
       VALUES ('shop', $1, $2, 'pending', 0, 'connection')`,
      [messageId, deviceId],
    );
    return messageId;
  };
  const stateOf = async (messageId: string): Promise<unknown> => {
    const [row] = await rows<{ state: string }>(
      gateway.database,
      `SELECT state FROM deliveries WHERE message_id = $1`,
      [messageId],
    );
    return row?.state;
  };

  beforeAll(async () => {
    gateway = await startTestGateway();
    server = await gateway.application('shop');
    client = await gateway.token('shop', ['devices']);
  });

  afterAll(() => gateway.close());

  it('keeps the full state of a device, fields that nobody knows too, and fills what the device did not say', async () => {
    const answer = await call('POST', '', {
      userId: 'ada',
      deviceType: 'Android',
      deviceToken: 'fcm-ada',
      osVersion: 'Android 14',
      appVersion: '2.4.0',
      launchTime: 1_700_000_000_000,
      installDate: '2023-01-02T03:04:05Z',
      subscriptions: ['default', 'public/sport', 'alerts'],
      location: { lat: 35.7, lng: '51.4' },
      realtime: 'true',
      deviceModel: 'Pixel 9',
      favourite: { colour: 'blue' },
    });
    expect(answer).toMatchObject({
      status: 200,
      body: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        appId: 'shop',
        userId: 'ada',
        deviceType: 'android',
        pushType: 'fcm',
        clientVersion: '2.4.0',
        launchCount: 1,
        launchTime: '2023-11-14T22:13:20.000Z',
        installDate: '2023-01-02T03:04:05.000Z',
        subscriptions: ['public/sport', 'private/alerts'],
        location: { lat: 35.7, lng: 51.4 },
        realtime: true,
        deviceModel: 'Pixel 9',
        favourite: { colour: 'blue' },
      },
    });
    const row = await stored(answer.body.id);
    expect(row).toMatchObject({ usable_vendor: 'fcm', uses_connection: true });
    expect(row.os_version_key).not.toBeNull();
    expect(await call('GET', `/${answer.body.id}`)).toMatchObject({
      status: 200,
      body: { id: answer.body.id, favourite: { colour: 'blue' }, userInfo: {} },
    });
  });

  it('leaves a device in the channels that its connection subscribed to, when its list was made before that', async () => {
    const { body: device } = await call('POST', '', phone('cleo', 'fcm-cleo'));
    const { id: deviceId } = await stored(device.id);
    const subscribe = (...channels: Channel[]): Promise<void> =>
      new ConnectionSessionsRepository(gateway.database).save(
        [
          {
            appId: 'shop',
            deviceId: String(deviceId),
            userId: 'cleo',
            subscriptions: {},
            expirySeconds: null,
            channels,
          },
        ],
        new Date(),
      );
    const register = async (userId: string, subscriptions: string[]): Promise<unknown> =>
      (await call('PUT', `/${device.id}`, phone(userId, 'fcm-cleo', { subscriptions }))).body.subscriptions;
    await subscribe('private/alerts', 'public/sport');
    expect(await register('cleo', ['public/sport', 'public/news'])).toEqual([
      'public/sport',
      'public/news',
      'private/alerts',
    ]);
    await subscribe('public/sport');
    expect(await register('cleo', [])).toEqual(['public/sport']);
    const leaving = { body: { installations: [device.id] }, headers: { 'x-access-token': server } };
    expect((await gateway.request('DELETE', '/api/channels/public%2Fsport/members', leaving)).body).toEqual({
      count: 1,
    });
    expect(await register('cleo', [])).toEqual([]);
    await subscribe('public/sport');
    expect(await register('dora', [])).toEqual([]);
  });

  it('keeps one installation per vendor token, also when it is registered many times at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => call('POST', '', phone('bob', 'fcm-bob', { osVersion: `1${n}` }))),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
  });

  it('takes a changed Web Push subscription for the same device while its endpoint is the same', async () => {
    const subscription = (auth: string): string =>
      JSON.stringify({
        endpoint: 'https://push.example/subscription/1',
        keys: { p256dh: Buffer.alloc(65, 4).toString('base64url'), auth: Buffer.from(auth).toString('base64url') },
      });
    const web = (auth: string): object => ({ userId: 'eve', deviceType: 'web', deviceToken: subscription(auth) });
    const first = await call('POST', '', web('0123456789abcdef'));
    const second = await call('POST', '', web('fedcba9876543210'));
    expect(first.body).toMatchObject({ pushType: 'webpush' });
    expect(second.body.id).toBe(first.body.id);
    expect(second.body.deviceToken).not.toBe(first.body.deviceToken);
    expect(await call('POST', '', { userId: 'eve', deviceType: 'web', deviceToken: 'abc' })).toMatchObject({
      status: 400,
      body: { error: { details: [{ path: 'deviceToken' }] } },
    });
  });

  it('takes the keys of a Web Push subscription in any form of base64, and keeps them as browsers give them', async () => {
    const point = Buffer.alloc(65, 0xfb);
    const web = (form: BufferEncoding): object => ({
      userId: 'btoa',
      deviceType: 'web',
      deviceToken: {
        endpoint: 'https://push.example/subscription/btoa',
        keys: { p256dh: point.toString(form), auth: Buffer.alloc(16, 0xff).toString(form) },
      },
    });
    const padded = await call('POST', '', web('base64'));
    expect(padded.status).toBe(200);
    const { body } = await call('POST', '', web('base64url'));
    expect(body).toMatchObject({ id: padded.body.id, deviceToken: padded.body.deviceToken });
    expect(JSON.parse(String(body.deviceToken))).toMatchObject({ keys: { p256dh: point.toString('base64url') } });
  });

  it('replaces the state under the same id, and answers 404 for an id that it does not know', async () => {
    const { body } = await call('POST', '', phone('carl', 'fcm-carl', { deviceModel: 'old', launchCount: 3 }));
    const replaced = await call('PUT', `/${body.id}`, phone('carl', 'fcm-carl-2', { tokenStatus: 'DENIED' }));
    expect(replaced).toMatchObject({ status: 200, body: { id: body.id, deviceToken: 'fcm-carl-2', launchCount: 3 } });
    expect(replaced.body.deviceModel).toBeUndefined();
    expect(await stored(body.id)).toMatchObject({ usable_vendor: null });
    expect((await call('PUT', `/${newId()}`, phone('nobody-new', 'x'))).status).toBe(404);
    expect((await call('PUT', '/not-an-id', phone('carl', 'x'))).status).toBe(404);
    const made = await rows(gateway.database, `SELECT 1 FROM users WHERE user_id = 'nobody-new'`);
    expect(made).toEqual([]);
  });

  it('treats the words that clients send for "no token" as none', async () => {
    for (const deviceToken of ['disabled', 'NOT_EXIST', '', null]) {
      const { status, body } = await call('POST', '', { userId: 'dora', deviceType: 'ios', deviceToken });
      expect([status, body.deviceToken]).toEqual([200, null]);
    }
  });

  it('gives a shared phone to its new user with nothing of the former one', async () => {
    const { body: first } = await call('POST', '', phone('old', 'fcm-shared', { subscriptions: ['public/sport'] }));
    await call('POST', '/addTags', { userId: 'old', tags: ['vip'] }, server);
    await call('POST', '', phone('new', 'fcm-other-phone'));
    await call('POST', '/addValueTag', { userId: 'new', tag: 'city', value: 'Shiraz' }, server);
    const messageId = await waitFor((await stored(first.id)).id);
    const before = (await stored(first.id)).user_since as Date;

    const second = await call('POST', '', phone('new', 'fcm-shared'));
    expect(second.body).toMatchObject({ id: first.id, userId: 'new', tags: ['city'], subscriptions: [] });
    expect(await stateOf(messageId)).toBe('skipped');
    expect(((await stored(first.id)).user_since as Date).getTime()).toBeGreaterThan(before.getTime());

    const back = await call(
      'PUT',
      `/${String(first.id)}`,
      phone('old', 'fcm-shared', { subscriptions: ['public/news'] }),
    );
    expect(back.body).toMatchObject({ userId: 'old', tags: ['vip'], subscriptions: ['public/news'] });
  });

  it('tells the new user of a shared phone when the connection of the former one is closed, not before', async () => {
    const { body: device } = await call('POST', '', phone('tara', 'fcm-tara'));
    const { id: deviceId } = await stored(device.id);
    const edges = new EdgesRepository(gateway.database);
    await edges.beat('edge-1');
    const arrival = { appId: 'shop', deviceId: String(deviceId), userId: 'tara' };
    await new PresenceRepository(gateway.database).enter('edge-1', [arrival], new Date());
    let isAnswered = false;
    const answer = call('PUT', `/${device.id}`, phone('uma', 'fcm-tara')).finally(() => (isAnswered = true));
    let closures: Closure[] = [];
    let wasAnsweredBefore = false;
    while (closures.length === 0 && !wasAnsweredBefore) {
      wasAnsweredBefore = isAnswered;
      closures = await edges.findClosures('edge-1');
    }
    expect(closures).toMatchObject([{ deviceId: String(deviceId), reason: 'changed_hands' }]);
    expect(wasAnsweredBefore).toBe(false);
    expect(await answer).toMatchObject({ status: 200, body: { userId: 'uma' } });
  });

  it('keeps what waits for a device that registers again as the same user', async () => {
    const { body } = await call('POST', '', phone('same', 'fcm-same', { subscriptions: ['public/sport'] }));
    const messageId = await waitFor((await stored(body.id)).id);
    const again = await call('POST', '', phone('same', 'fcm-same'));
    expect(again.body).toMatchObject({ id: body.id, subscriptions: ['public/sport'] });
    expect(await stateOf(messageId)).toBe('pending');
  });

  it('lets a device take the token that another installation holds', async () => {
    const { body: one } = await call('POST', '', phone('finn', 'fcm-finn-1'));
    const { body: other } = await call('POST', '', phone('finn', 'fcm-finn-2'));
    expect(await call('PUT', `/${one.id}`, phone('finn', 'fcm-finn-2'))).toMatchObject({
      status: 200,
      body: { id: one.id, deviceToken: 'fcm-finn-2' },
    });
    expect((await call('GET', `/${other.id}`)).status).toBe(404);
  });

  it('changes the vendor token of a device of that user only', async () => {
    const { body } = await call('POST', '', phone('gina', 'fcm-gina', { tokenStatus: 'DENIED' }));
    const change = { installationId: body.id, userId: 'gina', deviceType: 'android', deviceToken: 'fcm-gina-2' };
    expect(await call('POST', '/updateDeviceToken', change)).toMatchObject({
      status: 200,
      body: { id: body.id, deviceToken: 'fcm-gina-2' },
    });
    expect(await stored(body.id)).toMatchObject({ usable_vendor: 'fcm' });
    expect((await call('POST', '/updateDeviceToken', { ...change, userId: 'mallory' })).status).toBe(404);
    expect((await call('POST', '/updateDeviceToken', { ...change, installationId: newId() })).status).toBe(404);
    expect((await call('POST', '/updateDeviceToken', {})).body.error.details).toEqual([
      { path: 'installationId', message: 'is required' },
      { path: 'userId', message: 'is required' },
      { path: 'deviceToken', message: 'is required' },
    ]);
  });

  it('takes a token from the installation that had it, also if a change of the token does not say the kind of device', async () => {
    const { body: before } = await call('POST', '', phone('gus', 'fcm-gus-1'));
    const { body: after } = await call('POST', '', phone('gus', 'fcm-gus-2'));
    const change = { installationId: after.id, userId: 'gus', deviceToken: 'fcm-gus-1' };
    expect(await call('POST', '/updateDeviceToken', change)).toMatchObject({
      status: 200,
      body: { id: after.id, deviceToken: 'fcm-gus-1', pushType: 'fcm' },
    });
    expect((await call('GET', `/${before.id}`)).status).toBe(404);
  });

  describe('with a token of APNs, in capitals as Capacitor gives it or in small letters', () => {
    const iphone = (userId: string, deviceToken: string): object => ({ userId, deviceToken, deviceType: 'ios' });
    const tokens = (start: string): [small: string, capitals: string] => {
      const small = start.repeat(8);
      return [small, small.toUpperCase()];
    };

    it('is one device, shown with the token that its app gave last', async () => {
      const [small, capitals] = tokens('0a1b2c3d');
      const { body: first } = await call('POST', '', iphone('ivy', small));
      expect(first.deviceToken).toBe(small);
      const { body: again } = await call('POST', '', iphone('ivy', capitals));
      expect(again).toMatchObject({ id: first.id, deviceToken: capitals });
      const { body: another } = await call('POST', '', iphone('ivo', small));
      expect(another).toMatchObject({ id: first.id, userId: 'ivo', deviceToken: small });
      const change = { installationId: first.id, userId: 'ivo', deviceToken: capitals };
      expect((await call('POST', '/updateDeviceToken', change)).body).toMatchObject({
        id: first.id,
        deviceToken: capitals,
      });
    });

    it('takes the token from the installation that had it in other letters', async () => {
      const [small, capitals] = tokens('4e5f6a7b');
      const [other] = tokens('8c9d0e1f');
      const { body: before } = await call('POST', '', iphone('jan', small));
      const { body: after } = await call('POST', '', iphone('jan', other));
      expect((await call('PUT', `/${after.id}`, iphone('jan', capitals))).body.deviceToken).toBe(capitals);
      expect((await call('GET', `/${before.id}`)).status).toBe(404);
    });

    it('is one device when both come at once', async () => {
      const [small, capitals] = tokens('2a3b4c5d');
      const answers = await Promise.all([small, capitals].map((token) => call('POST', '', iphone('kim', token))));
      expect(answers[0]?.body.id).toBe(answers[1]?.body.id);
    });

    it('keeps the proof of its user, which belongs to the token', async () => {
      const [small, capitals] = tokens('6e7f8a9b');
      const { body } = await call('POST', '', iphone('lea', small), server);
      await call('PUT', `/${body.id}`, iphone('lea', capitals));
      expect(await stored(body.id)).toMatchObject({ user_proof: 2 });
    });

    it('tells capitals from small letters in the tokens of other vendors', async () => {
      const { body: one } = await call('POST', '', phone('max', 'fcm-Max'));
      const { body: other } = await call('POST', '', phone('max', 'fcm-max'));
      expect(other.id).not.toBe(one.id);
    });
  });

  it('learns the kind of a device with its token, if the device had not said it before', async () => {
    const { body } = await call('POST', '', { userId: 'gwen' });
    const change = { installationId: body.id, userId: 'gwen', deviceType: 'android', deviceToken: 'fcm-gwen' };
    const { body: changed } = await call('POST', '/updateDeviceToken', change);
    expect(changed).toMatchObject({ deviceType: 'android', pushType: 'fcm' });
    const other = { ...change, deviceType: 'huawei', deviceToken: 'hms-gwen' };
    const { body: again } = await call('POST', '/updateDeviceToken', other);
    expect(again).toMatchObject({ deviceType: 'android', pushType: 'hms' });
  });

  it('lists installations by id, unknown ones left out, at most 100', async () => {
    const { body: one } = await call('POST', '', phone('hal', 'fcm-hal-1'));
    const { body: two } = await call('POST', '', phone('hal', 'fcm-hal-2'));
    const ask = (ids: unknown): Promise<TestAnswer> =>
      call('GET', `?filter=${encodeURIComponent(JSON.stringify({ where: { id: { inq: ids } } }))}`);
    const found = await ask([two.id, 'nonsense', newId(), one.id]);
    expect(found.body.map(({ id }: { id: string }) => id)).toEqual([two.id, one.id]);
    expect((await ask(Array.from({ length: 101 }, () => newId()))).status).toBe(400);
    expect((await ask('all')).body.error.details[0].path).toBe('filter');
    expect((await call('GET', '')).status).toBe(400);
  });

  it('removes an installation, and what waited for it', async () => {
    const { body } = await call('POST', '', phone('ivy', 'fcm-ivy'));
    const messageId = await waitFor((await stored(body.id)).id);
    expect((await call('DELETE', `/${body.id}`)).body).toEqual({ count: 1 });
    expect(await stateOf(messageId)).toBe('skipped');
    expect((await call('DELETE', `/${body.id}`)).status).toBe(404);
    expect((await call('GET', `/${body.id}`)).status).toBe(404);
  });

  it('names every bad field of a registration, and keeps nothing of it', async () => {
    const answer = await call('POST', '', {
      userId: '*',
      deviceToken: 'with blank',
      deviceType: 7,
      pushType: 'pigeon',
      launchCount: -1,
      launchTime: 'yesterday',
      subscriptions: ['fine', 'not fine!', 3],
      location: { lat: 91 },
      realtime: 'maybe',
    });
    expect(answer.status).toBe(400);
    expect(answer.body.error.details.map(({ path }: { path: string }) => path).sort()).toEqual([
      'deviceToken',
      'deviceType',
      'launchCount',
      'launchTime',
      'location.lat',
      'location.lng',
      'pushType',
      'realtime',
      'subscriptions[1]',
      'subscriptions[2]',
      'userId',
    ]);
    for (const body of [undefined, [], 'text', 7]) expect((await call('POST', '', body)).status).toBe(400);
    expect((await call('POST', '', { deviceType: 'ios' })).body.error.details).toEqual([
      { path: 'userId', message: 'is required' },
    ]);
  });

  it('asks for the hash of the user where the application requires it', async () => {
    const operator = { authorization: `Bearer ${TEST_ADMIN_TOKEN}` };
    const made = await gateway.request('POST', '/api/admin/apps', {
      body: { id: 'guarded', name: 'Guarded', requireUserHash: true },
      headers: operator,
    });
    const { identityKey, tokens } = made.body;
    const hash = createHmac('sha256', identityKey).update('ada').digest();
    const register = (userHash?: string): Promise<TestAnswer> =>
      call('POST', '', phone('ada', 'fcm-guarded', { userHash }), tokens.client);
    expect((await register(hash.toString('hex'))).status).toBe(200);
    expect((await register(hash.toString('base64'))).status).toBe(200);
    for (const bad of [undefined, '', 'ada', 'f'.repeat(64)]) expect((await register(bad)).status).toBe(401);
    expect((await call('POST', '/addTags', { userId: 'ada', tags: ['x'] }, tokens.client)).status).toBe(401);
  });

  it('shows nothing of one application to another', async () => {
    const stranger = await gateway.application(`other-${Date.now()}`);
    const { body } = await call('POST', '', phone('jim', 'fcm-jim'));
    const own = await call('POST', '', phone('jim', 'fcm-jim'), stranger);
    expect(own.body.id).not.toBe(body.id);
    expect((await call('GET', `/${body.id}`, undefined, stranger)).status).toBe(404);
    expect((await call('PUT', `/${body.id}`, phone('jim', 'y'), stranger)).status).toBe(404);
    expect((await call('DELETE', `/${body.id}`, undefined, stranger)).status).toBe(404);
    expect((await call('DELETE', `/${newId()}`)).status).toBe(404);
    expect((await call('DELETE', '/not-an-id')).status).toBe(404);
    const change = { installationId: body.id, userId: 'jim', deviceType: 'android', deviceToken: 'z' };
    expect((await call('POST', '/updateDeviceToken', change, stranger)).status).toBe(404);
    expect((await call('POST', '', phone('jim', 'fcm-jim', { appId: 'shop' }), stranger)).status).toBe(401);
    const addressed = await gateway.request('GET', `/apps/shop/api/installations/${body.id}`, {
      headers: { 'x-access-token': stranger },
    });
    expect(addressed.status).toBe(401);
    const sender = await gateway.token('shop', ['send']);
    expect((await call('GET', `/${body.id}`, undefined, sender)).status).toBe(403);
  });
});
