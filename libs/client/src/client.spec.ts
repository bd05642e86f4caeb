import { createClient } from './postrider-client';
import { browserStorage, type WebStorage } from './storage/browser-storage';
import { memoryStorage } from './storage/client-storage';
import { FakeService } from './testing/fake-service';

const OPTIONS = { url: 'https://push.example', appId: 'shop', token: 't' };

describe('a client', () => {
  it.each([
    ['url', { url: 'ftp://x' }],
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
    expect([values.get('k'), await storage.read('k')]).toEqual(['new!', 'new!']);
  });
});
