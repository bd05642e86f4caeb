import { randomUUID } from 'node:crypto';
import { rows, variantOfUser } from '@postrider/persistence';
import { configureVendor } from '@postrider/testing';
import { startTestGateway, type TestAnswer, type TestGateway } from '../testing/test-gateway';

interface Shown {
  deliveries: { messageId: string; installationId: string; state: string; isCampaign: boolean }[];
  nextCursor: string | null;
}

describe('what a user was sent', () => {
  let gateway: TestGateway;
  let server: string;
  let stranger: string;

  const call = (method: string, path: string, body?: unknown, token = server): Promise<TestAnswer> =>
    gateway.request(method, path, { body, headers: { 'x-access-token': token } });
  const register = async (userId: string, more: object = {}): Promise<string> => {
    const device = { userId, deviceType: 'android', deviceToken: `token-${randomUUID()}`, ...more };
    return (await call('POST', '/api/installations', device)).body.id as string;
  };
  const send = async (body: object, path = 'toUsers'): Promise<string> =>
    (await call('POST', `/api/push/${path}`, { content: 'x', ...body })).headers['x-message-id'] as string;
  const deliver = (messageId: string, installationId: string): Promise<unknown> =>
    rows(
      gateway.database,
      `INSERT INTO deliveries (app_id, message_id, device_id, state, rank, vendor)
       SELECT 'shop', $1, id, 'sent', 2, 'fcm' FROM installations WHERE app_id = 'shop' AND installation_id = $2`,
      [messageId, installationId],
    );
  const read = async (userId: string, query = '', token = server): Promise<Shown> =>
    (await call('GET', `/api/users/${userId}/deliveries${query}`, undefined, token)).body;

  beforeAll(async () => {
    gateway = await startTestGateway();
    server = await gateway.application('shop');
    stranger = await gateway.application('other');
    await configureVendor(gateway.database, 'shop', 'fcm');
  });

  afterAll(() => gateway.close());

  it('is listed device by device, newest first, page by page, campaigns among it', async () => {
    const [phone, tablet] = [await register('ada'), await register('ada')];
    const bystander = await register('omid');
    const named = await send({ user: 'ada' });
    const group = await send({ target: { deviceType: 'android' } }, 'byQuery');
    for (const device of [phone, tablet]) await deliver(named, device);
    for (const device of [phone, tablet, bystander]) await deliver(group, device);
    const whole = await read('ada');
    expect(whole.deliveries.map(({ messageId, installationId }) => [messageId, installationId])).toEqual([
      [group, tablet],
      [group, phone],
      [named, tablet],
      [named, phone],
    ]);
    expect(whole.deliveries[0]).toMatchObject({ isCampaign: true, state: 'sent', content: { content: 'x' } });
    const found: unknown[] = [];
    for (let query = '?limit=1'; ;) {
      const part = await read('ada', query);
      found.push(...part.deliveries);
      if (part.nextCursor === null) break;
      query = `?limit=1&cursor=${part.nextCursor}`;
    }
    expect(found).toEqual(whole.deliveries);
  });

  it('holds nothing of a former owner, of another application, or of nobody', async () => {
    const deviceToken = `shared-${randomUUID()}`;
    const device = await register('first', { deviceToken });
    await deliver(await send({ user: 'first' }), device);
    expect((await read('first')).deliveries).toHaveLength(1);
    expect((await read('first', '', stranger)).deliveries).toEqual([]);
    await register('second', { deviceToken });
    expect((await read('second')).deliveries).toEqual([]);
    expect((await read('nobody')).deliveries).toEqual([]);
  });

  it('is exported with the deliveries that were meant for the user, also on a device that they had later, or gave away', async () => {
    const deviceToken = `given-${randomUUID()}`;
    const device = await register('giver', { deviceToken });
    const before = await send({ user: 'giver' });
    const planned = await send({ user: 'heir', sendAt: new Date(Date.now() + 3_600_000).toISOString() });
    await deliver(before, device);
    await register('heir', { deviceToken });
    await deliver(planned, device);
    const sentTo = async (userId: string): Promise<[string, string[]][]> => {
      const { messages } = (await call('GET', `/api/users/${userId}/export`)).body as {
        messages: { id: string; deliveries: { installationId: string }[] }[];
      };
      return messages.map(({ id, deliveries }) => [id, deliveries.map(({ installationId }) => installationId)]);
    };
    await register('giver');
    expect(await sentTo('giver')).toEqual([[before, [device]]]);
    expect(await sentTo('heir')).toEqual([[planned, [device]]]);
  });

  it('names the variant of a campaign, in the list and in the export, and who is held out', async () => {
    const variants = [
      { name: 'A', weight: 1, content: 'a' },
      { name: 'B', weight: 1, content: 'b' },
    ];
    const content = { variants, trackId: 'tested', holdout: 50 };
    const names = Array.from({ length: 40 }, (_, n) => `tested-${n}`);
    const users = ['A', 'B', null].map((variant) => {
      const userId = names.find((name) => variantOfUser({ appId: 'shop', id: '', content }, name) === variant);
      return { userId: userId ?? '', variant };
    });
    const devices = await Promise.all(users.map(({ userId }) => register(userId)));
    const messageId = await send({ user: '*', ...content });
    for (const [place, { userId, variant }] of users.entries()) {
      await deliver(messageId, devices[place] ?? '');
      expect((await read(userId)).deliveries).toMatchObject([{ messageId, variant }]);
      const { messages } = (await call('GET', `/api/users/${userId}/export`)).body as { messages: object[] };
      expect(messages).toMatchObject([{ id: messageId, deliveries: [{ variant }] }]);
    }
  });

  it('refuses a cursor that we did not make', async () => {
    const answer = await call('GET', '/api/users/ada/deliveries?cursor=eA&limit=0');
    expect(answer.status).toBe(400);
    expect((answer.body.error as { details: { path: string }[] }).details.map(({ path }) => path)).toEqual([
      'cursor',
      'limit',
    ]);
  });
});
