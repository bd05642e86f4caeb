import { randomUUID } from 'node:crypto';
import type { DeviceId } from '@postrider/domain';
import {
  EdgesRepository,
  ErasedUsersRepository,
  ErasuresRepository,
  PresenceRepository,
  rows,
} from '@postrider/persistence';
import { Secret } from '@postrider/platform';
import { configureVendor, testRedisUrl, tracesIn, tracesInRedis, untilTrue } from '@postrider/testing';
import { startTestGateway, type TestAnswer, type TestGateway } from '../testing/test-gateway';

const PHONE = '+31655501234';
const ID = 'erase-me-4711';

describe('erasing a user', () => {
  let gateway: TestGateway;
  let neighbour: TestGateway;
  let server: string;

  const call = (method: string, path: string, body?: unknown, at = gateway): Promise<TestAnswer> =>
    at.request(method, `/api/${path}`, { body, headers: { 'x-access-token': server } });
  const register = async (userId: string, deviceToken: string, at = gateway): Promise<string> => {
    const answer = await call('POST', 'installations', { userId, deviceType: 'android', deviceToken }, at);
    expect(answer.status).toBe(200);
    return answer.body.id as string;
  };
  const send = async (path: string, body: object): Promise<string> => {
    const answer = await call('POST', `push/${path}`, body);
    expect(answer.status).toBe(200);
    return answer.headers['x-message-id'] as string;
  };
  /** What workers do: every page is settled, and each device has its record. */
  const deliver = async (...messageIds: string[]): Promise<void> => {
    for (const messageId of messageIds) {
      await rows(
        gateway.database,
        `INSERT INTO deliveries (app_id, message_id, device_id, state, rank, vendor, vendor_message_id, promo_code)
         SELECT 'shop', $1, i.id, 'sent', 2, 'fcm', 'v-' || i.user_id, 'CODE-' || i.user_id
         FROM installations i JOIN messages m ON m.id = $1 AND (m.user_ids IS NULL OR i.user_id = ANY (m.user_ids))
         WHERE i.app_id = 'shop' AND m.app_id = 'shop' ON CONFLICT DO NOTHING`,
        [messageId],
      );
      await rows(gateway.database, `UPDATE pages SET state = 'finished', wake_at = NULL WHERE message_id = $1`, [
        messageId,
      ]);
    }
  };
  const report = async (userId: string, installationId: string, ...eventData: object[]): Promise<void> => {
    const answer = await call('POST', 'installations/events', { installationId, userId, eventData });
    expect(answer.status).toBe(200);
  };
  const totalsOf = async (messageIds: readonly string[]): Promise<unknown[]> => {
    const answers = messageIds.flatMap((id) => [
      call('GET', `push/messages/${id}`),
      call('GET', `push/messages/${id}/stats`),
    ]);
    return (await Promise.all([...answers, call('GET', 'push/campaigns/spring/stats')])).map(({ body }) => body.totals);
  };
  const tell = (type: string, data: object): Promise<unknown> =>
    rows(
      gateway.database,
      `WITH webhook AS (
         INSERT INTO webhooks (app_id, webhook_id, url, events, sealed, created_at, updated_at)
         VALUES ('shop', gen_random_uuid(), 'https://example.com/', '{}', '', now(), now()) RETURNING webhook_id
       )
       INSERT INTO webhook_events (app_id, webhook_id, type, data) SELECT 'shop', webhook_id, $1, $2 FROM webhook`,
      [type, JSON.stringify(data)],
    );

  beforeAll(async () => {
    gateway = await startTestGateway();
    neighbour = await startTestGateway({ databaseUrl: new Secret(gateway.databaseUrl) });
    server = await gateway.application('shop');
    await configureVendor(gateway.database, 'shop', 'fcm');
  });

  afterAll(async () => {
    await neighbour.close();
    await gateway.close();
  });

  it('leaves nothing of them in any column, and every sum as it was', async () => {
    const phone = await register(ID, 'token-of-the-erased');
    const other = await register('stays', 'token-of-another');
    await call('POST', 'installations/attributes', { userId: ID, attributes: { phone: PHONE, secret: 'love-letter' } });
    const alone = await send('toUsers', { user: ID, content: 'love-letter', clientId: `c-${ID}`, trackId: 'spring' });
    const shared = await send('toUsers', { users: [ID, 'stays'], content: 'Hello', trackId: 'spring' });
    const everyone = await send('byQuery', { target: { deviceType: 'android' }, content: 'Hi', trackId: 'spring' });
    await deliver(alone, shared, everyone);
    const at = Date.now();
    for (const msgId of [alone, shared, everyone]) {
      await report(
        ID,
        phone,
        { type: 1, msgId, actionType: 'OPENED', actionTs: at },
        { type: 1, msgId, actionType: 'ACTION_TAKEN', actionId: `accept-${ID}`, actionTs: at },
        { type: 1, msgId, actionType: 'ACTION_TAKEN', actionId: 'buy', actionTs: at },
        { type: 3, msgId, link: `https://shop.example/u/${ID}?tel=${encodeURIComponent(PHONE)}`, actionTs: at },
      );
    }
    await report(ID, phone, { type: 3, msgId: alone, link: 'https://shop.example/only-yours', actionTs: at });
    await report('stays', other, { type: 3, msgId: everyone, link: 'https://shop.example/sale', actionTs: at });
    await tell('message.done', { messageId: alone, kind: 'users', clientId: `c-${ID}`, count: 1 });
    await tell('message.done', { messageId: shared, kind: 'users', clientId: 'c-17', count: 2 });
    await tell('fallback.sent', { messageId: shared, userId: ID, provider: 'twilio', phone: PHONE });
    const before = await totalsOf([alone, shared, everyone]);

    const texts = [ID, PHONE, PHONE.slice(1), 'love-letter', 'token-of-the-erased', 'only-yours', phone];
    expect((await tracesIn(gateway.database, texts)).length).toBeGreaterThan(10);
    const erased = await call('DELETE', `users/${ID}`);
    expect(erased).toMatchObject({ status: 200, body: { devices: 1, messages: 2, deliveries: 3, links: 2 } });
    expect(await tracesIn(gateway.database, texts)).toEqual([]);
    expect(await tracesInRedis(testRedisUrl(), texts)).toEqual([]);

    expect(await totalsOf([alone, shared, everyone])).toEqual(before);
    expect((await call('GET', `push/messages/${everyone}/stats`)).body).toMatchObject({
      totals: { opened: 1, actions: 2, links: 2 },
      actions: expect.arrayContaining([expect.objectContaining({ id: 'buy' })]),
      links: expect.arrayContaining([expect.objectContaining({ link: 'https://shop.example/sale' })]),
    });
    const listed = (await call('GET', `push/messages/${everyone}/deliveries`)).body.deliveries;
    expect(listed).toEqual([expect.objectContaining({ installationId: other })]);
    expect(await tracesIn(gateway.database, ['c-17', 'token-of-another'])).toHaveLength(2);
  });

  it('ends while others send to the user and register them without a pause, and leaves nothing', async () => {
    const id = 'besieged-2342';
    let [isOver, calls] = [false, 0];
    const loop = async (work: (n: number) => Promise<TestAnswer>): Promise<void> => {
      for (let n = 0; !isOver; n++) {
        expect((await work(n)).status).toBe(200);
        calls++;
      }
    };
    const device = (deviceToken: string): object => ({ userId: id, deviceType: 'android', deviceToken });
    const loops = [
      loop((n) => call('POST', 'push/toUsers', { user: id, content: `siege ${n}` })),
      loop(() => call('POST', 'push/toUsers', { users: [id, 'stays'], content: 'siege' }, neighbour)),
      loop((n) => call('POST', 'installations', device(`siege-${n}`))),
      loop(() => call('POST', 'installations', device('siege-again'), neighbour)),
    ];
    await untilTrue(() => calls > 100);
    const seenBefore = await rows<{ id: string }>(
      gateway.database,
      `SELECT id::text FROM messages WHERE user_ids @> ARRAY[$1::text] UNION ALL
       SELECT id::text FROM installations WHERE user_id = $1`,
      [id],
    );
    const erased = await call('DELETE', `users/${id}`);
    isOver = true;
    await Promise.all(loops);
    expect(erased.status).toBe(200);
    const ids = seenBefore.map((row) => row.id);
    const back = await rows(
      gateway.database,
      `SELECT id::text FROM messages WHERE user_ids @> ARRAY[$1::text] AND id::text = ANY ($2) UNION ALL
       SELECT id::text FROM installations WHERE user_id = $1 AND id::text = ANY ($2)`,
      [id, ids],
    );
    expect(back).toEqual([]);
    expect((await call('DELETE', `users/${id}`)).status).toBe(200);
    expect(await tracesIn(gateway.database, [id])).toEqual([]);
  });

  it('waits for what a worker has in hand, and registrations wait for it', async () => {
    const id = 'in-hand-3';
    await register(id, 'token-in-hand');
    const message = await send('toUsers', { user: id, content: 'leaving' });
    const page = (state: string, wakeAt: string): Promise<unknown> =>
      rows(gateway.database, `UPDATE pages SET state = $2, fence = 1, wake_at = ${wakeAt} WHERE message_id = $1`, [
        message,
        state,
      ]);
    await page('running', `now() + interval '1 minute'`);
    const ends: string[] = [];
    const erasing = call('DELETE', `users/${id}`).then(({ status }) => ends.push(`erased ${status}`));
    await untilTrue(async () => (await tracesIn(gateway.database, ['token-in-hand'])).length === 0);
    const again = call('POST', 'installations', { userId: id, deviceType: 'ios' }, neighbour).then(({ status }) =>
      ends.push(`registered ${status}`),
    );
    expect((await call('GET', `users/${id}/deliveries`)).status).toBe(200);
    expect(ends).toEqual([]);
    await page('finished', 'NULL');
    await Promise.all([erasing, again]);
    expect(ends).toEqual(['erased 200', 'registered 200']);
    expect((await call('GET', `users/${id}`)).body).toMatchObject({ devices: [{ userId: id }], tags: [] });
    await call('DELETE', `users/${id}`);
  });

  it('has the connections of their devices closed before it is answered', async () => {
    const id = 'connected-6';
    const installationId = await register(id, 'token-connected');
    const edges = new EdgesRepository(gateway.database);
    await edges.beat('edge-1');
    const [device] = await rows<{ id: DeviceId }>(
      gateway.database,
      `SELECT id::text AS id FROM installations WHERE app_id = 'shop' AND installation_id = $1`,
      [installationId],
    );
    const deviceId = device?.id ?? '';
    await new PresenceRepository(gateway.database).enter(
      'edge-1',
      [{ appId: 'shop', deviceId, userId: id }],
      new Date(),
    );
    let isAnswered = false;
    const erasing = call('DELETE', `users/${id}`).finally(() => (isAnswered = true));
    await untilTrue(async () => isAnswered || (await edges.findClosures('edge-1')).length > 0);
    const closures = await edges.findClosures('edge-1');
    expect(closures).toMatchObject([{ appId: 'shop', deviceId, reason: 'removed' }]);
    expect(isAnswered).toBe(false);
    await edges.removeClosures('edge-1', closures);
    expect((await erasing).status).toBe(200);
    expect(await rows(gateway.database, `SELECT 1 FROM presence WHERE app_id = 'shop'`, [])).toEqual([]);
  });

  it('goes on where an erasure broke off whose gateway died', async () => {
    const id = 'broken-off-5';
    const device = await register(id, 'token-broken-off');
    const everyone = await send('byQuery', { target: { deviceType: 'android' }, content: 'Hi' });
    await deliver(everyone);
    await report(id, device, {
      type: 1,
      msgId: everyone,
      actionType: 'ACTION_TAKEN',
      actionId: id,
      actionTs: Date.now(),
    });
    const erasure = { appId: 'shop', userId: id, erasureId: randomUUID() };
    await new ErasuresRepository(gateway.database).begin(erasure);
    await new ErasedUsersRepository(gateway.database).removeDevices(erasure, 100);
    await rows(gateway.database, `UPDATE erasures SET ends_at = now() - interval '1 second'`, []);
    expect((await call('DELETE', `users/${id}`)).status).toBe(200);
    await untilTrue(async () => (await rows(gateway.database, `SELECT 1 FROM erasures`, [])).length === 0);
    expect(await tracesIn(gateway.database, [id])).toEqual([]);
  });
});
