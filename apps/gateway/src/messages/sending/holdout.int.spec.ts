import { rows } from '@postrider/persistence';
import { addDevice, configureVendor, emptyTables } from '@postrider/testing';
import { startTestGateway, type TestAnswer, type TestGateway } from '../../testing/test-gateway';

const USERS = 60;

describe('a send with a holdout', () => {
  let gateway: TestGateway;
  let token: string;

  beforeAll(async () => {
    gateway = await startTestGateway();
    token = await gateway.application('shop', ['send']);
    await configureVendor(gateway.database, 'shop', 'fcm');
    for (let n = 0; n < USERS; n++) await addDevice(gateway.database, { appId: 'shop', userId: `user-${n}` });
  });

  afterAll(() => gateway.close());
  beforeEach(() => emptyTables(gateway.database, 'messages', 'pages', 'deliveries'));

  function send(endpoint: string, body: unknown, query = ''): Promise<TestAnswer> {
    return gateway.request('POST', `/api/push/${endpoint}?access_token=${token}${query}`, { body });
  }

  it.each([
    ['byQuery', { target: { deviceType: 'android' } }],
    ['toUsers', { user: '*' }],
    ['notifyUsers', { target: { deviceType: 'android' } }],
  ])('of %s counts those that are not held out, as its dry run and its expected count do', async (endpoint, form) => {
    const body = { ...form, content: 'Hello', trackId: 'spring', holdout: 25 };
    const dry = await send(endpoint, body, '&dryRun=true');
    const { count } = dry.body as { count: number };
    expect(count).toBeGreaterThan(USERS * 0.55);
    expect(count).toBeLessThan(USERS * 0.95);
    const expecting = (expectedCount: number): object => ({ ...body, expectedCount, expectedCountTolerance: 0 });
    expect(await send(endpoint, expecting(USERS))).toMatchObject({ status: 409, body: { error: { count } } });
    expect(await send(endpoint, expecting(count))).toMatchObject({ status: 200, body: { count } });
    const [message] = await rows<{ content: object }>(gateway.database, 'SELECT content FROM messages');
    expect(message?.content).toMatchObject({ holdout: 25 });
    expect(message?.content).not.toHaveProperty('extra');
  });

  it.each([
    ['toUsers', { user: 'ada' }],
    ['toUsers', { users: ['ada'] }],
    ['notifyUsers', { user: 'ada' }],
  ])('to users who are named is refused (%s)', async (endpoint, form) => {
    expect(await send(endpoint, { ...form, content: 'Hello', holdout: 10 })).toMatchObject({
      status: 400,
      body: { error: { details: [{ path: 'holdout', message: 'is only for campaigns: byQuery, or user "*"' }] } },
    });
  });

  it.each([-1, 51, 1.5, 'half', {}])('of %p percent is refused', async (holdout) => {
    expect(await send('toUsers', { user: '*', content: 'Hello', holdout })).toMatchObject({
      status: 400,
      body: { error: { details: [{ path: 'holdout' }] } },
    });
  });

  it('cannot be changed while it waits for its time: who gets it was counted', async () => {
    const sendAt = new Date(Date.now() + 86_400_000).toISOString();
    const { headers } = await send('toUsers', { user: '*', content: 'Hello', holdout: 10, sendAt });
    const path = `/api/push/messages/${String(headers['x-message-id'])}?access_token=${token}`;
    expect(await gateway.request('PATCH', path, { body: { holdout: 20 } })).toMatchObject({
      status: 400,
      body: { error: { details: [{ path: 'holdout' }] } },
    });
    expect(await gateway.request('PATCH', path, { body: { content: 'Good morning' } })).toMatchObject({ status: 200 });
    const [message] = await rows<{ content: object }>(gateway.database, 'SELECT content FROM messages');
    expect(message?.content).toMatchObject({ content: 'Good morning', holdout: 10 });
  });
});
