import { createHmac } from 'node:crypto';
import { rows } from '@postrider/persistence';
import { newId } from '@postrider/platform';
import { startTestGateway, TEST_ADMIN_TOKEN, type TestAnswer, type TestGateway } from '../../testing/test-gateway';

describe('the inbox of a device', () => {
  let gateway: TestGateway;
  let client: string;

  beforeAll(async () => {
    gateway = await startTestGateway({ publicUrl: 'https://push.example' });
    await gateway.application('shop');
    client = await gateway.token('shop', ['devices']);
  });
  afterAll(() => gateway.close());

  function call(method: string, path: string, body?: unknown, token = client, headers = {}): Promise<TestAnswer> {
    return gateway.request(method, `/api/installations${path}`, {
      body,
      headers: { 'x-access-token': token, ...headers },
    });
  }
  async function register(userId: string, token = client): Promise<string> {
    return (await call('POST', '', { userId, deviceType: 'ios', realtime: true }, token)).body.id as string;
  }

  async function deliver(
    to: string,
    content: object,
    { state = 'delivered', kind = 'users', ageMs = 0, ttlMs = 60_000, appId = 'shop', status = 'accepted' } = {},
  ): Promise<string> {
    const acceptedAt = new Date(Date.now() + 1 - ageMs);
    const id = newId(acceptedAt);
    await rows(
      gateway.database,
      `INSERT INTO messages (app_id, id, kind, is_campaign, lane, audience, channel, content, count, resolve_ceiling, status,
         accepted_at, expires_at)
       VALUES ($1, $2, $3, false, 'transactional', '{}', 'public/default', $4, 1, 0, $5, $6, $7)`,
      [
        appId,
        id,
        kind,
        JSON.stringify({ useAsAlert: false, silent: false, inApp: false, live: false, autoNotify: false, ...content }),
        status,
        acceptedAt,
        new Date(acceptedAt.getTime() + ttlMs),
      ],
    );
    await rows(
      gateway.database,
      `INSERT INTO deliveries (app_id, message_id, device_id, state, rank, vendor)
       SELECT app_id, $1, id, $3, 0, 'connection' FROM installations WHERE installation_id = $2`,
      [id, to, state],
    );
    return id;
  }

  const idsIn = ({ body }: TestAnswer): string[] => body.messages.map(({ id }: { id: string }) => id);

  it('shows what was sent in the language that it was sent in, and what waits in that of the device', async () => {
    const speaker = await register('polyglot');
    await rows(gateway.database, `UPDATE installations SET locale = 'de-CH' WHERE installation_id = $1`, [speaker]);
    const localized = { fa: { content: 'سلام' }, de: { content: 'Hallo {{ user.id }}' }, fr: {} };
    const texts = async (): Promise<unknown> =>
      (await call('GET', `/${speaker}/inbox`)).body.messages.map(({ content }: { content: string }) => content);
    await deliver(speaker, { content: 'Hello', localized }, { state: 'pending' });
    const sent = await deliver(speaker, { content: 'Hello', localized });
    await rows(gateway.database, `UPDATE deliveries SET language = 'fa' WHERE message_id = $1`, [sent]);
    await deliver(speaker, { content: 'Hello', localized });
    expect(await texts()).toEqual(['Hello', 'سلام', 'Hallo polyglot']);
    await rows(gateway.database, `UPDATE installations SET locale = NULL WHERE installation_id = $1`, [speaker]);
    await rows(gateway.database, `UPDATE users SET attributes = '{"locale":"fr_FR"}' WHERE user_id = 'polyglot'`);
    expect(await texts()).toEqual(['Hello', 'سلام', 'Hello']);
  });

  it('shows what is kept, newest first, as this device gets it', async () => {
    const phone = await register('ada');
    await rows(gateway.database, `UPDATE users SET attributes = '{"name":"Ada"}' WHERE user_id = 'ada'`);
    const hello = await deliver(phone, {
      content: 'Hello {{ user.name }}',
      notification: { title: 'Hi', actions: [{ id: 'go', title: 'Go', url: 'shop://x' }] },
    });
    const pending = await deliver(
      phone,
      {
        content: 'Later',
        trackLinks: true,
        notification: { title: 'x', clickUrl: 'https://shop.example/a' },
      },
      { state: 'pending' },
    );
    await deliver(phone, { content: 'silent', silent: true });
    await deliver(phone, { content: 'live', live: true });
    await deliver(phone, { content: 'vendor push alone' }, { kind: 'notify' });
    await deliver(phone, { content: 'expired' }, { ttlMs: -1 });
    await deliver(phone, { content: 'failed' }, { state: 'failed' });
    await deliver(phone, { content: 'cancelled' }, { state: 'pending', status: 'cancelled' });
    await deliver(phone, { content: 'for the former owner' }, { ageMs: 600_000, ttlMs: 1_200_000 });
    const answer = await call('GET', `/${phone}/inbox`);
    expect(answer.status).toBe(200);
    expect(idsIn(answer)).toEqual([pending, hello]);
    expect(answer.body).toMatchObject({ unread: 2, nextCursor: null });
    expect(answer.body.messages[1]).toMatchObject({
      id: hello,
      content: 'Hello Ada',
      read: false,
      readAt: null,
      state: 'delivered',
      notification: { title: 'Hi', actions: [{ id: 'go', options: 4, url: 'shop://x' }] },
    });
    expect(answer.body.messages[0].notification.clickUrl).toMatch(/^https:\/\/push\.example\/t\/l\//);
  });

  it('dates a scheduled message by the time at which it was sent, as the push of it did', async () => {
    const watch = await register('planner');
    const id = await deliver(watch, { content: 'At {{ message.createdAt }}' });
    const [sent] = await rows<{ sendAt: Date }>(
      gateway.database,
      `UPDATE messages SET send_at = accepted_at, accepted_at = accepted_at - interval '3 days' WHERE id = $1
       RETURNING send_at AS "sendAt"`,
      [id],
    );
    const { body } = await call('GET', `/${watch}/inbox`);
    expect(body.messages).toMatchObject([
      { createdAt: sent?.sendAt.getTime(), content: `At ${sent?.sendAt.toISOString() ?? ''}` },
    ]);
  });

  it('is read in pages, marked as read, and emptied', async () => {
    const tablet = await register('bea');
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) ids.unshift(await deliver(tablet, { content: `number ${n}` }, { ageMs: -n }));
    const first = await call('GET', `/${tablet}/inbox?limit=2`);
    expect(idsIn(first)).toEqual(ids.slice(0, 2));
    const second = await call('GET', `/${tablet}/inbox?limit=3&cursor=${first.body.nextCursor}`);
    expect(idsIn(second)).toEqual(ids.slice(2));
    expect(second.body).toMatchObject({ unread: 5, nextCursor: null });
    expect((await call('POST', `/${tablet}/inbox/${ids[0] ?? ''}/read`)).body).toEqual({ count: 1 });
    expect((await call('POST', `/${tablet}/inbox/${ids[0] ?? ''}/read`)).body).toEqual({ count: 1 });
    expect((await call('POST', `/${tablet}/inbox/${newId()}/read`)).status).toBe(404);
    expect((await call('DELETE', `/${tablet}/inbox/${ids[1] ?? ''}`)).body).toEqual({ count: 1 });
    expect((await call('DELETE', `/${tablet}/inbox/${ids[1] ?? ''}`)).body).toEqual({ count: 0 });
    const event = { type: 1, msgId: ids[2], actionType: 'OPENED', actionTs: Date.now() };
    await call('POST', '/events', { installationId: tablet, userId: 'bea', eventData: [event] });
    const left = await call('GET', `/${tablet}/inbox`);
    expect(left.body.messages.map(({ read }: { read: boolean }) => read)).toEqual([true, true, false, false]);
    expect(left.body.unread).toBe(2);
    expect((await call('POST', `/${tablet}/inbox/read`)).body).toEqual({ count: 4 });
    expect((await call('GET', `/${tablet}/inbox`)).body.unread).toBe(0);
    expect((await call('GET', `/${tablet}/inbox?limit=0&cursor=x`)).body.error.details).toHaveLength(2);
  });

  it('is counted and marked as read as a whole, however much there is', async () => {
    const full = await register('fay');
    const at = Date.now();
    const ids = Array.from({ length: 1_200 }, (_, n) => newId(new Date(at - n)));
    await rows(
      gateway.database,
      `INSERT INTO messages (app_id, id, kind, is_campaign, lane, audience, channel, content, count, resolve_ceiling, accepted_at,
         expires_at)
       SELECT 'shop', id, 'query', true, 'campaign', '{}', 'public/default', '{"content":"Hello"}', 1, 0,
         now() + interval '1 second', now() + interval '1 hour'
       FROM unnest($1::uuid[]) AS id`,
      [ids],
    );
    await rows(
      gateway.database,
      `INSERT INTO deliveries (app_id, message_id, device_id, state, rank, vendor)
       SELECT 'shop', m.id, i.id, 'delivered', 3, 'connection' FROM unnest($1::uuid[]) AS m (id)
       JOIN installations i ON i.installation_id = $2`,
      [ids, full],
    );
    expect((await call('GET', `/${full}/inbox`)).body.unread).toBe(1_200);
    expect((await call('POST', `/${full}/inbox/read`)).body).toEqual({ count: 1_200 });
    expect((await call('GET', `/${full}/inbox`)).body.unread).toBe(0);
    expect(
      await rows(gateway.database, `SELECT FROM inbox_marks WHERE read_at IS NOT NULL AND message_id = ANY ($1)`, [
        ids,
      ]),
    ).toHaveLength(1_200);
  });

  it('has at once what waits for a push service, whether or not a worker has its page in hand', async () => {
    const mobile = await register('gil');
    await register('another of the page');
    const gil = `SELECT id FROM installations WHERE installation_id = '${mobile}'`;
    await rows(gateway.database, `UPDATE installations SET push_type = 'fcm', token = 'gil' WHERE id = (${gil})`);
    const waits = async (): Promise<string> => {
      const id = await deliver(mobile, { content: 'Hello' });
      await rows(gateway.database, `DELETE FROM deliveries WHERE message_id = $1`, [id]);
      await rows(
        gateway.database,
        `INSERT INTO pages (app_id, message_id, id, vendor, lane, device_ids) SELECT 'shop', $1, $1, 'fcm', 'campaign',
           ARRAY(SELECT id FROM installations WHERE app_id = 'shop' ORDER BY id)`,
        [id],
      );
      return id;
    };
    const unclaimed = await waits();
    expect((await call('GET', `/${mobile}/inbox`)).body).toMatchObject({
      messages: [{ id: unclaimed, state: 'pending', read: false }],
      unread: 1,
    });
    const given = await waits();
    await rows(gateway.database, `UPDATE pages SET fence = 1, not_before = now() WHERE message_id = $1`, [given]);
    expect((await call('POST', `/${mobile}/inbox/read`)).body).toEqual({ count: 2 });
    expect(idsIn(await call('GET', `/${mobile}/inbox`))).toEqual([given, unclaimed]);
    const inHand = await waits();
    await rows(gateway.database, `UPDATE pages SET state = 'running', fence = 1 WHERE message_id = $1`, [inHand]);
    expect(idsIn(await call('GET', `/${mobile}/inbox`))).toEqual([inHand, given, unclaimed]);
    expect(await rows(gateway.database, `SELECT vendor, in_inbox FROM deliveries WHERE device_id = (${gil})`)).toEqual(
      Array(3).fill({ vendor: 'fcm', in_inbox: true }),
    );
  });

  it('keeps what the push service of the device refused, because it still waits for the connection', async () => {
    const device = await register('kim');
    const id = await deliver(device, { content: 'Hello' }, { state: 'failed' });
    expect(idsIn(await call('GET', `/${device}/inbox`))).toEqual([]);
    await rows(gateway.database, `UPDATE deliveries SET vendor = 'apns', in_inbox = true WHERE message_id = $1`, [id]);
    expect((await call('GET', `/${device}/inbox`)).body).toMatchObject({
      messages: [{ id, state: 'pending', read: false }],
      unread: 1,
    });
    expect((await call('POST', `/${device}/inbox/read`)).body).toEqual({ count: 1 });
    await rows(gateway.database, `UPDATE messages SET status = 'cancelled' WHERE id = $1`, [id]);
    expect(idsIn(await call('GET', `/${device}/inbox`))).toEqual([]);
  });

  it('has a message that was scheduled before the device was registered, and was sent afterwards', async () => {
    const fresh = await register('hal');
    const id = await deliver(fresh, { content: 'Hello' }, { ageMs: 60_000, ttlMs: 600_000 });
    expect(idsIn(await call('GET', `/${fresh}/inbox`))).toEqual([]);
    await rows(gateway.database, `UPDATE messages SET send_at = now() + interval '1 second' WHERE id = $1`, [id]);
    expect(idsIn(await call('GET', `/${fresh}/inbox`))).toEqual([id]);
  });

  it('is the own installation’s alone', async () => {
    const phone = await register('lea');
    await gateway.application('other');
    const stranger = await gateway.token('other', ['devices']);
    expect((await call('GET', `/${phone}/inbox`, undefined, stranger)).status).toBe(404);
    expect((await call('GET', `/${newId()}/inbox`)).status).toBe(404);
    expect((await call('GET', '/nonsense/inbox')).status).toBe(404);
    const sender = await gateway.token('shop', ['send']);
    expect((await call('GET', `/${phone}/inbox`, undefined, sender)).status).toBe(403);
  });

  it('asks for the hash of the user where the application requires it', async () => {
    const made = await gateway.request('POST', '/api/admin/apps', {
      body: { id: 'guarded', name: 'Guarded', requireUserHash: true },
      headers: { authorization: `Bearer ${TEST_ADMIN_TOKEN}` },
    });
    const { identityKey, tokens } = made.body;
    const userHash = createHmac('sha256', identityKey).update('cleo').digest('hex');
    const { body } = await call('POST', '', { userId: 'cleo', userHash, deviceType: 'ios' }, tokens.client);
    const path = `/${body.id as string}/inbox`;
    expect((await call('GET', path, undefined, tokens.client)).status).toBe(401);
    expect((await call('POST', `${path}/read`, undefined, tokens.client)).status).toBe(401);
    expect(
      (await call('DELETE', `${path}/${newId()}`, undefined, tokens.client, { 'x-user-hash': 'f'.repeat(64) })).status,
    ).toBe(401);
    expect((await call('GET', `${path}?userHash=${userHash}`, undefined, tokens.client)).status).toBe(200);
    expect((await call('GET', path, undefined, tokens.client, { 'x-user-hash': userHash })).status).toBe(200);
    expect((await call('GET', path, undefined, tokens.server)).status).toBe(200);
  });

  it('leaves out what cannot be made for its device, and shows the rest', async () => {
    const device = await register('zoe');
    await deliver(device, { content: '{% for i in (9007199254740992..9007199254740994) %}x{% endfor %}' });
    const id = await deliver(device, { content: '{% if true %}shown{% endif %}' });
    const answer = await call('GET', `/${device}/inbox`);
    expect(answer.body).toMatchObject({ messages: [{ id, content: 'shown' }], unread: 1 });
    await call('POST', `/${device}/inbox/${id}/read`);
    expect((await call('GET', `/${device}/inbox`)).body.unread).toBe(0);
    await call('POST', `/${device}/inbox/read`);
    expect((await call('GET', `/${device}/inbox`)).body.unread).toBe(0);
  });
});
