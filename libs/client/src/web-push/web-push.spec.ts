import type { BusEvent } from '../events/bus';
import type { JsonObject } from '../json';
import { type ClientMessage, readMessage } from '../messages/client-message';
import { SeenMessages } from '../messages/message-receiver';
import { Outbox } from '../reports/outbox';
import { Receipts } from '../reports/reports';
import { testDevice } from '../testing/test-device';
import { bytesOf, WebPush } from './subscribe';
import type {
  PageGlobals,
  PushManager,
  PushSubscription,
  ServiceWorkerScript,
  WorkerRegistration,
  WorkerScope,
} from './browser';
import { NotificationWorker } from './notification-worker';
import { Notifications, safeLink } from './notifications';

const KEY = Buffer.from([4, ...Array<number>(64).fill(7)]).toString('base64url');
const SCOPE = 'https://shop.example/';

describe('a link in a notification', () => {
  it.each([
    ['https://shop.example/cart', 'https://shop.example/cart'],
    ['/cart?id=7', 'https://shop.example/cart?id=7'],
    ['javascript:alert(1)', null],
    [' java\nscript:alert(1)', null],
    ['data:text/html,x', null],
    ['shop://cart', null],
    ['http://[', null],
  ])('%j is opened as %j', (link, expected) => {
    expect(safeLink(link, SCOPE)).toBe(expected);
  });
});

/** The script of a worker that is being installed. `change` tells who listens that its state is another. */
function installingScript(): {
  script: ServiceWorkerScript & { state: string };
  isWatched: Promise<void>;
  change: () => void;
} {
  let look = (): void => undefined;
  let watched = (): void => undefined;
  const isWatched = new Promise<void>((done) => (watched = done));
  const script = {
    state: 'installing',
    addEventListener: (_: string, listener: () => void) => {
      look = listener;
      watched();
    },
  };
  return { script, isWatched, change: () => look() };
}

describe('subscribing to web push', () => {
  const subscriptionTo = (key: string): PushSubscription & { isGone: boolean } => {
    const subscription = {
      isGone: false,
      options: { applicationServerKey: bytesOf(key).buffer as ArrayBuffer },
      toJSON: () => ({ endpoint: 'https://push.vendor/1', keys: { p256dh: 'p', auth: 'a' } }),
      unsubscribe: () => Promise.resolve((subscription.isGone = true)),
    };
    return subscription;
  };
  const start = (
    permission: 'granted' | 'denied',
    manager: Partial<PushManager>,
  ): ReturnType<typeof testDevice> & {
    webPush: WebPush;
    registration: WorkerRegistration;
    token: () => JsonObject | undefined;
  } => {
    const device = testDevice();
    const registration = {
      scope: SCOPE,
      pushManager: { getSubscription: () => Promise.resolve(null), ...manager } as PushManager,
      showNotification: () => Promise.resolve(),
    };
    const globals: PageGlobals = {
      navigator: {
        serviceWorker: {
          register: () => Promise.resolve(registration),
          getRegistration: () => Promise.resolve(registration),
        },
      },
      Notification: { permission, requestPermission: () => Promise.resolve(permission) },
    };
    return {
      ...device,
      webPush: new WebPush(device.registrar, globals),
      registration,
      token: () => device.service.calls.at(-1)?.body,
    };
  };
  const options = { vapidPublicKey: KEY, serviceWorker: '/sw.js' };

  it('registers the subscription as the device’s token', async () => {
    const { webPush, token } = start('granted', { subscribe: () => Promise.resolve(subscriptionTo(KEY)) });
    expect(await webPush.enable(options)).toBe('enabled');
    expect(token()).toMatchObject({ tokenStatus: 'ALLOWED' });
    expect(JSON.parse(token()?.deviceToken as string)).toMatchObject({ endpoint: 'https://push.vendor/1' });
  });

  it.each(['activated', 'redundant'])('waits for a worker that is not installed yet, until it is %s', async (end) => {
    const subscribed: string[] = [];
    const { script, isWatched, change } = installingScript();
    const { webPush, registration } = start('granted', {
      subscribe: () => Promise.resolve((subscribed.push(script.state), subscriptionTo(KEY))),
    });
    Object.assign(registration, { installing: script });
    const outcome = webPush.enable(options);
    await isWatched;
    for (const state of ['installed', end]) {
      script.state = state;
      if (state === 'activated') Object.assign(registration, { installing: null, active: script });
      change();
    }
    expect(await outcome).toBe('enabled');
    expect(subscribed).toEqual([end]);
  });

  it('keeps a subscription that fits, and replaces one of another key', async () => {
    const other = subscriptionTo(Buffer.from([4, ...Array<number>(64).fill(9)]).toString('base64url'));
    const made: unknown[] = [];
    const subscribe: PushManager['subscribe'] = (asked) => {
      made.push(asked);
      return Promise.resolve(subscriptionTo(KEY));
    };
    await start('granted', { getSubscription: () => Promise.resolve(subscriptionTo(KEY)), subscribe }).webPush.enable(
      options,
    );
    expect(made).toEqual([]);
    await start('granted', { getSubscription: () => Promise.resolve(other), subscribe }).webPush.enable(options);
    expect(made).toEqual([{ userVisibleOnly: true, applicationServerKey: bytesOf(KEY).buffer }]);
    expect(other.isGone).toBe(true);
  });

  it('tells the service why there is none', async () => {
    const denied = start('denied', {});
    expect(await denied.webPush.enable(options)).toBe('denied');
    expect(denied.token()).toMatchObject({ tokenStatus: 'DENIED' });
    const broken = start('granted', { subscribe: () => Promise.reject(new Error('AbortError')) });
    await expect(broken.webPush.enable(options)).rejects.toMatchObject({ code: 'PUSH_SERVICE' });
    expect(broken.token()).toMatchObject({ tokenStatus: 'ERR' });
    await expect(broken.webPush.enable({ ...options, vapidPublicKey: 'abc' })).rejects.toThrow(TypeError);
  });
});

describe('a page', () => {
  it('shows a notification of its first seconds once the worker is active', async () => {
    const message = readMessage('{"id":"m-1","notification":{"title":"Tea?"}}');
    const { script, isWatched, change } = installingScript();
    const happened: string[] = [];
    const registration = {
      scope: SCOPE,
      installing: script,
      active: null as object | null,
      showNotification: (title: string) => Promise.resolve(void happened.push(title)),
    };
    const globals = {
      navigator: { serviceWorker: { getRegistration: () => Promise.resolve(registration) } },
      Notification: { permission: 'granted' },
    } as unknown as PageGlobals;
    const seen = new SeenMessages(testDevice().storage, 'shop', 'shown');
    const shown = new Notifications(seen, {} as never, globals).show(message as ClientMessage);
    await isWatched;
    happened.push('active');
    registration.active = script;
    change();
    expect(await shown).toBe(true);
    expect(happened).toEqual(['active', 'Tea?']);
  });

  it('shows a notification, and says so, where nothing can be stored or read', async () => {
    const message = readMessage('{"id":"m-1","notification":{"title":"Tea?","notifDelivery":true}}') as ClientMessage;
    const titles: string[] = [];
    const registration = {
      scope: SCOPE,
      showNotification: (title: string) => Promise.resolve(void titles.push(title)),
    };
    const globals = {
      navigator: { serviceWorker: { getRegistration: () => Promise.resolve(registration) } },
      Notification: { permission: 'granted' },
    } as unknown as PageGlobals;
    const device = testDevice();
    await device.registrar.register({ userId: 'ada' });
    const outbox = new Outbox(device.service.api(), device.registrar, device.storage, 'shop');
    const receipts = new Receipts(device.registrar, outbox);
    const page = new Notifications(new SeenMessages(device.storage, 'shop', 'shown'), receipts, globals);
    const full = (): Promise<never> => Promise.reject(new Error('QuotaExceededError'));
    jest.spyOn(device.storage, 'update').mockImplementation(full);
    expect(await page.show(message)).toBe(true);
    jest.spyOn(device.storage, 'read').mockImplementation(full);
    expect(await page.show(message)).toBe(true);
    expect(titles).toEqual(['Tea?', 'Tea?']);
    outbox.close();
  });
});

describe('the service worker', () => {
  async function start(windows: string[] = []): Promise<{
    worker: NotificationWorker;
    shown: [string, Record<string, unknown>][];
    opened: string[];
    said: BusEvent[];
    device: ReturnType<typeof testDevice>;
  }> {
    const device = testDevice();
    await device.registrar.register({ userId: 'ada' });
    const shown: [string, Record<string, unknown>][] = [];
    const opened: string[] = [];
    const said: BusEvent[] = [];
    const client = (url: string) => ({
      url,
      focus: () => Promise.resolve({ url: (opened.push(`focus ${url}`), url) } as never),
    });
    const scope: Pick<WorkerScope, 'registration' | 'clients'> = {
      registration: {
        scope: SCOPE,
        showNotification: (title, options) =>
          Promise.resolve(void shown.push([title, options as Record<string, unknown>])),
      },
      clients: {
        matchAll: () => Promise.resolve(windows.map(client)),
        openWindow: (url) => Promise.resolve(opened.push(url)),
      },
    };
    const bus = { post: (event: BusEvent) => void said.push(event), listen: () => undefined, close: () => undefined };
    const outbox = new Outbox(device.service.api(), device.registrar, device.storage, 'shop');
    const seen = new SeenMessages(device.storage, 'shop', 'shown');
    const worker = new NotificationWorker({ scope, bus, shown: seen, registrar: device.registrar, outbox });
    return { worker, shown, opened, said, device };
  }
  const PAYLOAD = {
    messageId: 'm',
    trackId: 't',
    title: '<b>T</b>',
    body: '<script>',
    icon: 'ic_bag',
    image: 'https://cdn.example/i.png',
    clickUrl: 'https://shop.example/sale',
    actions: [{ action: 'evil', title: 'E', url: 'javascript:alert(1)' }],
    vibrate: [1, 2],
    extra: { lang: 'fa', icon: 'https://evil.example/x.png' },
    renotify: true,
    notifDelivery: true,
  };

  it('shows a push once, with its texts as they are, and reports it', async () => {
    const { worker, shown, said, device } = await start();
    await worker.push(JSON.stringify(PAYLOAD));
    await worker.push(JSON.stringify(PAYLOAD));
    expect(shown).toHaveLength(1);
    expect(shown[0]?.[0]).toBe('<b>T</b>');
    expect(shown[0]?.[1]).toMatchObject({
      body: '<script>',
      tag: 'm',
      image: PAYLOAD.image,
      vibrate: [1, 2],
      renotify: true,
      lang: 'fa',
    });
    expect(shown[0]?.[1]).not.toHaveProperty('icon');
    expect(said[0]).toMatchObject({ kind: 'message', via: 'push', message: { id: 'm' } });
    expect(device.service.events).toMatchObject([
      { type: 1, actionType: 'DELIVERED', msgId: 'm', trackId: 't' },
      { type: 1, actionType: 'SHOWN', msgId: 'm', trackId: 't' },
      { type: 1, actionType: 'DELIVERED', msgId: 'm', trackId: 't' },
    ]);
    await worker.push('no message');
    await worker.push(JSON.stringify({ messageId: 's', silent: true, content: 'c' }));
    expect(shown).toHaveLength(1);
  });

  it('shows a push, and opens where its click leads, where nothing can be stored or read', async () => {
    const { worker, shown, opened, said, device } = await start();
    const full = (): Promise<never> => Promise.reject(new Error('QuotaExceededError'));
    jest.spyOn(device.storage, 'update').mockImplementation(full);
    await worker.push(JSON.stringify(PAYLOAD));
    jest.spyOn(device.storage, 'read').mockImplementation(full);
    await worker.push(JSON.stringify({ ...PAYLOAD, messageId: 'n' }));
    expect(shown.map(([, options]) => options.tag)).toEqual(['m', 'n']);
    expect(said.filter(({ kind }) => kind === 'message')).toHaveLength(2);
    await worker.click(shown[0]?.[1].data, '');
    expect(opened).toEqual(['https://shop.example/sale']);
  });

  it('opens where a click leads, or brings the window to the front that shows it already', async () => {
    for (const [windows, expected] of [
      [[], 'https://shop.example/sale'],
      [['https://shop.example/sale'], 'focus https://shop.example/sale'],
    ] as const) {
      const { worker, shown, opened, device } = await start([...windows]);
      await worker.push(JSON.stringify(PAYLOAD));
      await worker.click(shown[0]?.[1].data, '');
      expect(opened).toEqual([expected]);
      expect(device.service.events.at(-1)).toMatchObject({ actionType: 'OPENED', msgId: 'm' });
    }
  });

  it('never opens a link that would run, and reports the button all the same', async () => {
    const { worker, shown, opened, device } = await start();
    await worker.push(JSON.stringify(PAYLOAD));
    await worker.click(shown[0]?.[1].data, 'evil');
    expect(opened).toEqual([SCOPE]);
    expect(device.service.events.at(-1)).toMatchObject({ actionType: 'ACTION_TAKEN', actionId: 'evil' });
  });

  it('opens the link of the notification for a button without one, whatever the button is called', async () => {
    const { worker, shown, opened, said, device } = await start();
    await worker.push(JSON.stringify({ ...PAYLOAD, actions: [{ action: 'constructor', title: 'C' }] }));
    await worker.click(shown[0]?.[1].data, 'constructor');
    expect(opened).toEqual([PAYLOAD.clickUrl]);
    expect(said.at(-1)).toMatchObject({ event: { actionId: 'constructor', link: PAYLOAD.clickUrl } });
    expect(device.service.events.at(-1)).toMatchObject({ actionType: 'ACTION_TAKEN', actionId: 'constructor' });
  });

  it('keeps what it cannot report', async () => {
    const { worker, shown, device } = await start();
    await worker.push(JSON.stringify(PAYLOAD));
    device.service.failures.push(503);
    await worker.close(shown[0]?.[1].data);
    expect(device.service.events.map(({ actionType }) => actionType)).not.toContain('DISMISSED');
    await worker.sync();
    expect(device.service.events.at(-1)).toMatchObject({ actionType: 'DISMISSED' });
  });
});
