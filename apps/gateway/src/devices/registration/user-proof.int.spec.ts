import { createHmac } from 'node:crypto';
import { EdgesRepository, OverviewRepository, PresenceRepository, rows } from '@postrider/persistence';
import { configureVendor } from '@postrider/testing';
import { startTestGateway, TEST_ADMIN_TOKEN, type TestAnswer, type TestGateway } from '../../testing/test-gateway';

/** An application made by an operator, with the key that proves its users. */
interface Shop {
  id: string;
  server: string;
  client: string;
  hashOf(userId: string): string;
}

describe('the proof of a user:', () => {
  let gateway: TestGateway;

  const admin = (method: string, path: string, body?: unknown): Promise<TestAnswer> =>
    gateway.request(method, `/api/admin/apps${path}`, {
      body,
      headers: { authorization: `Bearer ${TEST_ADMIN_TOKEN}` },
    });
  const open = async (id: string, settings: object = {}): Promise<Shop> => {
    const { body, status } = await admin('POST', '', { id, name: id, ...settings });
    expect(status).toBe(201);
    const hashOf = (userId: string): string =>
      createHmac('sha256', body.identityKey as string)
        .update(userId)
        .digest('hex');
    return { id, server: body.tokens.server, client: body.tokens.client, hashOf };
  };
  const call = (
    method: string,
    path: string,
    body?: unknown,
    token = '',
    headers: Record<string, string> = {},
  ): Promise<TestAnswer> => gateway.request(method, path, { body, headers: { 'x-access-token': token, ...headers } });
  const register = async (shop: Shop, userId: string, more: object = {}): Promise<TestAnswer> =>
    call('POST', '/api/installations', { userId, deviceType: 'android', ...more }, shop.client);

  beforeAll(async () => {
    gateway = await startTestGateway();
  });

  afterAll(() => gateway.close());

  describe('the key that ships inside an app', () => {
    it('tags the user of the installation that the request names, or whose hash it shows, and nobody else', async () => {
      const shop = await open('own-tags');
      const { body: ada } = await register(shop, 'ada');
      const { body: bob } = await register(shop, 'bob');
      for (const path of ['addTags', 'removeTags']) {
        const tag = (more: object, query = '', headers = {}): Promise<TestAnswer> =>
          call(
            'POST',
            `/api/installations/${path}${query}`,
            { userId: 'ada', tags: ['vip'], ...more },
            shop.client,
            headers,
          );
        expect((await tag({ installationId: ada.id })).body).toEqual({ count: 1 });
        expect((await tag({}, `?installationId=${ada.id}`)).status).toBe(200);
        expect((await tag({ userHash: shop.hashOf('ada') })).status).toBe(200);
        expect((await tag({}, `?userHash=${shop.hashOf('ada')}`)).status).toBe(200);
        expect((await tag({}, '', { 'x-user-hash': shop.hashOf('ada') })).status).toBe(200);
        for (const other of [
          {},
          { installationId: bob.id },
          { installationId: 'x' },
          { userHash: shop.hashOf('bob') },
        ]) {
          const { status, body } = await tag(other);
          expect([status, body.error.code]).toEqual([403, 'FORBIDDEN']);
        }
        const byBackend = { userId: 'ada', tags: ['vip'] };
        expect((await call('POST', `/api/installations/${path}`, byBackend, shop.server)).status).toBe(200);
      }
    });

    it('tags anybody or nobody where the application says so', async () => {
      const shop = await open('any-tags', { clientTags: 'any' });
      const { body: ada } = await register(shop, 'ada');
      const tag = (): Promise<TestAnswer> =>
        call('POST', '/api/installations/addTags', { userId: 'ada', tags: ['x'], installationId: ada.id }, shop.client);
      const body = { userId: 'ada', tags: ['x'] };
      expect((await call('POST', '/api/installations/addTags', body, shop.client)).status).toBe(200);
      await admin('PATCH', '/any-tags', { clientTags: 'none' });
      expect((await tag()).status).toBe(403);
      expect((await call('POST', '/api/installations/addTags', body, shop.server)).status).toBe(200);
    });

    it('sets no protected attribute, in whatever call, unless it shows the hash of the user', async () => {
      const shop = await open('bank', { protectedAttributes: ['phone', 'vip.count', 'deviceModel'] });
      const hash = shop.hashOf('ada');
      for (const field of [{ phone: '+4912345' }, { deviceModel: 'Pixel' }]) {
        expect((await register(shop, 'ada', field)).status).toBe(403);
        expect((await register(shop, 'ada', { ...field, userHash: shop.hashOf('bob') })).status).toBe(403);
      }
      expect((await register(shop, 'ada', { phone: null })).status).toBe(200);
      const { body: own } = await register(shop, 'ada', { phone: '+4912345', userHash: hash });
      const { body: strange } = await register(shop, 'ada');
      expect(
        (await call('PUT', `/api/installations/${strange.id}`, { userId: 'ada', phone: '1' }, shop.client)).status,
      ).toBe(403);
      const installationId = strange.id;
      const changes: [string, string, object][] = [
        ['PUT', 'userInfo', { data: { phone: '+4955555' } }],
        ['PUT', 'userInfo', { data: { phone: null } }],
        ['PUT', 'userInfo', { __meta: { keys: { phone: { operation: 'unset' } } } }],
        ['POST', 'incrementAttribute', { attributes: [{ attribute: 'phone', value: 1 }] }],
        ['PUT', 'userInfo', { __meta: { keys: { phone: { operation: 'addToArray', value: ['1'] } } } }],
        ['POST', 'events', { userId: 'ada', eventData: [{ type: 2, eventName: 'vip' }] }],
      ];
      for (const [method, path, body] of changes) {
        const change = (more: object, headers = {}): Promise<TestAnswer> =>
          call(method, `/api/installations/${path}`, { installationId, ...body, ...more }, shop.client, headers);
        expect((await change({})).status).toBe(403);
        expect((await change({ userHash: shop.hashOf('bob') })).status).toBe(403);
        expect((await change({}, { 'x-user-hash': hash })).status).toBe(200);
        expect((await change({ userHash: hash })).status).toBe(200);
      }
      const harmless = { installationId, data: { city: 'Yazd' } };
      expect((await call('PUT', '/api/installations/userInfo', harmless, shop.client)).status).toBe(200);
      // A device that proved its user at its registration has done so for its events as well.
      const event = { installationId: own.id, userId: 'ada', eventData: [{ type: 2, eventName: 'vip' }] };
      expect((await call('POST', '/api/installations/events', event, shop.client)).status).toBe(200);
      const set = { userId: 'ada', attributes: { phone: '+4977777' } };
      expect((await call('POST', '/api/installations/attributes', set, shop.server)).status).toBe(200);
    });
  });

  describe('where user hashes are required,', () => {
    it('reading, tagging and changing ask for one, each by header, query or body', async () => {
      const shop = await open('guarded', { requireUserHash: true });
      const userHash = shop.hashOf('ada');
      const { body: ada } = await register(shop, 'ada', { deviceToken: 'fcm-ada', userHash });
      const installationId = ada.id as string;
      const base = '/api/installations';
      const filter = encodeURIComponent(JSON.stringify({ where: { id: { inq: [installationId] } } }));
      const calls: [string, string, object?][] = [
        ['GET', `${base}/${installationId}`],
        ['GET', `${base}?filter=${filter}`],
        ['GET', `${base}/tags/ada`],
        ['PUT', `${base}/userInfo`, { installationId, data: { city: 'Yazd' } }],
        ['POST', `${base}/incrementAttribute`, { installationId, attributes: [{ attribute: 'visits', value: 1 }] }],
        [
          'POST',
          `${base}/updateDeviceToken`,
          { installationId, userId: 'ada', deviceType: 'android', deviceToken: 'b' },
        ],
        ['POST', `${base}/addTags`, { userId: 'ada', tags: ['x'], installationId }],
        ['POST', `${base}/removeTags`, { userId: 'ada', tags: ['x'], installationId }],
        ['GET', `${base}/${installationId}/inbox`],
      ];
      for (const [method, path, body] of calls) {
        const ask = (query = '', more: object = {}, headers = {}): Promise<TestAnswer> =>
          call(
            method,
            path + (query && (path.includes('?') ? '&' : '?') + query),
            body && { ...body, ...more },
            shop.client,
            headers,
          );
        const answers = [
          await ask(),
          await ask('', {}, { 'x-user-hash': shop.hashOf('bob') }),
          await ask(`userHash=${shop.hashOf('bob')}`),
          await ask('', {}, { 'x-user-hash': userHash }),
          await ask(`userHash=${userHash}`),
          ...(body ? [await ask('', { userHash })] : []),
        ];
        const statuses = answers.map(({ status }) => status);
        expect({ path, statuses }).toEqual({ path, statuses: [401, 401, 401, 200, 200, ...(body ? [200] : [])] });
        expect((await call(method, path, body, shop.server)).status).toBe(200);
      }
    });

    it('a device that never proved its user gets nothing from the moment on at which it is required, until it does', async () => {
      const shop = await open('switched');
      await configureVendor(gateway.database, 'switched', 'fcm');
      const proof = { userHash: shop.hashOf('ada') };
      await register(shop, 'ada', { deviceToken: 'proved', ...proof });
      await register(shop, 'ada', { deviceToken: 'proved' });
      await register(shop, 'ada', { deviceToken: 'never' });
      const { body: online } = await register(shop, 'ada', { realtime: true });
      const { body: stolen } = await register(shop, 'ada', { deviceToken: 'before', ...proof });
      const thief = { installationId: stolen.id, userId: 'ada', deviceType: 'android', deviceToken: 'thief' };
      expect((await call('POST', '/api/installations/updateDeviceToken', thief, shop.client)).status).toBe(200);
      const [stored] = await rows<{ id: string }>(
        gateway.database,
        `SELECT id FROM installations WHERE installation_id = $1`,
        [online.id],
      );
      const deviceId = stored?.id ?? '';
      const [edges, presence] = [new EdgesRepository(gateway.database), new PresenceRepository(gateway.database)];
      await edges.beat('edge-1');
      const arrival = { appId: 'switched', deviceId, userId: 'ada' };
      expect(await presence.enter('edge-1', [arrival], new Date())).toHaveLength(1);
      const count = async (body: object, path = 'toUsers'): Promise<unknown> =>
        (await call('POST', `/api/push/${path}?dryRun=true`, { content: 'x', ...body }, shop.server)).body.count;
      const unproved = async (): Promise<unknown> => (await admin('GET', '/switched')).body.unprovedDevices;
      const everybody = { segment: { all: [{ name: 'deviceType', operator: 'equal_to', value: 'android' }] } };

      expect(await count({ user: 'ada' })).toBe(4);
      expect(await unproved()).toBe(3);
      await admin('PATCH', '/switched', { requireUserHash: true });
      expect(await count({ user: 'ada' })).toBe(1);
      expect(await count(everybody, 'byQuery')).toBe(1);
      expect(await count({ user: 'ada', live: true })).toBe(0);
      expect(await count({ user: 'ada', inApp: true })).toBe(0);
      expect(await new OverviewRepository(gateway.database).countDevices('switched')).toMatchObject([
        { deviceType: 'android', total: 4, reachable: 1 },
      ]);

      const sent = await call('POST', '/api/push/toUsers', { user: 'ada', content: 'x' }, shop.server);
      expect(sent.body).toEqual({ count: 1 });
      const skipped = await rows(
        gateway.database,
        `SELECT state, reason FROM deliveries WHERE app_id = 'switched' AND message_id = $1`,
        [sent.headers['x-message-id']],
      );
      expect(skipped).toEqual(Array.from({ length: 3 }, () => ({ state: 'skipped', reason: 'user_not_proved' })));

      expect(await edges.findClosures('edge-1')).toMatchObject([{ deviceId, reason: 'changed_hands' }]);
      expect(await presence.enter('edge-1', [arrival], new Date())).toEqual([]);

      await register(shop, 'ada', { deviceToken: 'never', ...proof });
      const again = { userId: 'ada', deviceType: 'android', realtime: true, ...proof };
      expect((await call('PUT', `/api/installations/${online.id}`, again, shop.client)).status).toBe(200);
      expect(await count({ user: 'ada' })).toBe(3);
      expect(await presence.enter('edge-1', [arrival], new Date())).toHaveLength(1);
      expect((await admin('PATCH', '/switched', { requireUserHash: false })).body.requireUserHash).toBe(false);
      expect(await count({ user: 'ada' })).toBe(4);
    });

    it('an application trusts the installations that it had before proofs were noted, until it begins to require them anew', async () => {
      const shop = await open('older');
      await register(shop, 'ada', { realtime: true });
      // The state in which the migration leaves an application that required the hash already.
      await rows(gateway.database, `UPDATE installations SET user_proof = DEFAULT WHERE app_id = 'older'`);
      await rows(gateway.database, `UPDATE applications SET require_user_hash = true WHERE app_id = 'older'`);
      const count = async (): Promise<unknown> =>
        (await call('POST', '/api/push/toUsers?dryRun=true', { user: 'ada', content: 'x' }, shop.server)).body.count;
      expect(await count()).toBe(1);
      expect((await admin('GET', '/older')).body.unprovedDevices).toBe(0);
      await admin('PATCH', '/older', { requireUserHash: true });
      expect(await count()).toBe(1);
      await admin('PATCH', '/older', { requireUserHash: false });
      await admin('PATCH', '/older', { requireUserHash: true });
      expect(await count()).toBe(0);
    });
  });

  it('attributes of a user who has no device yet are kept, for the devices that come', async () => {
    const shop = await open('early');
    const set = { userId: 'ada', attributes: { phone: '+491234567', city: 'Yazd' } };
    expect((await call('POST', '/api/installations/attributes', set, shop.server)).body).toEqual({ count: 0 });
    const { body } = await register(shop, 'ada');
    const read = await call('GET', `/api/installations/${body.id}`, undefined, shop.client);
    expect(read.body.userInfo).toEqual({ phone: '+491234567', city: 'Yazd' });
    const everybody = { userId: '*', attributes: { city: 'x' } };
    expect((await call('POST', '/api/installations/attributes', everybody, shop.server)).status).toBe(400);
  });

  it('settings are read back as they were set, and bad ones are named', async () => {
    await open('settings');
    expect((await admin('GET', '/settings')).body).toMatchObject({ clientTags: 'own', protectedAttributes: ['phone'] });
    const changes = { clientTags: 'any', protectedAttributes: ['phone', 'iban', 'iban'] };
    expect((await admin('PATCH', '/settings', changes)).body).toMatchObject({
      clientTags: 'any',
      protectedAttributes: ['phone', 'iban'],
    });
    const { status, body } = await admin('PATCH', '/settings', { clientTags: 'all', protectedAttributes: ['', 5] });
    expect(status).toBe(400);
    expect(body.error.details.map(({ path }: { path: string }) => path)).toEqual([
      'clientTags',
      'protectedAttributes[0]',
      'protectedAttributes[1]',
    ]);
  });

  it('sending, cancelling and making campaigns need a token that may send', async () => {
    const { id } = await open('scopes');
    const read = await gateway.token(id, ['read']);
    const promo = await gateway.token(id, ['promo']);
    const send = await gateway.token(id, ['send']);
    const client = await gateway.token(id, ['devices']);
    const { body } = await call('POST', '/api/installations', { userId: 'ada', realtime: true }, client);
    const sent = await call('POST', '/api/push/toUsers', { user: 'ada', content: 'x' }, send);
    const cancel = `/api/push/messages/${String(sent.headers['x-message-id'])}/cancel`;
    for (const token of [read, promo, client]) {
      expect((await call('POST', cancel, undefined, token)).status).toBe(403);
      expect((await call('POST', '/api/push/campaigns', { trackId: 'may' }, token)).status).toBe(403);
    }
    expect((await call('POST', cancel, undefined, send)).status).toBe(200);
    expect((await call('POST', '/api/push/campaigns', { trackId: 'may' }, send)).status).toBeLessThan(300);
    expect((await call('GET', `/api/installations/${body.id}/inbox`, undefined, read)).status).toBe(200);
    expect((await call('GET', `/api/installations/${body.id}/inbox`, undefined, send)).status).toBe(403);
  });
});
