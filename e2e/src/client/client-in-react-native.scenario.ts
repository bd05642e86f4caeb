import { once } from 'node:events';
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, request as sendTo, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { until } from '@postrider/testing';
import { compilerOf, makeUserProject, type UserProject } from '../support/packed-package';
import type { Postrider } from '../support/postrider';
import { reactNativeRuntime } from '../support/react-native-runtime';

const EXAMPLES = resolve(__dirname, '../../../libs/client');

/** Bundles an example's `push.ts` as Metro would resolve it. The test provides its native modules. */
const BUNDLE = `
import { build } from 'vite';
const [example, ...modules] = process.argv.slice(2);
const natives = {
  name: 'native-modules',
  enforce: 'pre',
  resolveId: (id) => (modules.includes(id) ? '\\0' + id : null),
  load: (id) => {
    if (!id.startsWith('\\0') || !modules.includes(id.slice(1))) return null;
    const name = JSON.stringify(id.slice(1));
    return { code: 'module.exports = globalThis.native[' + name + '];', moduleType: 'js', syntheticNamedExports: true };
  },
};
await build({
  configFile: false,
  logLevel: 'warn',
  plugins: [natives],
  resolve: { conditions: ['react-native', 'import', 'default'], mainFields: ['react-native', 'module', 'main'] },
  build: {
    outDir: example + '/bundle',
    target: 'es2022',
    minify: false,
    lib: { entry: example + '/push.ts', formats: ['iife'], name: 'example', fileName: () => 'push.js' },
  },
});
`;

/** The native modules that the examples use, by name. */
const MODULES = {
  'react-native': ['react-native', '@react-native-async-storage/async-storage', '@react-native-firebase/messaging'],
  capacitor: ['@capacitor/core', '@capacitor/app', '@capacitor/preferences', '@capacitor/push-notifications'],
};

interface Started {
  client: {
    identity(): Promise<{ installationId: string } | null>;
    on(name: string, listener: (what: never) => void): () => void;
    signIn(userId: string): Promise<unknown>;
    wake(): void;
    inbox: { read(): Promise<{ messages: { content: string }[] }> };
  };
  stop(): Promise<void>;
}

/** A phone's native side: its storage, and the events that the test causes. */
class Phone {
  readonly stored = new Map<string, string>();
  readonly asked: string[] = [];
  readonly #listeners = new Map<string, (what: unknown) => void>();

  listen(name: string, listener: (what: never) => void): () => void {
    this.#listeners.set(name, listener as (what: unknown) => void);
    return () => void this.#listeners.delete(name);
  }

  happens(name: string, what: unknown): void {
    const listener = this.#listeners.get(name);
    if (!listener) throw new Error(`Nobody listens to ${name}`);
    listener(what);
  }

  /** Asks the person for a permission. */
  ask(permission: string, answer: string): string {
    this.asked.push(permission);
    return answer;
  }

  isListenedTo(name: string): boolean {
    return this.#listeners.has(name);
  }

  get storage(): object {
    return {
      getItem: (key: string) => Promise.resolve(this.stored.get(key) ?? null),
      setItem: (key: string, value: string) => Promise.resolve(void this.stored.set(key, value)),
      removeItem: (key: string) => Promise.resolve(void this.stored.delete(key)),
    };
  }
}

function reactNativeOf(phone: Phone, { answer = 'granted', version = 35 } = {}): object {
  return {
    'react-native': {
      Platform: { OS: 'android', Version: version },
      PermissionsAndroid: {
        PERMISSIONS: { POST_NOTIFICATIONS: 'android.permission.POST_NOTIFICATIONS' },
        RESULTS: { GRANTED: 'granted', DENIED: 'denied', NEVER_ASK_AGAIN: 'never_ask_again' },
        request: (permission: string) => Promise.resolve(phone.ask(permission, answer)),
      },
      AppState: {
        addEventListener: (_type: string, listener: (state: never) => void) => ({
          remove: phone.listen('state', listener),
        }),
      },
    },
    '@react-native-async-storage/async-storage': { __esModule: true, default: phone.storage },
    '@react-native-firebase/messaging': {
      AuthorizationStatus: { NOT_DETERMINED: -1, DENIED: 0, AUTHORIZED: 1 },
      getMessaging: () => ({}),
      // On Android it asks nobody.
      requestPermission: () => Promise.resolve(1),
      getToken: () => Promise.resolve('token-of-react-native-00000001'),
      onTokenRefresh: (_messaging: object, listener: (token: never) => void) => phone.listen('token', listener),
      onNotificationOpenedApp: (_messaging: object, listener: (message: never) => void) =>
        phone.listen('opened', listener),
      getInitialNotification: () => Promise.resolve(null),
    },
  };
}

function capacitorOf(phone: Phone): object {
  const addListener = (name: string, listener: (what: never) => void): Promise<object> => {
    const stop = phone.listen(name, listener);
    return Promise.resolve({ remove: () => Promise.resolve().then(stop) });
  };
  return {
    '@capacitor/core': { Capacitor: { getPlatform: () => 'ios' } },
    '@capacitor/app': { App: { addListener } },
    '@capacitor/preferences': {
      Preferences: {
        get: ({ key }: { key: string }) => Promise.resolve({ value: phone.stored.get(key) ?? null }),
        set: ({ key, value }: { key: string; value: string }) => Promise.resolve(void phone.stored.set(key, value)),
        remove: ({ key }: { key: string }) => Promise.resolve(void phone.stored.delete(key)),
      },
    },
    '@capacitor/push-notifications': {
      PushNotifications: {
        addListener,
        requestPermissions: () => Promise.resolve({ receive: 'granted' }),
        register: () => Promise.resolve().then(() => phone.happens('registration', { value: 'AB'.repeat(32) })),
      },
    },
  };
}

function addressOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Passes a request on to the gateway, and its answer back. */
async function passOn(request: IncomingMessage, response: ServerResponse, gatewayUrl: string): Promise<void> {
  const passed = sendTo(new URL(request.url ?? '/', gatewayUrl), { method: request.method, headers: request.headers });
  request.pipe(passed);
  const [answer] = (await once(passed, 'response')) as [IncomingMessage];
  response.writeHead(answer.statusCode ?? 502, answer.headers);
  answer.pipe(response);
}

/** The client where there is no browser: React Native and Capacitor. */
export function clientInReactNativeScenario(system: () => Postrider): void {
  let postrider: Postrider;
  let project: UserProject;
  let app: Awaited<ReturnType<Postrider['createApplication']>>;

  beforeAll(async () => {
    postrider = system();
    app = await postrider.createApplication('shop-in-react-native');
    project = await makeUserProject(['libs/client'], ['mqtt', 'typescript-native', 'vite']);
    await writeFile(join(project.folder, 'bundle.mjs'), BUNDLE);
    for (const [name, modules] of Object.entries(MODULES)) {
      await cp(join(EXAMPLES, `example-${name}`), join(project.folder, name), { recursive: true });
      await project.node(['bundle.mjs', name, ...modules]);
    }
  });
  afterAll(async () => {
    if (project) await rm(project.folder, { recursive: true, force: true });
  });

  async function start(
    name: keyof typeof MODULES,
    native: object,
    url = postrider.system.gatewayUrl,
  ): Promise<Started> {
    const runtime = reactNativeRuntime(native);
    runtime.run(await readFile(join(project.folder, name, 'bundle/push.js'), 'utf8'));
    const { startPush } = runtime.run('example') as { startPush: (options: object) => Promise<Started> };
    return startPush({
      url,
      connectionUrl: postrider.system.mqtt?.webSocketUrl,
      appId: 'shop-in-react-native',
      token: app.clientToken,
    });
  }

  const installation = (id: string): Promise<Record<string, unknown> | null> =>
    app.server.find<Record<string, unknown>>(`/api/installations/${id}`);
  const send = async (user: string, content: string): Promise<string> =>
    (await app.server.call('POST', '/api/push/toUsers', { user, content })).headers.get('x-message-id') ?? '';
  const untilTotals = (id: string, state: string): Promise<unknown> =>
    until(async () => {
      const message = await app.server.find<{ totals: Record<string, number> }>(`/api/push/messages/${id}`);
      return message?.totals[state] === 1;
    });

  it.each(['document', 'location', 'localStorage', 'indexedDB', 'crypto', 'TextDecoder', 'structuredClone', 'Buffer'])(
    'is tested where %s is not',
    (name) => {
      expect(() => reactNativeRuntime({}).run(name)).toThrow(`${name} is not defined`);
    },
  );

  it('registers the token of FCM, receives while the application is open, and reports what was tapped', async () => {
    const phone = new Phone();
    const { client, stop } = await start('react-native', reactNativeOf(phone));
    const id = (await client.identity())?.installationId ?? '';
    expect(await installation(id)).toMatchObject({
      deviceType: 'android',
      pushType: 'fcm',
      deviceToken: 'token-of-react-native-00000001',
      tokenStatus: 'ALLOWED',
    });
    const received: { content: string }[] = [];
    client.on('message', (message) => received.push(message));
    const connected = new Promise<void>((done) => client.on('connected', () => done()));
    await client.signIn('ada');
    await connected;
    const sent = await send('ada', 'سلام, “world” 🌍');
    await until(() => Promise.resolve(received.length > 0));
    expect(received.map(({ content }) => content)).toEqual(['سلام, “world” 🌍']);
    await untilTotals(sent, 'delivered');
    expect((await client.inbox.read()).messages[0]?.content).toBe('سلام, “world” 🌍');

    phone.happens('opened', { data: { mid: sent } });
    await untilTotals(sent, 'opened');
    phone.happens('token', 'token-of-react-native-00000002');
    await until(async () => (await installation(id))?.deviceToken === 'token-of-react-native-00000002');

    const gone = new Promise<void>((done) => client.on('disconnected', () => done()));
    phone.happens('state', 'background');
    await gone;
    const back = new Promise<void>((done) => client.on('connected', () => done()));
    phone.happens('state', 'active');
    await back;
    await stop();
    expect(phone.isListenedTo('state')).toBe(false);

    // The next start is the same device.
    const again = await start('react-native', reactNativeOf(phone));
    expect((await again.client.identity())?.installationId).toBe(id);
    await again.stop();
  });

  it('asks the person on Android 13, and registers no token without the permission', async () => {
    const phone = new Phone();
    const { client, stop } = await start('react-native', reactNativeOf(phone, { answer: 'denied' }));
    expect(phone.asked).toEqual(['android.permission.POST_NOTIFICATIONS']);
    // Firebase gives tokens all the same.
    phone.happens('token', 'token-of-react-native-00000002');
    await client.signIn('cleo');
    const id = (await client.identity())?.installationId ?? '';
    expect(await installation(id)).toMatchObject({ userId: 'cleo', tokenStatus: 'DENIED' });
    expect((await installation(id))?.deviceToken ?? null).toBeNull();
    await stop();
  });

  it('does not ask on Android 12, which has no such permission', async () => {
    const phone = new Phone();
    const { client, stop } = await start('react-native', reactNativeOf(phone, { version: 32, answer: 'denied' }));
    expect(phone.asked).toEqual([]);
    const id = (await client.identity())?.installationId ?? '';
    expect(await installation(id)).toMatchObject({ deviceToken: 'token-of-react-native-00000001' });
    await stop();
  });

  it.each([
    ['react-native', reactNativeOf, 'token-of-react-native-00000001'],
    ['capacitor', capacitorOf, 'AB'.repeat(32)],
  ] as const)('%s: a start without a network is made good when the service answers', async (name, nativeOf, token) => {
    let isOnline = false;
    const proxy = createServer((request, response) => {
      if (!isOnline) request.destroy();
      else void passOn(request, response, postrider.system.gatewayUrl);
    }).listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const { client, stop } = await start(name, nativeOf(new Phone()), addressOf(proxy));
    expect(await client.identity()).toBeNull();
    isOnline = true;
    client.wake();
    await until(async () => {
      const id = (await client.identity())?.installationId;
      return id !== undefined && (await installation(id))?.deviceToken === token;
    });
    await stop();
    proxy.closeAllConnections();
    proxy.close();
  });

  it('registers the token of APNs in Capacitor, and reports what was tapped', async () => {
    const phone = new Phone();
    const { client, stop } = await start('capacitor', capacitorOf(phone));
    const id = (await client.identity())?.installationId ?? '';
    await until(async () => (await installation(id))?.deviceToken === 'AB'.repeat(32));
    expect(await installation(id)).toMatchObject({ deviceType: 'ios', pushType: 'apns' });
    const connected = new Promise<void>((done) => client.on('connected', () => done()));
    await client.signIn('bea');
    await connected;
    const sent = await send('bea', 'hello');
    await untilTotals(sent, 'delivered');
    phone.happens('pushNotificationActionPerformed', { actionId: 'tap', notification: { data: { mid: sent } } });
    await untilTotals(sent, 'opened');
    await stop();
  });

  it.each(Object.keys(MODULES))('the example for %s has types', async (name) => {
    const library = name === 'capacitor' ? 'es2022,dom,dom.iterable' : 'es2022';
    const how = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--target', 'es2022', '--typeRoots', name];
    const modules = ['--module', 'esnext', '--moduleResolution', 'bundler', '--lib', library];
    const files = ['push.ts', 'native-modules.d.ts', ...(name === 'capacitor' ? ['main.ts'] : [])];
    const paths = files.map((file) => join(name, file));
    expect(await project.node([compilerOf('typescript-native'), ...how, ...modules, ...paths])).toBe('');
  });
}
