import { createHmac } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type ClientMessage,
  type ClientOptions,
  createClient,
  memoryStorage,
  PostriderClient,
} from '@postrider/client';
import { fileStorage } from '@postrider/client/file-storage';
import { until } from '@postrider/testing';
import type { Postrider } from '../support/postrider';

interface Message {
  totals: Record<string, number>;
}

/** A device in Node.js that uses the client. */
export function clientInNodeScenario(system: () => Postrider): void {
  let postrider: Postrider;
  let app: Awaited<ReturnType<Postrider['createApplication']>>;
  let folder: string;
  const clients: PostriderClient[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'postrider-client-'));
    postrider = system();
    app = await postrider.createApplication('shop-in-node');
  });
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.close()));
  });
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  const make = (options: Partial<ClientOptions> = {}): { client: PostriderClient; received: ClientMessage[] } => {
    const client = createClient({
      url: postrider.system.gatewayUrl,
      connectionUrl: postrider.system.mqtt?.url ?? '',
      appId: 'shop-in-node',
      token: app.clientToken,
      storage: memoryStorage(),
      ...options,
    });
    clients.push(client);
    const received: ClientMessage[] = [];
    client.on('message', (message) => received.push(message));
    return { client, received };
  };
  const connected = (client: PostriderClient): Promise<unknown> =>
    new Promise((done) => {
      const stop = client.on('connected', (who) => {
        stop();
        done(who);
      });
      client.connect();
    });
  const send = async (body: object): Promise<string> =>
    (await app.server.call('POST', '/api/push/toUsers', body)).headers.get('x-message-id') ?? '';
  const untilTotals = (id: string, state: string): Promise<unknown> =>
    until(async () => (await app.server.find<Message>(`/api/push/messages/${id}`))?.totals[state] === 1);

  it('gets personal, private and public messages, each once and in order, and reports what became of them', async () => {
    const { client, received } = make();
    await client.signIn('ada');
    expect(await client.channels.subscribe('sport', 'private/alerts')).toEqual(
      expect.arrayContaining(['public/sport', 'private/alerts']),
    );
    await connected(client);
    const first = await send({ user: 'ada', content: 'one', trackId: 't-1', data: { n: [1] } });
    await send({ user: '*', channel: 'sport', content: 'two' });
    await send({ user: 'ada', channel: 'private/alerts', content: 'three' });
    await send({ user: '*', content: 'four' });
    await until(() => Promise.resolve(received.length === 4));
    expect(received.map(({ content }) => content).sort()).toEqual(['four', 'one', 'three', 'two']);
    expect(received.find(({ id }) => id === first)).toMatchObject({ trackId: 't-1', data: { n: [1] }, silent: false });
    await untilTotals(first, 'delivered');
    await client.receipts.shown({ id: first });
    await client.receipts.opened({ id: first });
    await untilTotals(first, 'opened');
    await client.channels.unsubscribe('sport');
    await send({ user: '*', channel: 'sport', content: 'not for them' });
    await send({ user: 'ada', content: 'five' });
    await until(() => Promise.resolve(received.length === 5));
    expect(received.at(-1)?.content).toBe('five');
  });

  it('tells who the user is: attributes, tags, behaviour, and their inbox', async () => {
    const { client } = make();
    await client.signIn('bea');
    const born = new Date('1999-12-31T00:00:00Z');
    await client.attributes.set({ city: 'Shiraz', born, seats: 2, likes: ['tea'] });
    await client.attributes.increment({ seats: 3 });
    await client.attributes.addToArray('likes', 'cake', 'tea');
    await client.attributes.removeFromArray('likes', 'tea');
    expect(await client.attributes.unset('city')).toMatchObject({
      born: born.toISOString(),
      seats: 5,
      likes: ['cake'],
    });
    await client.tags.add('vip', 'trial');
    await client.tags.remove('trial');
    expect(await client.tags.list()).toEqual(['vip']);
    await client.track('purchase', { value: 12, revenue: 12, currency: 'EUR' });
    const id = (await client.identity())?.installationId ?? '';
    await until(async () => {
      const found = await app.server.find<{ userInfo: Record<string, unknown> }>(`/api/installations/${id}`);
      return found?.userInfo['purchase.count'] === 1 && found.userInfo['purchase.sum'] === 12;
    });
    await send({ user: 'bea', content: 'kept' });
    const page = await until(async () => {
      const found = await client.inbox.read({ limit: 5 });
      return found.messages.length === 1 ? found : null;
    });
    expect(page).toMatchObject({ unread: 1, nextCursor: null, messages: [{ content: 'kept', isRead: false }] });
    await client.inbox.markRead(page.messages[0]?.id ?? '');
    expect((await client.inbox.read()).unread).toBe(0);
    await client.inbox.remove(page.messages[0]?.id ?? '');
    expect((await client.inbox.read()).messages).toEqual([]);
  });

  it('starts again as the same device, and has what was sent while it was away, once', async () => {
    const storage = fileStorage(join(folder, 'cleo', 'device.json'));
    const before = make({ storage });
    await before.client.signIn('cleo');
    await connected(before.client);
    const seen = await send({ user: 'cleo', content: 'seen' });
    await untilTotals(seen, 'delivered');
    const identity = await before.client.identity();
    await before.client.close();
    await send({ user: 'cleo', content: 'while it was away' });
    const after = make({ storage: fileStorage(join(folder, 'cleo', 'device.json')) });
    const installation = await after.client.register();
    expect(installation).toMatchObject({ id: identity?.installationId, userId: 'cleo', launchCount: 2 });
    await connected(after.client);
    await until(() => Promise.resolve(after.received.length === 1));
    expect(after.received[0]?.content).toBe('while it was away');
  });

  it('registers anew when the service does not know it any more, connected or not', async () => {
    const { client, received } = make();
    const { id } = await client.register();
    await app.server.call('DELETE', `/api/installations/${id}`);
    await connected(client);
    const identity = await client.identity();
    expect(identity?.installationId).not.toBe(id);
    await send({ user: identity?.userId, content: 'found again' });
    await until(() => Promise.resolve(received.length === 1));
    await app.server.call('DELETE', `/api/installations/${identity?.installationId ?? ''}`);
    await until(async () => (await client.identity())?.installationId !== identity?.installationId);
  });

  it('gives nothing of one user to the next, whoever signs in, and nothing at all once it is unregistered', async () => {
    const { client, received } = make();
    await client.signIn('dora');
    await connected(client);
    await client.signIn('emil');
    await until(() => Promise.resolve(client.isConnected));
    await send({ user: 'dora', content: 'for dora' });
    await send({ user: 'emil', content: 'for emil' });
    await until(() => Promise.resolve(received.length === 1));
    expect(received[0]?.content).toBe('for emil');
    await client.signOut();
    expect((await client.identity())?.isGuest).toBe(true);
    const { count } = (
      await app.server.call<{ count: number }>('POST', '/api/push/toUsers', { user: 'emil', content: 'x' })
    ).body;
    expect(count).toBe(0);
    await client.unregister();
    expect(await client.identity()).toBeNull();
    await expect(client.track('anything')).rejects.toMatchObject({ code: 'NOT_REGISTERED' });
  });

  it('comes back after the edge was killed', async () => {
    const { client, received } = make();
    await client.signIn('fay');
    await connected(client);
    const lost = new Promise((done) => client.on('disconnected', done));
    postrider.system.kill('device-edge');
    expect(await lost).toMatchObject({ reason: 'lost', retryInMs: expect.any(Number) });
    const id = await send({ user: 'fay', content: 'still there' });
    await until(() => Promise.resolve(received.length === 1));
    await untilTotals(id, 'delivered');
  });

  it('keeps its reports while the service is away', async () => {
    const { client, received } = make();
    await client.signIn('gil');
    await connected(client);
    const id = await send({ user: 'gil', content: 'look' });
    await until(() => Promise.resolve(received.length === 1));
    postrider.system.kill('gateway');
    await client.receipts.shown({ id });
    await client.receipts.shown({ id });
    await client.receipts.opened({ id });
    await until(() => client.flush());
    await untilTotals(id, 'opened');
  });

  it('proves its user where the application asks for that, and says why it is not let in', async () => {
    const { body } = await postrider.admin.call<{ identityKey: string; tokens: { client: string } }>(
      'POST',
      '/api/admin/apps',
      { id: 'guarded', name: 'Guarded', requireUserHash: true },
    );
    const { client } = make({ appId: 'guarded', token: body.tokens.client });
    await expect(client.signIn('hana', { userHash: 'wrong' })).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    const userHash = createHmac('sha256', body.identityKey).update('hana').digest('hex');
    await client.signIn('hana', { userHash });
    await connected(client);
    expect((await client.inbox.read()).messages).toEqual([]);
    await client.signOut();
    expect(await client.identity()).toBeNull();
    const stranger = make({ token: 'no-such-token' }).client;
    await expect(stranger.register()).rejects.toMatchObject({ status: 401 });
  });

  it('is told when another device connects under its name, and leaves the connection to it', async () => {
    const storage = memoryStorage();
    const { client } = make({ storage });
    await client.signIn('ida');
    await connected(client);
    const end = new Promise((done) => client.on('disconnected', done));
    const twin = make({ storage });
    await connected(twin.client);
    expect(await end).toEqual({ reason: 'taken_over', retryInMs: null });
    expect(twin.client.isConnected).toBe(true);
  });
}
