import { rows } from '@postrider/persistence';
import { configureVendor, tracesIn } from '@postrider/testing';
import { startTestGateway, type TestAnswer, type TestGateway } from '../testing/test-gateway';

describe('erasing a user', () => {
  let gateway: TestGateway;
  let server: string;

  const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    gateway.request(method, `/api/${path}`, { body, headers: { 'x-access-token': server, ...headers } });
  const send = async (path: string, body: object, key?: string): Promise<TestAnswer> => {
    const answer = await call('POST', `push/${path}`, body, key === undefined ? {} : { 'idempotency-key': key });
    expect(answer.status).toBe(200);
    return answer;
  };
  const register = async (userId: string, deviceToken: string, id?: string): Promise<string> => {
    const device = { userId, deviceType: 'android', deviceToken };
    const answer = await call(
      id === undefined ? 'POST' : 'PUT',
      id === undefined ? 'installations' : `installations/${id}`,
      device,
    );
    expect(answer.status).toBe(200);
    return answer.body.id as string;
  };
  const deliver = (messageId: string): Promise<unknown> =>
    rows(
      gateway.database,
      `WITH settled AS (UPDATE pages SET state = 'finished', wake_at = NULL WHERE message_id = $1)
       INSERT INTO deliveries (app_id, message_id, device_id, state, rank, vendor, vendor_message_id, promo_code)
       SELECT 'shop', $1, i.id, 'sent', 2, 'fcm', 'v-' || i.user_id, 'code-' || i.user_id
       FROM installations i JOIN messages m ON m.id = $1 AND (m.user_ids IS NULL OR i.user_id = ANY (m.user_ids))
       WHERE i.app_id = 'shop' AND m.app_id = 'shop'`,
      [messageId],
    );
  const idOf = ({ headers }: TestAnswer): string => headers['x-message-id'] as string;
  const deliveriesOf = async (messageId: string): Promise<unknown> =>
    (await call('GET', `push/messages/${messageId}/deliveries`)).body.deliveries.map(
      ({ userId }: { userId: string }) => userId,
    );

  beforeAll(async () => {
    gateway = await startTestGateway();
    server = await gateway.application('shop');
    await configureVendor(gateway.database, 'shop', 'fcm');
  });

  afterAll(() => gateway.close());

  it('takes their deliveries from devices that are others’ by now, and leaves what was meant for those', async () => {
    const [id, heir, friend] = ['first-owner-7', 'heir-of-7', 'friend-of-7'];
    const phone = await register(id, 'token-that-moves');
    await register(friend, 'token-of-the-friend');
    const messages = [
      idOf(await send('toUsers', { user: id, content: 'yours alone' })),
      idOf(await send('toUsers', { users: [id, friend], content: 'for both' })),
      idOf(await send('byQuery', { target: { deviceType: 'android' }, content: 'for all' })),
    ];
    for (const message of messages) await deliver(message);
    expect(await call('POST', 'installations/events', reportOf(phone, id, messages[1] ?? ''))).toMatchObject({
      status: 200,
    });
    await register(heir, 'token-that-moves', phone);
    const later = idOf(await send('byQuery', { target: { deviceType: 'android' }, content: 'for all again' }));
    await deliver(later);
    const totals = async (): Promise<unknown> =>
      (await Promise.all([...messages, later].map((message) => call('GET', `push/messages/${message}`)))).map(
        ({ body }) => body.totals,
      );
    const before = await totals();
    expect((await call('GET', `users/${id}/deliveries`)).body.deliveries).toHaveLength(3);

    expect(await call('DELETE', `users/${id}`)).toMatchObject({
      status: 200,
      body: { devices: 0, messages: 2, deliveries: 3 },
    });
    expect(await tracesIn(gateway.database, [id])).toEqual([]);
    expect(await totals()).toEqual(before);
    const heirs = (await call('GET', `users/${heir}/deliveries`)).body.deliveries;
    expect(heirs).toEqual([expect.objectContaining({ messageId: later })]);
    expect(await deliveriesOf(messages[2] ?? '')).toEqual([friend]);
    expect((await call('GET', `push/messages/${messages[0]}`)).body.totals).toMatchObject({ sent: 1 });
  });

  it('makes idempotency keys unreadable that told of them, and still knows a request that is repeated', async () => {
    const [id, other] = ['keyed-user-8', 'other-8'];
    await register(id, 'token-keyed');
    await register(other, 'token-other-8');
    const requests = [
      ['toUsers', { user: id, content: 'Your parcel' }, 'parcel-9917'],
      ['toUsers', { users: [id, other], content: 'Two of you' }, `pair/${id}/${other}`],
      ['byQuery', { target: { deviceType: 'android' }, content: 'Hello' }, `welcome:${id}`],
      ['byQuery', { target: { deviceType: 'android' }, content: 'Hello' }, 'unrelated-key'],
    ] as const;
    const first = [];
    for (const [path, body, key] of requests) first.push(await send(path, body, key));
    expect((await call('DELETE', `users/${id}`)).status).toBe(200);
    expect(await tracesIn(gateway.database, [id, 'parcel-9917'])).toEqual([]);
    expect(await tracesIn(gateway.database, ['unrelated-key'])).toEqual(['idempotency_keys.key: unrelated-key']);
    const again = [];
    for (const [path, body, key] of requests) again.push(await send(path, body, key));
    expect(again.map(({ headers }) => headers['idempotent-replayed'])).toEqual(requests.map(() => 'true'));
    expect(again.map(idOf)).toEqual(first.map(idOf));
    const changed = await call(
      'POST',
      'push/toUsers',
      { user: other, content: '!' },
      { 'idempotency-key': 'parcel-9917' },
    );
    expect(changed.status).toBe(422);
    expect(await tracesIn(gateway.database, [id])).toEqual([]);
  });

  it('renames campaigns that were theirs alone under a name that told of them, with their sums, and no others', async () => {
    const [id, other] = ['campaigner-9', 'other-9'];
    await register(id, 'token-campaigner');
    await register(other, 'token-other-9');
    const [own, shared] = [`birthday-${id}`, `friends-of-${id}`];
    await call('POST', 'push/campaigns', { trackId: own, name: `For ${id}` });
    const sent = [
      idOf(await send('toUsers', { user: id, content: 'One', trackId: own })),
      idOf(await send('toUsers', { user: id, content: 'Two', trackId: own })),
      idOf(await send('toUsers', { user: other, content: 'Three', trackId: shared })),
      idOf(await send('toUsers', { user: id, content: 'Four', trackId: 'spring' })),
    ];
    for (const message of sent) await deliver(message);
    await tellOf(sent[0] ?? '', own);
    const before = (await call('GET', `push/campaigns/${own}/stats`)).body.totals;
    expect((await call('DELETE', `users/${id}`)).status).toBe(200);
    expect(await tracesIn(gateway.database, [own, `For ${id}`])).toEqual([]);
    expect(await tracesIn(gateway.database, [id])).toEqual([`messages.content: ${id}`, `messages.track_id: ${id}`]);
    const trackIds = await Promise.all(
      sent.map(async (one) => (await call('GET', `push/messages/${one}`)).body.trackId),
    );
    expect(trackIds).toEqual([expect.stringMatching(/^erased-[0-9a-f-]{36}$/), trackIds[0], shared, 'spring']);
    expect((await call('GET', `push/campaigns/${trackIds[0]}/stats`)).body.totals).toEqual(before);
    const [told] = await rows<{ data: { trackId: string } }>(gateway.database, `SELECT data FROM webhook_events`, []);
    expect(told?.data.trackId).toBe(trackIds[0]);
  });

  function tellOf(messageId: string, trackId: string): Promise<unknown> {
    return rows(
      gateway.database,
      `WITH webhook AS (
         INSERT INTO webhooks (app_id, webhook_id, url, events, sealed, created_at, updated_at)
         VALUES ('shop', gen_random_uuid(), 'https://example.com/', '{}', '', now(), now()) RETURNING webhook_id
       )
       INSERT INTO webhook_events (app_id, webhook_id, type, data) SELECT 'shop', webhook_id, 'message.done', $1 FROM webhook`,
      [JSON.stringify({ messageId, trackId, clientId: null, kind: 'users', count: 1 })],
    );
  }
});

function reportOf(installationId: string, userId: string, msgId: string): object {
  return {
    installationId,
    userId,
    eventData: [{ type: 1, msgId, actionType: 'ACTION_TAKEN', actionId: `yes-${userId}`, actionTs: Date.now() }],
  };
}
