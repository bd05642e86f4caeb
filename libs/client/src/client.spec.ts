import { createClient, type PostriderClient } from './postrider-client';
import { asyncStorageOf, browserStorage, type WebStorage } from './storage/browser-storage';
import { newState } from './registration/installation-state';
import { memoryStorage } from './storage/client-storage';
import { FakeService } from './testing/fake-service';

const OPTIONS = { url: 'https://push.example', appId: 'shop', token: 't' };

describe('a client', () => {
  it.each([
    ['url', { url: 'ftp://x' }],
    ['url', { url: 'https://' }],
    ['url', { url: 'https://x y' }],
    ['url', { url: 'push.example' }],
    ['appId', { appId: '' }],
    ['token', { token: '' }],
    ['connectionUrl', { connectionUrl: 'http://x' }],
    ['keepAliveSeconds', { keepAliveSeconds: 1 }],
  ])('says what is wrong with %s', (name, wrong) => {
    expect(() => createClient({ ...OPTIONS, ...wrong })).toThrow(new RegExp(`^${name} must be`));
  });

  it('hands over the deep link that waited for it, and reports what became of it', async () => {
    const service = new FakeService();
    service.emitted = { deferredDeepLink: 'shop://invite/7' };
    const client = createClient({ ...OPTIONS, storage: memoryStorage(), fetch: service.fetch });
    const links: { link: string; report: (isOpened: boolean) => Promise<void> }[] = [];
    client.on('deepLink', (link) => links.push(link));
    await client.register();
    await client.register();
    expect(links.map(({ link }) => link)).toEqual(['shop://invite/7']);
    await links[0]?.report(true).catch(() => undefined);
    expect(service.calls.at(-1)).toEqual({
      method: 'POST',
      path: 'installations/deferredDeepLink',
      body: { installationId: 'id-1', opened: true },
    });
    await client.close();
  });

  it('connects again when that is asked for while the former connection is still ending', async () => {
    const service = new FakeService();
    service.failures.push(401, 401);
    const client = createClient({ ...OPTIONS, storage: memoryStorage(), fetch: service.fetch });
    const refused = new Promise<object>((done) => client.on('disconnected', done));
    client.connect();
    const ended = client.disconnect();
    client.connect();
    await ended;
    expect(await refused).toEqual({ reason: 'not_registered', retryInMs: null });
    await client.close();
  });

  it('connects again when that is asked for after the service refused the device', async () => {
    const service = new FakeService();
    service.failures.push(401, 401);
    const client = createClient({ ...OPTIONS, storage: memoryStorage(), fetch: service.fetch });
    for (const attempt of [1, 2]) {
      const refused = new Promise<object>((done) => client.on('disconnected', done));
      client.connect();
      expect(await refused).toEqual({ reason: 'not_registered', retryInMs: null });
      expect(service.calls).toHaveLength(attempt);
    }
    await client.close();
  });

  it.each([
    ['denied', null, { tokenStatus: 'DENIED' }],
    ['default', null, { tokenStatus: 'DENIED' }],
    ['granted', null, { tokenStatus: 'ALLOWED', deviceToken: 'subscription' }],
    ['denied', 'fcm', { tokenStatus: 'ALLOWED', deviceToken: 'subscription', pushType: 'fcm' }],
  ])(
    'that starts with the permission %s and a token of %s registers it accordingly',
    async (permission, pushType, body) => {
      const service = new FakeService();
      const storage = memoryStorage();
      const state = { ...newState(0), deviceToken: 'subscription', tokenStatus: 'ALLOWED', pushType };
      await storage.update('postrider:shop:installation', () => JSON.stringify(state));
      const globals = globalThis as { Notification?: object };
      globals.Notification = { permission };
      try {
        const client = createClient({ ...OPTIONS, storage, fetch: service.fetch });
        await client.register();
        const { tokenStatus, deviceToken, pushType: type } = service.calls.at(-1)?.body ?? {};
        expect({ tokenStatus, deviceToken, pushType: type }).toEqual(body);
        await client.close();
      } finally {
        delete globals.Notification;
      }
    },
  );

  it('registers the token of a native application, keeps it, and forgets it', async () => {
    const service = new FakeService();
    const stored = new Map<string, string>();
    const storage = asyncStorageOf({
      getItem: (key) => Promise.resolve(stored.get(key) ?? null),
      setItem: (key, value) => Promise.resolve(void stored.set(key, value)),
      removeItem: (key) => Promise.resolve(void stored.delete(key)),
    });
    const make = (): PostriderClient =>
      createClient({ ...OPTIONS, storage, fetch: service.fetch, device: { deviceType: 'ios' } });
    const client = make();
    await client.setPushToken({ pushType: 'apns', token: 'ab' });
    expect(service.calls.at(-1)?.body).toMatchObject({ pushType: 'apns', deviceToken: 'ab', tokenStatus: 'ALLOWED' });
    expect(service.calls.at(-1)?.body).not.toHaveProperty('deviceModel');
    await client.close();
    const again = make();
    await again.register();
    expect(service.calls.at(-1)).toMatchObject({
      path: 'installations/id-1',
      body: { pushType: 'apns', deviceToken: 'ab', deviceType: 'ios' },
    });
    await again.setPushToken(null, 'DENIED');
    expect(service.calls.at(-1)?.body).toMatchObject({ tokenStatus: 'DENIED' });
    expect(service.calls.at(-1)?.body).not.toHaveProperty('deviceToken');
    expect(service.calls.at(-1)?.body).not.toHaveProperty('pushType');
    await again.close();
  });

  it('changes a storage that answers later one change after the other', async () => {
    const stored = new Map<string, string>();
    const later = <T>(work: () => T): Promise<T> => new Promise((done) => setImmediate(() => done(work())));
    const storage = asyncStorageOf({
      getItem: (key) => later(() => stored.get(key) ?? null),
      setItem: (key, value) => later(() => void stored.set(key, value)),
      removeItem: (key) => later(() => void stored.delete(key)),
    });
    await Promise.all(['a', 'b', 'c'].map((letter) => storage.update('k', (before) => (before ?? '') + letter)));
    expect(await storage.read('k')).toBe('abc');
    await storage.update('k', () => null);
    expect([await storage.read('k'), stored.size]).toEqual([null, 0]);
  });

  it('is not harmed by a listener that throws', async () => {
    const client = createClient({ ...OPTIONS, storage: memoryStorage(), fetch: new FakeService().fetch });
    const heard: string[] = [];
    client.on('registered', () => {
      throw new Error('my own mistake');
    });
    client.on('registered', ({ id }) => heard.push(id));
    client.on('error', ({ code }) => heard.push(code));
    await client.register();
    expect(heard).toEqual(['LISTENER_FAILED', 'id-1']);
    await client.close();
  });
});

describe('the storage of a browser', () => {
  it('is read where nothing can be written, because it is full; changes last as long as the page', async () => {
    const values = new Map([['known', 'device-1']]);
    const localStorage: WebStorage = {
      getItem: (key) => values.get(key) ?? null,
      setItem: () => {
        throw new Error('QuotaExceededError');
      },
      removeItem: (key) => void values.delete(key),
    };
    const storage = browserStorage({ localStorage, document: {} } as Parameters<typeof browserStorage>[0]);
    await Promise.all(['a', 'b'].map((letter) => storage.update('k', (before) => (before ?? '') + letter)));
    expect([await storage.read('known'), await storage.read('k')]).toEqual(['device-1', 'ab']);
    await storage.update('known', () => null);
    expect([await storage.read('known'), values.get('known')]).toEqual([null, 'device-1']);
  });

  it('is the next best one where IndexedDB refuses', async () => {
    const values = new Map<string, string>();
    const localStorage: WebStorage = {
      getItem: (key) => values.get(key) ?? null,
      setItem: (key, value) => void values.set(key, value),
      removeItem: (key) => void values.delete(key),
    };
    const indexedDB = {
      open: () => {
        throw new Error('SecurityError');
      },
    };
    const storage = browserStorage({ indexedDB, localStorage, document: {} } as Parameters<typeof browserStorage>[0]);
    await storage.update('k', (before) => `${before ?? 'new'}!`);
    expect([values.get('k'), await storage.read('k'), values.size]).toEqual(['new!', 'new!', 1]);
  });
});
