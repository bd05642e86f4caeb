import { until } from '@postrider/testing';
import type { Api } from '@postrider/tools/start/api';
import type { Browser } from 'playwright-core';
import type { Postrider } from '../support/postrider';
import { ClientPage } from './client-page';
import { type PublishedClientStage, SHOP } from './published-client-stage';

/** An application that uses the published web client, unchanged. */
export function applicationScenario(stage: () => PublishedClientStage): void {
  let postrider: Postrider;
  let browser: Browser;
  let server: Api;
  let client: ClientPage;
  let deviceId: string;

  beforeAll(async () => {
    ({ postrider } = stage());
    const application = await postrider.createApplication('shop', { clientTags: 'any' });
    server = application.server;
    const { gatewayPort, brokerPort } = stage();
    browser = await stage().launch(gatewayPort, brokerPort);
    const page = await browser.newPage({ ignoreHTTPSErrors: true });
    page.setDefaultTimeout(280_000);
    client = new ClientPage(page);
    await page.goto(`https://${SHOP}/`);
    await client.start('shop', application.clientToken);
    await client.untilSeen('registered');
    await client.call('login', 'ada');
    await until(async () => {
      deviceId = await client.installationId();
      return (await server.find<{ userId: string }>(`/api/installations/${deviceId}`))?.userId === 'ada';
    });
    await untilOnline();
  });

  afterAll(() => browser?.close());

  /** Waits until the client's connection is open: it has signed in, or come back. */
  const untilOnline = (): Promise<unknown> =>
    until(async () => {
      await client.signInIfLeftBehind('ada');
      return (await server.find<{ online: boolean }>(`/api/installations/${deviceId}/presence`))?.online;
    });

  it('registers a guest, signs a user in, connects and subscribes', async () => {
    const device = await server.find<{ userId: string; deviceType: string }>(`/api/installations/${deviceId}`);
    expect(device).toMatchObject({ userId: 'ada', deviceType: 'web' });
    await untilOnline();
  });

  it('receives personal, private and public messages with their fields, each once', async () => {
    await client.call('subscribe', 'private/alerts');
    await client.call('subscribe', 'sport');
    await until(async () => {
      const { channels } = (await server.call<{ channels: { channel: string }[] }>('GET', '/api/channels')).body;
      return ['private/alerts', 'public/sport'].every((name) => channels.some(({ channel }) => channel === name));
    });
    const notification = {
      title: 'سلام',
      body: 'Hello',
      clickUrl: 'shop://cart?id=7',
      actions: [{ id: 'buy', title: 'Buy' }],
    };
    const before = (await client.received()).length;
    await server.call('POST', '/api/push/toUsers', {
      user: 'ada',
      content: 'one',
      trackId: 't1',
      data: { a: [1] },
      notification,
    });
    await server.call('POST', '/api/push/toUsers', { user: 'ada', channel: '/private/alerts', content: 'two' });
    await server.call('POST', '/api/push/toUsers', { user: '*', channel: 'sport', content: 'three' });
    await server.call('POST', '/api/push/toUsers', { user: '*', content: 'four' });
    const received = (await client.untilReceived(before + 4)).slice(before);
    expect(received.map(({ content }) => content).sort()).toEqual(['four', 'one', 'three', 'two']);
    const first = received.find(({ content }) => content === 'one');
    expect(first).toMatchObject({ trackId: 't1', data: { a: [1] } });
    expect(first?.notification).toMatchObject({ title: 'سلام', clickUrl: 'shop://cart?id=7' });
    await until(async () => {
      const { body } = await server.call<{ deliveries: { state: string }[] }>(
        'GET',
        `/api/push/messages/${first?.id}/deliveries`,
      );
      return body.deliveries[0]?.state === 'delivered';
    });
  });

  it('reports what was shown and opened, and what the user did', async () => {
    const before = (await client.received()).length;
    const { headers } = await server.call('POST', '/api/push/toUsers', {
      user: 'ada',
      content: 'look',
      trackId: 'look',
    });
    const id = headers.get('x-message-id') ?? '';
    await client.untilReceived(before + 1);
    for (const actionType of ['SHOWN', 'OPENED']) {
      await server.call('POST', '/api/installations/events', {
        userId: 'ada',
        installationId: deviceId,
        deviceType: 'web',
        createdAt: Date.now(),
        eventData: [{ type: 1, actionType, msgId: id, trackId: 'look', actionTs: Date.now() }],
      });
    }
    await until(
      async () => (await server.find<{ totals: { opened: number } }>(`/api/push/messages/${id}`))?.totals.opened === 1,
    );
    await client.call('track', 'purchase', { data: { revenue: 12 } });
    await client.call('setUserAttributes', { city: 'Shiraz' });
    await until(async () => {
      const found = await server.find<{ userInfo: Record<string, unknown> }>(`/api/installations/${deviceId}`);
      return found?.userInfo['purchase.count'] === 1 && found.userInfo.city === 'Shiraz';
    });
    await client.call('addTag', 'vip');
    await until(async () => (await server.call<string[]>('GET', '/api/installations/tags/ada')).body.includes('vip'));
  });

  it('survives a killed edge: it comes back, and what was sent meanwhile arrives once', async () => {
    const before = (await client.received()).length;
    postrider.system.kill('device-edge');
    for (const content of ['while away 1', 'while away 2'])
      await server.call('POST', '/api/push/toUsers', { user: 'ada', content });
    await client.untilReceived(before + 2);
    await server.call('POST', '/api/push/toUsers', { user: 'ada', content: 'afterwards' });
    const received = (await client.untilReceived(before + 3)).slice(before);
    expect(received.map(({ content }) => content)).toEqual(['while away 1', 'while away 2', 'afterwards']);
  });
}
