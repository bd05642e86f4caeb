import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { throwAwayCertificate, until } from '@postrider/testing';
import type { Api } from '@postrider/tools/start/api';
import { type Browser, chromium as driver } from 'playwright-core';
import { findHeadlessShell } from '@postrider/tools/pictures/find-chromium';
import { type Postrider, startPostrider } from '../support/postrider';
import { ClientPage } from './client-page';
import { type FrontDoor, startFrontDoor } from './front-door';

const SHOP = 'shop.test';
const HOST = 'sandbox.push.adpdigital.com';

const chromium = findHeadlessShell();
if (chromium === null) console.warn('The published client is not tested: there is no Chromium here (CHROMIUM_PATH).');

(chromium === null ? describe.skip : describe)('an application that uses the published web client, unchanged', () => {
  const folder = mkdtempSync(join(tmpdir(), 'postrider-published-'));
  const certificate = throwAwayCertificate();
  let postrider: Postrider;
  let door: FrontDoor;
  let browser: Browser;
  let server: Api;
  let client: ClientPage;
  let deviceId: string;

  beforeAll(async () => {
    const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    await Promise.all([writeFile(cert, certificate.cert), writeFile(key, certificate.key)]);
    postrider = await startPostrider({ MQTT_TLS_CERT: cert, MQTT_TLS_KEY: key, MQTT_TLS_PORT: '0' });
    door = await startFrontDoor(postrider.system.gatewayUrl, SHOP, certificate);
    const application = await postrider.createApplication('shop', { clientTags: 'any' });
    server = application.server;
    const broker = new URL(postrider.system.mqtt?.webSocketUrl ?? '').port;
    const rules = [
      `${HOST}:443 127.0.0.1:${door.port}`,
      `${HOST}:4433 127.0.0.1:${broker}`,
      `${SHOP}:443 127.0.0.1:${door.port}`,
    ];
    browser = await driver.launch({
      executablePath: chromium ?? '',
      args: [
        '--no-sandbox',
        '--ignore-certificate-errors',
        `--host-resolver-rules=${rules.map((rule) => `MAP ${rule}`).join(',')}`,
      ],
    });
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

  afterAll(async () => {
    await browser?.close();
    await door?.close();
    await postrider?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

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
});
