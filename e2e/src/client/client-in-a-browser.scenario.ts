import { createRenderer } from '@postrider/rendering';
import type { Api } from '@postrider/tools/start/api';
import { type Browser, type BrowserContext, type CDPSession, chromium as driver } from 'playwright-core';
import { until } from '@postrider/testing';
import type { Postrider } from '../support/postrider';
import { ExamplePage, type ExampleSite, startExample } from './example-page';

interface Message {
  totals: Record<string, number>;
}

/** The example page of the client. @param executablePath of Chromium */
export function clientInABrowserScenario(system: () => Postrider, executablePath: string): void {
  let postrider: Postrider;
  let site: ExampleSite;
  let browser: Browser;
  let server: Api;
  let fields: Record<string, string>;

  beforeAll(async () => {
    postrider = system();
    site = await startExample();
    const application = await postrider.createApplication('shop-in-a-browser');
    server = application.server;
    fields = {
      url: postrider.system.gatewayUrl,
      connectionUrl: postrider.system.mqtt?.webSocketUrl ?? '',
      appId: 'shop-in-a-browser',
      token: application.clientToken,
    };
    browser = await driver.launch({ executablePath, args: ['--no-sandbox'] });
  });

  afterAll(async () => {
    await browser?.close();
    await site?.close();
  });

  /** Opens the page in a browser that has never seen it, as this user. */
  const visit = async (user: string): Promise<{ context: BrowserContext; shop: ExamplePage; id: string }> => {
    const context = await browser.newContext();
    context.setDefaultTimeout(280_000);
    await context.grantPermissions(['notifications'], { origin: site.url });
    const shop = new ExamplePage(await context.newPage());
    return { context, shop, id: await shop.connect(site.url, { ...fields, user }) };
  };
  const send = async (body: object): Promise<string> => {
    const { headers } = await server.call('POST', '/api/push/toUsers', body);
    return headers.get('x-message-id') ?? '';
  };
  const untilCounted = (id: string, state: string): Promise<unknown> =>
    until(async () => (await server.find<Message>(`/api/push/messages/${id}`))?.totals[state] === 1);

  it('registers, connects, and is seen to be there', async () => {
    const { context, id } = await visit('ada');
    const device = await server.find(`/api/installations/${id}`);
    expect(device).toMatchObject({ userId: 'ada', deviceType: 'web', launchCount: 1, isGuest: false });
    await until(async () => (await server.find<{ online: boolean }>(`/api/installations/${id}/presence`))?.online);
    await context.close();
  });

  it('shows a message as text and as a notification, and the service knows', async () => {
    const { context, shop } = await visit('dana');
    const body = '<img src=x onerror="document.title=1"> سلام';
    const id = await send({ user: 'dana', content: 'c', notification: { title: '<b>Sale</b>', body } });
    expect(await shop.untilMessages(1)).toEqual([body]);
    expect(await shop.page.locator('#messages img').count()).toBe(0);
    await shop.untilLogged(`shown ${id}`);
    expect(await shop.notifications()).toEqual([{ title: '<b>Sale</b>', body, tag: id }]);
    await untilCounted(id, 'shown');
    await shop.open(id);
    await untilCounted(id, 'opened');
    await context.close();
  });

  it('comes back after the edge was killed, and what was sent meanwhile arrives once', async () => {
    const { context, shop } = await visit('ed');
    postrider.system.kill('device-edge');
    for (const content of ['while away 1', 'while away 2']) await send({ user: 'ed', content, useAsAlert: true });
    await shop.untilMessages(2);
    const id = await send({ user: 'ed', content: 'afterwards', useAsAlert: true });
    expect(await shop.untilMessages(3)).toEqual(['while away 1', 'while away 2', 'afterwards']);
    await untilCounted(id, 'shown');
    await context.close();
  });

  it('opens in a second tab without throwing the first one out', async () => {
    const { context, shop } = await visit('fay');
    const second = new ExamplePage(await context.newPage());
    await second.page.goto(`${site.url}/?${new URLSearchParams({ ...fields, user: 'fay' }).toString()}`);
    await second.page.getByRole('button', { name: 'Connect' }).click();
    await second.page.locator('#identity', { hasText: '-' }).waitFor();
    await send({ user: 'fay', content: 'to both', useAsAlert: true });
    expect(await shop.untilMessages(1)).toEqual(['to both']);
    expect(await second.untilMessages(1)).toEqual(['to both']);
    await shop.untilConnected();
    await shop.page.close();
    // The tab that is left takes the connection over.
    await second.untilConnected();
    const id = await send({ user: 'fay', content: 'to who is left', useAsAlert: true });
    expect(await second.untilMessages(2)).toEqual(['to both', 'to who is left']);
    await untilCounted(id, 'shown');
    await context.close();
  });

  it('shows a person nothing of who signed in before, and nobody is signed in without a name', async () => {
    const { context, shop: shared, id } = await visit('bo');
    await send({ user: 'bo', content: 'for Bo alone', useAsAlert: true });
    expect(await shared.untilMessages(1)).toEqual(['for Bo alone']);
    const become = async (user: string): Promise<void> => {
      await shared.page.getByLabel('User').fill(user);
      await shared.page.getByRole('button', { name: 'Connect' }).click();
    };
    await become('cy');
    await shared.page.getByRole('status').filter({ hasText: 'Connected as cy' }).waitFor();
    await send({ user: 'cy', content: 'for Cy alone', useAsAlert: true });
    await shared.page.locator('#messages li', { hasText: 'for Cy alone' }).waitFor();
    expect(await shared.untilMessages(1)).toEqual(['for Cy alone']);
    await become('');
    await until(async () => (await server.find<{ isGuest: boolean }>(`/api/installations/${id}`))?.isGuest);
    await shared.page.locator('#messages:empty').waitFor({ state: 'attached' });
    await context.close();
  });

  describe('its service worker', () => {
    let context: BrowserContext;
    let shop: ExamplePage;
    let devTools: CDPSession;
    let registrationId: string;

    beforeAll(async () => {
      ({ context, shop } = await visit('gil'));
      devTools = await context.newCDPSession(shop.page);
      const known = new Promise<string>((found) => {
        devTools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
          const own = registrations.find(({ scopeURL }) => scopeURL.startsWith(site.url));
          if (own) found(own.registrationId);
        });
      });
      await devTools.send('ServiceWorker.enable');
      registrationId = await known;
    });

    /** Returns the message that a push service would hand to the browser, deciphered. */
    const push = async (id: string, notification: object, silent = false): Promise<void> => {
      const content = { notification, silent, useAsAlert: false, inApp: false, live: false, autoNotify: false };
      const now = Date.now();
      const message = { id, channel: 'public/default', acceptedAt: new Date(now), expiresAt: new Date(now + 60_000) };
      const application = { name: 'Shop', defaultAlertText: 'New message' };
      const renderer = createRenderer({ ...message, content } as Parameters<typeof createRenderer>[0], application);
      const { body } = renderer.payloadFor('webpush', { deviceType: 'web' }) as { body: object };
      const data = JSON.stringify(body);
      await devTools.send('ServiceWorker.deliverPushMessage', { origin: site.url, registrationId, data });
    };
    /** Clicks on a notification; Chromium without a screen has no other way. */
    const click = async (tag: string, event: string, action = ''): Promise<void> => {
      const worker = context.serviceWorkers().find((one) => one.url().startsWith(site.url));
      await worker?.evaluate(
        async ([wanted, name, button]) => {
          const scope = globalThis as unknown as {
            registration: { getNotifications(): Promise<{ tag: string }[]> };
            NotificationEvent: new (kind: string, facts: object) => object;
            dispatchEvent(what: object): void;
          };
          const notification = (await scope.registration.getNotifications()).find((shown) => shown.tag === wanted);
          scope.dispatchEvent(new scope.NotificationEvent(name, { notification, action: button }));
        },
        [tag, event, action] as const,
      );
    };
    const notify = (fields_: object): Promise<string> => send({ user: 'gil', inApp: true, ...fields_ });

    it('shows what web push brings, hands it to the open page, and reports it, each once', async () => {
      const id = await notify({ content: 'over both ways', notification: { title: 'Both', body: 'Ways' } });
      await shop.untilLogged(`shown ${id}`);
      const before = (await shop.untilMessages(1)).length;
      await push(id, { title: 'Both', body: 'Ways' });
      const [other, silent] = ['0198f2aa-0000-7000-8000-000000000001', '0198f2aa-0000-7000-8000-000000000002'];
      await push(silent, { title: 'Nothing to see' }, true);
      await push(other, { title: 'Push', body: 'alone', clickUrl: 'javascript:alert(1)' });
      const lines = await shop.untilMessages(before + 2);
      expect(lines.slice(before - 1)).toEqual(['Ways', '', 'alone']);
      const shown = await until(async () => {
        const all = await shop.notifications();
        return all.some(({ tag }) => tag === other) ? all : null;
      });
      expect(shown.filter(({ title }) => title === 'Both')).toHaveLength(1);
      expect(shown.map(({ tag }) => tag)).not.toContain(silent);
    });

    it('reports clicks on a notification, its buttons, and that it was wiped away', async () => {
      const actions = [{ id: 'buy', title: 'Buy', url: 'https://shop.example/buy' }];
      const opened = await notify({ content: 'o', notification: { title: 'Open me', body: 'b1', actions } });
      const acted = await notify({ content: 'a', notification: { title: 'Press me', body: 'b2', actions } });
      const wiped = await notify({ content: 'w', notification: { title: 'Wipe me', body: 'b3', actions } });
      for (const id of [opened, acted, wiped]) await shop.untilLogged(`shown ${id}`);
      await click(opened, 'notificationclick');
      await click(acted, 'notificationclick', 'buy');
      await click(wiped, 'notificationclose');
      await untilCounted(opened, 'opened');
      await untilCounted(wiped, 'dismissed');
      await until(async () => {
        const stats = await server.find<{ totals: { actions: number } }>(`/api/push/messages/${acted}/stats`);
        return stats?.totals.actions === 1;
      });
      await shop.untilLogged(`notification action ${acted}`);
    });
  });
}
