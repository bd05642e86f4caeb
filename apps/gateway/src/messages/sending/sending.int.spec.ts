import { type Executor, rows } from '@postrider/persistence';
import { addDevice, configureVendor, emptyTables } from '@postrider/testing';
import { startTestGateway, type TestAnswer, type TestGateway } from '../../testing/test-gateway';

interface MessageRow {
  id: string;
  kind: string;
  lane: string;
  is_campaign: boolean;
  channel: string;
  content: any; // eslint-disable-line @typescript-eslint/no-explicit-any -- looked into by the tests
  user_ids: string[] | null;
  ttl: number;
}

describe('sending', () => {
  let gateway: TestGateway;
  let token: string;

  beforeAll(async () => {
    gateway = await startTestGateway();
    token = await gateway.application('shop', ['send']);
    for (const vendor of ['fcm', 'apns'] as const) await configureVendor(gateway.database, 'shop', vendor);
    await gateway.application('bank', ['send']);
  });

  afterAll(() => gateway.close());
  beforeEach(async () => {
    await emptyTables(gateway.database, 'messages', 'pages', 'installations');
    await addDevice(gateway.database, { appId: 'shop', userId: 'ada' });
    await addDevice(gateway.database, { appId: 'shop', userId: 'ada', vendor: 'apns' });
    await addDevice(gateway.database, { appId: 'shop', userId: 'grace', tags: ['vip'] });
    // The sample of another application must never count.
    await addDevice(gateway.database, { appId: 'bank', userId: 'ada' });
  });

  function send(endpoint: string, body: unknown, query = ''): Promise<TestAnswer> {
    return gateway.request('POST', `/api/push/${endpoint}?access_token=${token}${query}`, { body });
  }

  function ledger(executor: Executor = gateway.database): Promise<MessageRow[]> {
    return rows<MessageRow>(
      executor,
      `SELECT id, kind, lane, is_campaign, channel, content, user_ids,
              extract(epoch FROM expires_at - accepted_at)::integer AS ttl FROM messages ORDER BY id`,
    );
  }

  it('answers exactly the count, and names the message in a header', async () => {
    const answer = await send('toUsers', { user: 'ada', content: 'Hello' });
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
    expect(answer.body).toEqual({ count: 2 });
    const [message] = await ledger();
    expect(answer.headers['x-message-id']).toBe(message?.id);
    expect(answer.headers['x-batch-id']).toBeUndefined();
    expect(message).toMatchObject({ kind: 'users', lane: 'transactional', channel: 'public/default', ttl: 2_419_200 });
    expect(await rows(gateway.database, 'SELECT id FROM pages')).toHaveLength(2);
  });

  it.each([
    { user: 'nobody', content: 'x', count: 0 },
    { users: ['ada', 'grace', 'ada'], content: 'x', count: 3 },
    { user: '*', content: 'x', count: 3 },
    { user: '*', channel: 'sport', content: 'x', count: 0 },
    { user: 'ada', live: true, content: 'x', count: 0 },
    { user: 'ada', inApp: '1', content: 'x', count: 0 },
  ])('counts the reachable devices of %j', async ({ count, ...body }) => {
    expect(await send('toUsers', body)).toMatchObject({ status: 200, body: { count } });
  });

  it('takes an array as one request: a message each, the sum of their counts, a batch that names them', async () => {
    const answer = await send('toUsers', [
      { user: 'ada', content: 'One' },
      { user: 'grace', content: 'Two' },
      { user: 'ada', content: 'Three' },
    ]);
    expect(answer).toMatchObject({ status: 200, body: { count: 5 } });
    const messages = await ledger();
    expect(messages.map(({ content: { content: text } }) => text).sort()).toEqual(['One', 'Three', 'Two']);
    expect(String(answer.headers['x-message-id']).split(',').sort()).toEqual(messages.map(({ id }) => id));
    expect(await rows(gateway.database, 'SELECT DISTINCT batch_id AS id FROM messages')).toEqual([
      { id: answer.headers['x-batch-id'] },
    ]);
  });

  it('names the first 20 messages of a long array', async () => {
    const answer = await send(
      'toUsers',
      Array.from({ length: 25 }, (_, index) => ({ user: `u${index}`, content: 'x' })),
    );
    expect(String(answer.headers['x-message-id']).split(',')).toHaveLength(20);
    expect(await ledger()).toHaveLength(25);
  });

  it('keeps every field of the contract in its own type, and the unknown ones as they came', async () => {
    const notification = {
      title: 'Sale',
      body: 'Until Sunday',
      groupId: 'sales',
      icon: 'logo',
      sound: 'bell.caf',
      clickUrl: 'shop://sale?id=1',
      ledColor: '#80FF0000',
      smallIcon: 'small',
      mediaType: 'image/png',
      mediaUrl: 'https://shop.example/sale.png',
      category: 'sale',
    };
    const answer = await send('toUsers', {
      user: 'ada',
      channel: '/private/alerts',
      content: 'Hello',
      data: { order: 17, nested: [null, true, 'x'] },
      trackId: 'spring',
      clientId: 'c-1',
      inApp: 'false',
      autoNotify: 1,
      live: '0',
      useAsAlert: 'true',
      alertText: 'Look',
      ttl: '3600.0',
      silent: false,
      fallback: { content: 'By SMS', delay: '30', media: 'sms' },
      priority: 'high',
      notification: {
        ...notification,
        contentAvailable: 1,
        mutableContent: 'true',
        vibrate: [100, 50],
        dir: 'rtl',
        color: '#fff',
        largeIcon: 'big',
        chromeBadge: 'badge',
        requireInteraction: true,
        actions: [{ id: 'open', title: 'Open', options: '4', icon: 'ic', url: 'shop://cart', action: 'open' }],
      },
    });
    expect(answer.status).toBe(200);
    const [message] = await ledger();
    expect(message).toMatchObject({ channel: 'private/alerts', ttl: 3600 });
    expect(message?.content).toEqual({
      content: 'Hello',
      data: { order: 17, nested: [null, true, 'x'] },
      trackId: 'spring',
      clientId: 'c-1',
      inApp: false,
      autoNotify: true,
      live: false,
      useAsAlert: true,
      alertText: 'Look',
      silent: false,
      fallback: { content: 'By SMS', delaySeconds: 30, media: 'sms' },
      extra: { priority: 'high' },
      notification: {
        ...notification,
        contentAvailable: true,
        mutableContent: true,
        actions: [{ id: 'open', title: 'Open', options: 4, icon: 'ic', url: 'shop://cart', extra: { action: 'open' } }],
        extra: {
          vibrate: [100, 50],
          dir: 'rtl',
          color: '#fff',
          largeIcon: 'big',
          chromeBadge: 'badge',
          requireInteraction: true,
        },
      },
    });
  });

  it('takes a silent update without content and title', async () => {
    for (const contentAvailable of [true, 'true', 1, '1']) {
      const answer = await send('toUsers', { user: 'ada', notification: { contentAvailable } });
      expect(answer).toMatchObject({ status: 200, body: { count: 2 } });
    }
  });

  it('compares user ids in NFC', async () => {
    await addDevice(gateway.database, { appId: 'shop', userId: 'Zo\u00eb' });
    expect(await send('toUsers', { user: 'Zoe\u0308', content: 'x' })).toMatchObject({ body: { count: 1 } });
  });

  it('sends to a group by target, by segment and by both', async () => {
    const segment = { all: [{ name: 'tags', operator: 'include', value: ['vip'] }] };
    for (const [body, count] of [
      [{ segment, content: 'x' }, 1],
      [{ target: { deviceType: 'iOS' }, content: 'x' }, 1],
      [{ target: { deviceType: 'ios' }, segment, content: 'x' }, 0],
    ] as const) {
      expect(await send('byQuery', body)).toMatchObject({ status: 200, body: { count } });
    }
    expect((await ledger()).map(({ kind, lane, is_campaign }) => ({ kind, lane, is_campaign }))).toEqual(
      Array.from({ length: 3 }, () => ({ kind: 'query', lane: 'campaign', is_campaign: true })),
    );
  });

  it('notifies named users and groups', async () => {
    expect(await send('notifyUsers', { user: 'ada', content: 'x' })).toMatchObject({ body: { count: 2 } });
    expect(await send('notifyUsers', { users: ['grace'], content: 'x' })).toMatchObject({ body: { count: 1 } });
    expect(await send('notifyUsers', [{ user: 'grace', content: 'x' }])).toMatchObject({ body: { count: 1 } });
    expect(await send('notifyUsers', { target: { deviceType: 'ios' }, content: 'x' })).toMatchObject({
      body: { count: 1 },
    });
    expect((await ledger()).every(({ kind }) => kind === 'notify')).toBe(true);
  });

  it('only counts in a dry run', async () => {
    const answer = await send('toUsers', { users: ['ada', 'grace'], content: 'x' }, '&dryRun=true');
    expect(answer.status).toBe(200);
    expect(answer.headers['x-message-id']).toBeUndefined();
    expect(answer.body).toEqual({ count: 3, byVendor: { fcm: 2, apns: 1 }, sample: expect.any(Array) });
    expect(answer.body.sample).toHaveLength(3);
    expect(answer.body.sample[0]).toEqual({
      installationId: expect.any(String),
      userId: expect.any(String),
      vendor: expect.any(String),
    });
    expect(await send('byQuery', { target: { deviceType: 'ios' }, content: 'x' }, '&dryRun=1')).toMatchObject({
      body: { count: 1, byVendor: { apns: 1 } },
    });
    expect(await send('toUsers', { user: 'ada', content: 'x' }, '&dryRun=yes')).toMatchObject({
      status: 400,
      body: { error: { details: [{ path: 'dryRun' }] } },
    });
    expect(await ledger()).toEqual([]);
  });

  it('refuses what is too big for a vendor that a recipient uses, with the size and the limit', async () => {
    const content = 'x'.repeat(4_200);
    const answer = await send('toUsers', { user: 'ada', content, useAsAlert: true });
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'INVALID_REQUEST' } } });
    const messages = answer.body.error.details.map(({ message }: { message: string }) => message);
    expect(messages).toEqual([
      expect.stringMatching(/fcm: \d+ bytes.* 4096/),
      expect.stringMatching(/apns: \d+ bytes.* 4096/),
    ]);
    expect(await send('byQuery', { target: { deviceType: 'ios' }, content, useAsAlert: true })).toMatchObject({
      status: 400,
    });
    expect(
      await send('toUsers', [
        { user: 'x', content: 'x' },
        { user: 'grace', content },
      ]),
    ).toMatchObject({
      status: 400,
      body: { error: { details: [{ path: '[1]' }] } },
    });
    expect(await ledger()).toEqual([]);
    expect(await send('toUsers', { user: 'nobody', content })).toMatchObject({ status: 200, body: { count: 0 } });
    expect(await send('toUsers', { user: 'ada', content, inApp: true })).toMatchObject({ status: 200 });
  });

  it('measures what is sent: links as long as tracking makes them, and what a connected device gets from its vendor later', async () => {
    const actions = Array.from({ length: 40 }, (_, n) => ({
      id: `${n}`,
      title: `${n}`,
      url: `https://shop.example/${n}`,
    }));
    const message = { user: 'grace', content: 'x', notification: { title: 't', actions } };
    expect(await send('toUsers', message)).toMatchObject({ status: 200 });
    const tooBig = {
      status: 400,
      body: { error: { details: [{ message: expect.stringMatching(/fcm: \d+ bytes/) }] } },
    };
    expect(await send('toUsers', { ...message, trackLinks: true })).toMatchObject(tooBig);
    await addDevice(gateway.database, { appId: 'shop', userId: 'iris' });
    await rows(
      gateway.database,
      `INSERT INTO edges (edge_id, heartbeat_at) VALUES ('edge-1', now() + interval '1 hour')`,
    );
    await rows(
      gateway.database,
      `INSERT INTO presence (app_id, id, edge_id, epoch) SELECT app_id, id, 'edge-1', 1 FROM installations
       WHERE app_id = 'shop' AND user_id = 'iris'`,
    );
    const content = 'x'.repeat(4_200);
    expect(await send('toUsers', { user: 'iris', content }, '&dryRun=true')).toMatchObject(tooBig);
    expect(await send('toUsers', { user: 'iris', content, live: true })).toMatchObject({
      status: 200,
      body: { count: 1 },
    });
  });

  it('tries an array as it would send it: the same counts, nothing written', async () => {
    const users = ['ada', 'grace', 'nobody', 'ada'];
    const elements = [
      ...users.map((user) => ({ user, content: 'x' })),
      { user: 'ada', channel: 'sport', content: 'x' },
      { user: 'grace', live: true, content: 'x' },
      { user: '*', content: 'x' },
    ];
    const tried = await send('toUsers', elements, '&dryRun=true');
    expect(await ledger()).toEqual([]);
    const sent = await send('toUsers', elements);
    expect(tried.body.count).toBe(sent.body.count);
    expect(Object.values(tried.body.byVendor as Record<string, number>).reduce((a, b) => a + b)).toBe(sent.body.count);
    expect(tried.body.sample).toHaveLength(Math.min(10, sent.body.count));
  });

  it('says which devices wait for vendors that are not connected: they are not in the count, nor sent to', async () => {
    for (const vendor of ['hms', 'hms', 'webpush'] as const)
      await addDevice(gateway.database, { appId: 'shop', userId: 'hua', vendor });
    await addDevice(gateway.database, { appId: 'shop', userId: 'hua' });
    const waitingForVendors = [
      { vendor: 'hms', devices: 2 },
      { vendor: 'webpush', devices: 1 },
    ];
    const tried = await send('toUsers', { user: 'hua', content: 'x' }, '&dryRun=true');
    expect(tried.body).toMatchObject({ count: 1, byVendor: { fcm: 1 }, waitingForVendors });
    expect(await send('toUsers', { user: 'hua', content: 'x' })).toMatchObject({ body: { count: 1 } });
    const open = await send('toUsers', { user: 'hua', content: 'x', live: true }, '&dryRun=true');
    expect(open.body).not.toHaveProperty('waitingForVendors');

    const segment = { all: [{ name: 'userId', operator: 'equal_to', value: 'hua' }] };
    const body = { segment };
    const counted = await gateway.request('POST', `/api/segments/count?access_token=${token}`, { body });
    expect(counted.body).toMatchObject({ count: 1, devices: 4, waitingForVendors });
  });
});
