import { execFileSync } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startRedis } from '@postrider/tools/embedded/redis';
import { until } from '@postrider/testing';
import { untilDone } from './support/message-status';
import { nodeOfTest } from './support/node-of-test';
import { type Postrider, startPostrider } from './support/postrider';

/** Apps that run in a browser: the gateway's bundle holds them. */
const SITES = ['panel', 'guide'];

interface InboxMessage {
  vendor: string;
  token: string;
  payload: { message?: { data?: Record<string, string>; android?: { ttl?: string } }; aps?: { alert?: unknown } };
}

describe('one push through bundles without their sources and packages', () => {
  let postrider: Postrider;
  let appsFolder: string;

  beforeAll(async () => {
    appsFolder = await copyBundles();
    postrider = await startPostrider({}, { appsFolder, hasPromo: true });
  });

  afterAll(async () => {
    await postrider.stop();
    await rm(appsFolder, { recursive: true, force: true });
  });

  it('goes from one REST call to both of Ada’s devices, and every process tells its part of the story', async () => {
    const { server, client } = await postrider.createApplication('shop');
    const iphone = 'ab'.repeat(32);
    await client.call('POST', '/api/installations', { userId: 'ada', deviceType: 'android', deviceToken: 'ada-pixel' });
    await client.call('POST', '/api/installations', { userId: 'ada', deviceType: 'ios', deviceToken: iphone });

    const answer = await server.call('POST', '/api/push/toUsers', {
      user: 'ada',
      content: 'Tea at four',
      ttl: 3_600,
      notification: { title: 'Tea', body: 'At four, with scones' },
    });
    expect(answer.body).toEqual({ count: 2 });
    const id = answer.headers.get('x-message-id') ?? '';

    const status = await untilDone(server, 'messages', id);
    expect(status).toMatchObject({ count: 2, totals: { sent: 2, pending: 0 } });

    const inbox = (await (await fetch(`${postrider.system.simulatorUrl}/inbox`)).json()) as InboxMessage[];
    const [fcm, apns] = [inbox.find(({ vendor }) => vendor === 'fcm'), inbox.find(({ vendor }) => vendor === 'apns')];
    expect(fcm).toMatchObject({
      token: 'ada-pixel',
      payload: { message: { android: { ttl: expect.stringMatching(/^3(600|59\d)s$/) } } },
    });
    expect(JSON.stringify(fcm?.payload.message?.data)).toContain('At four, with scones');
    expect(apns).toMatchObject({
      token: iphone,
      payload: { aps: { alert: { title: 'Tea', body: 'At four, with scones' } } },
    });

    for (const app of ['gateway', 'delivery-worker']) {
      const log = join(postrider.system.logFolder, `${app}.log`);
      await until(async () => (await readFile(log, 'utf8')).includes(id));
    }
  });

  it('renders what runs in a sandbox, and serves the panel, the API reference, the queues and the guide', async () => {
    const { server, client } = await postrider.createApplication('alone');
    await client.call('POST', '/api/installations', {
      userId: 'mina',
      deviceType: 'android',
      deviceToken: 'mina-pixel',
    });
    const content = '{% for cup in (1..3) %}tea {% endfor %}';
    const { headers } = await server.call('POST', '/api/push/toUsers', { user: 'mina', content, useAsAlert: true });
    await untilDone(server, 'messages', headers.get('x-message-id') ?? '');
    const inbox = await (await fetch(`${postrider.system.simulatorUrl}/inbox`)).text();
    expect(inbox).toContain('tea tea tea');

    const authorization = `Bearer ${postrider.adminToken}`;
    const parts = ['<script', 'swagger-ui', 'SwaggerUIBundle', 'Postrider', 'Postrider'];
    const paths = ['/panel/', '/docs/swagger-ui.css', '/docs/swagger-ui-bundle.js', '/queues', '/guide/'];
    for (const [index, path] of paths.entries()) {
      const answer = await fetch(postrider.system.gatewayUrl + path, {
        headers: { authorization, accept: 'text/html' },
      });
      expect([path, answer.status, await answer.text()]).toEqual([
        path,
        200,
        expect.stringContaining(parts[index] ?? ''),
      ]);
    }
  });

  it('runs on the Node.js that this file is to run on', async () => {
    const authorization = `Bearer ${postrider.adminToken}`;
    const metrics = await (
      await fetch(`${postrider.system.gatewayUrl}/metrics`, { headers: { authorization } })
    ).text();
    const version = execFileSync(nodeOfTest(), ['--version'], { encoding: 'utf8' }).trim();
    expect(metrics).toContain(`nodejs_version_info{version="${version}"`);
  });

  it('waits in PostgreSQL while Redis is away, and goes out when it is back', async () => {
    const { server, client } = await postrider.createApplication('patient');
    await client.call('POST', '/api/installations', {
      userId: 'omid',
      deviceType: 'android',
      deviceToken: 'omid-galaxy',
    });
    const port = Number(new URL(postrider.redis.url).port);
    await postrider.redis.stop();

    const answer = await server.call('POST', '/api/push/toUsers', { user: 'omid', content: 'Soon', useAsAlert: true });
    expect(answer.body).toEqual({ count: 1 });

    postrider.redis = await startRedis({ port });
    const status = await untilDone(server, 'messages', answer.headers.get('x-message-id') ?? '');
    expect(status.totals).toMatchObject({ sent: 1 });
  });
});

/** Puts the bundle of each app where no packages are found: it must hold all that it needs. @returns the folder */
async function copyBundles(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'postrider-bundles-'));
  for (const app of await readdir('apps')) {
    if (!SITES.includes(app)) await cp(join('apps', app, 'bundle'), join(folder, app, 'bundle'), { recursive: true });
  }
  return folder;
}
