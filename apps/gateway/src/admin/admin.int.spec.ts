import { generateKeyPairSync } from 'node:crypto';
import type { Socket } from 'node:net';
import { rows } from '@postrider/persistence';
import { newId, Secret, Shutdown } from '@postrider/platform';
import { untilTrue } from '@postrider/testing';
import { startTestGateway, TEST_ADMIN_TOKEN, type TestAnswer, type TestGateway } from '../testing/test-gateway';

describe('the admin API', () => {
  let gateway: TestGateway;

  const call = (method: string, path: string, body?: unknown, token = TEST_ADMIN_TOKEN): Promise<TestAnswer> =>
    gateway.request(method, `/api/admin/apps${path}`, { body, headers: { authorization: `Bearer ${token}` } });
  const details = ({ body }: TestAnswer): string[] => body.error.details.map(({ path }: { path: string }) => path);

  beforeAll(async () => {
    gateway = await startTestGateway({ allowPrivateEndpoints: true });
  });

  afterAll(() => gateway.close());

  it('makes an application whose tokens work at once, and shows them once', async () => {
    const made = await call('POST', '', { id: 'shop', name: 'The Shop', defaultRegion: 'ir' });
    expect(made).toMatchObject({
      status: 201,
      body: { id: 'shop', name: 'The Shop', tokens: { server: expect.stringMatching(/^pr_/) } },
    });
    expect(Object.keys(made.body).sort()).toEqual(['id', 'identityKey', 'name', 'tokens']);
    const { server, client } = made.body.tokens;
    const register = await gateway.request('POST', '/api/installations', {
      body: { userId: 'ada', deviceType: 'android', deviceToken: 'x' },
      headers: { 'x-access-token': client },
    });
    expect(register.status).toBe(200);
    expect((await gateway.request('GET', `/api/installations/addTag/ada/x?access_token=${server}`)).body).toEqual({
      count: 1,
    });
    const read = await call('GET', '/shop');
    expect(read.body).toMatchObject({
      id: 'shop',
      defaultRegion: 'IR',
      defaultAlertText: 'You have a new message',
      requireUserHash: false,
      promoExhausted: 'send_without',
    });
    const text = JSON.stringify([read.body, (await call('GET', '')).body, (await call('GET', '/shop/tokens')).body]);
    for (const secret of [server, client, made.body.identityKey]) expect(text).not.toContain(secret);
  });

  it('keeps ids unique, in any case of letters', async () => {
    await call('POST', '', { id: 'Unique', name: 'x' });
    expect((await call('POST', '', { id: 'Unique', name: 'x' })).status).toBe(409);
    expect((await call('POST', '', { id: 'uniQUE', name: 'x' })).status).toBe(409);
    expect(details(await call('POST', '', { id: '-bad', defaultRegion: 'Iran', promoExhausted: 'x' }))).toEqual([
      'id',
      'name',
      'defaultRegion',
      'promoExhausted',
    ]);
    expect(details(await call('POST', '', { id: 'x'.repeat(64), name: 'x' }))).toEqual(['id']);
  });

  it('changes settings, only those that are named', async () => {
    await call('POST', '', { id: 'changing', name: 'Before', defaultAlertText: 'Hi' });
    expect((await call('PATCH', '/changing', { name: 'After', requireUserHash: 'true' })).body).toMatchObject({
      name: 'After',
      defaultAlertText: 'Hi',
      requireUserHash: true,
    });
    expect((await call('PATCH', '/changing', {})).body).toMatchObject({ name: 'After' });
    expect(details(await call('PATCH', '/changing', { id: 'other', name: '', requestsPerSecond: 0 }))).toEqual([
      'id',
      'name',
      'requestsPerSecond',
    ]);
    expect((await call('PATCH', '/nobody', { name: 'x' })).status).toBe(404);
  });

  it('changes settings only while they have the revision that the change names, if it names one', async () => {
    await call('POST', '', { id: 'shared', name: 'Before' });
    const revision: number = (await call('GET', '/shared')).body.revision;
    const answers = await Promise.all(
      ['Hers', 'His'].map((name) => call('PATCH', `/shared?revision=${revision}`, { name })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const saved = answers.find(({ status }) => status === 200)?.body;
    const refused = answers.find(({ status }) => status === 409)?.body;
    expect(saved).toMatchObject({ revision: revision + 1 });
    expect(refused.error).toMatchObject({ code: 'EDIT_CONFLICT', current: saved });
    expect(await call('PATCH', '/shared', { name: 'Without a revision' })).toMatchObject({
      status: 200,
      body: { name: 'Without a revision', revision: revision + 2 },
    });
    expect(details(await call('PATCH', '/shared?revision=0', { name: 'x' }))).toEqual(['revision']);
    expect((await call('PATCH', '/nobody?revision=1', { name: 'x' })).status).toBe(404);
  });

  it('gives tokens with scopes and takes them back', async () => {
    await call('POST', '', { id: 'tokens', name: 'x' });
    const { status, body } = await call('POST', '/tokens/tokens', { name: 'reader', scopes: ['read', 'read'] });
    expect(status).toBe(201);
    const use = (): Promise<TestAnswer> => gateway.request('GET', `/api/push/messages?access_token=${body.token}`);
    expect((await use()).status).toBe(200);
    expect((await gateway.request('GET', `/api/installations/addTag/a/b?access_token=${body.token}`)).status).toBe(403);
    expect((await call('GET', '/tokens/tokens')).body).toMatchObject([
      { name: 'server', scopes: ['server'] },
      { name: 'client', scopes: ['devices'] },
      { id: body.id, name: 'reader', scopes: ['read'] },
    ]);
    expect((await call('DELETE', `/shop/tokens/${body.id}`)).status).toBe(404);
    expect((await call('DELETE', `/tokens/tokens/${body.id}`)).body).toEqual({ id: body.id });
    expect((await call('DELETE', `/tokens/tokens/${body.id}`)).status).toBe(404);
    expect((await call('GET', '/tokens/tokens')).body).toHaveLength(2);
    expect(details(await call('POST', '/tokens/tokens', { scopes: ['read', 'all'] }))).toEqual(['name', 'scopes[1]']);
    expect(details(await call('POST', '/tokens/tokens', { name: 'x', scopes: [] }))).toEqual(['scopes']);
    expect((await call('POST', '/nobody/tokens', { name: 'x', scopes: ['read'] })).status).toBe(404);
  });

  it('removes an application with everything that is its own, and nothing else', async () => {
    const doomed = await gateway.application('doomed');
    const other = await gateway.application('other');
    for (const token of [doomed, other]) {
      const register = { userId: 'ada', deviceType: 'android', deviceToken: 'same' };
      await gateway.request('POST', '/api/installations', { body: register, headers: { 'x-access-token': token } });
    }
    for (const appId of ['doomed', 'other']) {
      await rows(
        gateway.database,
        `INSERT INTO deliveries (app_id, message_id, device_id, state, rank)
         SELECT $1, $2, n, 'sent', 2 FROM generate_series(1, 25000) n`,
        [appId, newId()],
      );
    }
    expect(await call('DELETE', '/doomed')).toMatchObject({ status: 200, body: { id: 'doomed' } });
    const left = await rows(
      gateway.database,
      `SELECT (SELECT count(*) FROM deliveries WHERE app_id = a.id)::int AS deliveries,
         (SELECT count(*) FROM installations WHERE app_id = a.id)::int AS installations,
         (SELECT count(*) FROM tokens WHERE app_id = a.id)::int AS tokens
       FROM (VALUES ('doomed'), ('other')) a (id)`,
    );
    expect(left).toEqual([
      { deliveries: 0, installations: 0, tokens: 0 },
      { deliveries: 25_000, installations: 1, tokens: 1 },
    ]);
    expect((await call('DELETE', '/doomed')).status).toBe(404);
  });

  it('keeps the connection open while it removes an application with very many rows', async () => {
    await gateway.application('large');
    const server = gateway.app.getHttpServer();
    const connection = new Promise<Socket>((seen) => server.once('request', ({ socket }) => seen(socket)));
    const holder = gateway.database.createQueryRunner();
    await holder.startTransaction();
    try {
      await holder.query(`SELECT 1 FROM applications WHERE app_id = 'large' FOR KEY SHARE`);
      const removed = call('DELETE', '/large');
      await untilTrue(async () => {
        const [found] = await rows<{ waiting: number }>(
          gateway.database,
          `SELECT count(*)::int AS waiting FROM pg_stat_activity
           WHERE datname = current_database() AND wait_event_type = 'Lock' AND query ~* 'DELETE FROM "?applications'`,
        );
        return found?.waiting === 1;
      });
      expect((await connection).timeout).toBe(0);
      await holder.rollbackTransaction();
      expect((await removed).status).toBe(200);
    } finally {
      if (holder.isTransactionActive) await holder.rollbackTransaction();
      await holder.release();
    }
  });

  it('says that an application is being removed by another process, waits for its end, and changes nothing of it', async () => {
    for (const appId of ['leaving', 'staying']) await gateway.application(appId);
    const hold = (until: string): Promise<unknown> =>
      gateway.database.query(
        `UPDATE applications SET removal_began_at = '2026-01-02T03:04:05Z', removal_until = $1 WHERE app_id = 'leaving'`,
        [until],
      );
    await hold('infinity');
    const removalBeganAt = '2026-01-02T03:04:05.000Z';
    const removed = call('DELETE', '/leaving');
    await untilTrue(async () => (await call('GET', '/leaving/tokens')).body.length === 0);
    expect((await call('GET', '/leaving')).body).toMatchObject({ removalBeganAt });
    const listed = (await call('GET', '')).body as { id: string; removalBeganAt: string | null }[];
    const began = Object.fromEntries(listed.map((application) => [application.id, application.removalBeganAt]));
    expect(began).toMatchObject({ leaving: removalBeganAt, staying: null });
    const changes: [string, string, object][] = [
      ['PATCH', '', { name: 'Stays' }],
      ['POST', '/tokens', { name: 'x', scopes: ['read'] }],
      ['PUT', '/vendors/webpush', { subject: 'mailto:ada@example.com' }],
    ];
    for (const [method, path, body] of changes)
      expect(await call(method, `/leaving${path}`, body)).toMatchObject({
        status: 409,
        body: { error: { code: 'CONFLICT', message: 'The application is being removed' } },
      });
    await hold('-infinity');
    expect(await removed).toMatchObject({ status: 200, body: { id: 'leaving' } });
    expect((await call('GET', '/leaving')).status).toBe(404);
  });

  it('answers 503 when the gateway stops that removes an application, and leaves the rest to others', async () => {
    await gateway.application('stopping');
    const stopping = await startTestGateway({ databaseUrl: new Secret(gateway.databaseUrl) });
    try {
      await gateway.database.query(
        `UPDATE applications SET removal_began_at = now(), removal_until = 'infinity' WHERE app_id = 'stopping'`,
      );
      const headers = { authorization: `Bearer ${TEST_ADMIN_TOKEN}` };
      const removed = stopping.request('DELETE', '/api/admin/apps/stopping', { headers });
      await untilTrue(async () => (await call('GET', '/stopping/tokens')).body.length === 0);
      stopping.app.get(Shutdown).begin();
      expect(await removed).toMatchObject({ status: 503, body: { error: { code: 'UNAVAILABLE' } } });
      expect((await call('GET', '/stopping')).body.removalBeganAt).not.toBeNull();
    } finally {
      await stopping.close();
    }
  });

  it('refuses the tokens of an application at once when it is removed, whatever they were used for before', async () => {
    const server = await gateway.application('gone');
    const requests: [string, string, object?][] = [
      ['POST', '/api/push/toUsers', { user: 'ada', content: 'Hello' }],
      ['POST', '/api/push/byQuery', { target: { deviceType: 'ios' }, content: 'Hello' }],
      ['POST', '/api/installations', { userId: 'ada', deviceType: 'ios' }],
      ['GET', '/api/push/messages'],
    ];
    const statuses = async (): Promise<number[]> => {
      const found: number[] = [];
      for (const [method, path, body] of requests)
        found.push((await gateway.request(method, path, { body, headers: { 'x-access-token': server } })).status);
      return found;
    };
    expect(await statuses()).toEqual([200, 200, 200, 200]);
    expect((await call('DELETE', '/gone')).status).toBe(200);
    expect(await statuses()).toEqual([401, 401, 401, 401]);
  });

  it('opens to the operator only', async () => {
    const server = await gateway.application('tenant');
    for (const token of [server, 'wrong', '']) expect((await call('GET', '', undefined, token)).status).toBe(401);
    expect((await gateway.request('GET', '/api/admin/apps')).status).toBe(401);
  });

  it('keeps vendor credentials sealed: settings are shown, secrets never', async () => {
    await call('POST', '', { id: 'sealed', name: 'x' });
    const { privateKey } = generateKeyPairSync('ec', {
      namedCurve: 'P-256',
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    });
    const apns = {
      keyId: 'KEY1234567',
      teamId: 'TEAM123456',
      privateKey,
      topic: 'com.example.app',
      environment: 'sandbox',
      endpoint: 'https://127.0.0.1:1',
    };
    const put = await call('PUT', '/sealed/vendors/apns', apns);
    expect(put).toMatchObject({ status: 200, body: { vendor: 'apns', topic: 'com.example.app', keyId: 'KEY1234567' } });
    const listed = await call('GET', '/sealed/vendors');
    expect(listed.body).toMatchObject([{ vendor: 'apns', endpoint: 'https://127.0.0.1:1' }]);
    expect(JSON.stringify([put.body, listed.body])).not.toContain('PRIVATE KEY');
    const [row] = await rows<{ sealed: Buffer; settings: object; revision: string }>(
      gateway.database,
      `SELECT sealed, settings, revision FROM vendor_credentials WHERE app_id = 'sealed'`,
    );
    expect(`${String(row?.sealed)}${JSON.stringify(row?.settings)}`).not.toContain(privateKey.slice(40, 80));
    await call('PUT', '/sealed/vendors/apns', { ...apns, topic: 'com.example.other' });
    const [next] = await rows<{ revision: string }>(
      gateway.database,
      `SELECT revision FROM vendor_credentials WHERE app_id = 'sealed'`,
    );
    expect(Number(next?.revision)).toBeGreaterThan(Number(row?.revision));
    const bad = await call('PUT', '/sealed/vendors/apns', { ...apns, privateKey: 'no key', topic: undefined });
    expect(details(bad).sort()).toEqual(['privateKey', 'topic']);
    expect((await call('DELETE', '/sealed/vendors/apns')).body).toEqual({ vendor: 'apns' });
    expect((await call('GET', '/sealed/vendors')).body).toEqual([]);
  });

  it('asks the vendor whether the credentials work', async () => {
    await call('POST', '', { id: 'checked', name: 'x' });
    const { privateKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    });
    const nowhere = 'https://127.0.0.1:1';
    await call('PUT', '/checked/vendors/fcm', {
      serviceAccount: {
        project_id: 'p',
        client_email: 'a@b.example',
        private_key: privateKey,
        token_uri: `${nowhere}/token`,
      },
      endpoint: nowhere,
    });
    expect(await call('POST', '/checked/vendors/fcm/check')).toMatchObject({
      status: 200,
      body: { ok: false, code: expect.any(String), reason: expect.any(String) },
    });
  });

  it('keeps the key pair that browsers subscribed under, until another one is sent', async () => {
    await call('POST', '', { id: 'browsers', name: 'x' });
    const put = (body: object): Promise<TestAnswer> => call('PUT', '/browsers/vendors/webpush', body);
    const first = await put({ subject: 'mailto:a@b.example' });
    expect(first.body.publicKey).toEqual(expect.any(String));
    const second = await put({ subject: 'mailto:c@d.example' });
    expect(second.body).toMatchObject({ subject: 'mailto:c@d.example', publicKey: first.body.publicKey });
    await call('DELETE', '/browsers/vendors/webpush');
    expect((await put({ subject: 'mailto:a@b.example' })).body.publicKey).not.toBe(first.body.publicKey);
  });

  it('knows which vendors there are', async () => {
    await call('POST', '', { id: 'vendors', name: 'x' });
    expect((await call('GET', '/vendors/vendors')).body).toEqual([]);
    expect((await call('PUT', '/vendors/vendors/pigeon', {})).status).toBe(404);
    expect((await call('PUT', '/nobody/vendors/fcm', {})).status).toBe(404);
    expect((await call('DELETE', '/vendors/vendors/fcm')).status).toBe(404);
    expect((await call('POST', '/vendors/vendors/fcm/check')).status).toBe(404);
  });
});
