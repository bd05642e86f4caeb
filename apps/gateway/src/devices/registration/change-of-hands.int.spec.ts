import type { DeviceId } from '@postrider/domain';
import { PagesRepository, rows } from '@postrider/persistence';
import { newId } from '@postrider/platform';
import { untilTrue } from '@postrider/testing';
import { startTestGateway, type TestAnswer, type TestGateway } from '../../testing/test-gateway';

/** The first checks may have begun before the state that the test waits for. */
const LOOKS = 4;

describe('a phone that gets another owner', () => {
  let gateway: TestGateway;
  let client: string;

  beforeAll(async () => {
    gateway = await startTestGateway();
    await gateway.application('shop');
    client = await gateway.token('shop', ['devices']);
  });
  afterAll(() => gateway.close());

  const call = (method: string, path: string, body?: unknown): Promise<TestAnswer> =>
    gateway.request(method, `/api/installations${path}`, { body, headers: { 'x-access-token': client } });
  const query = <T>(text: string, values: unknown[] = []): Promise<T[]> => rows<T>(gateway.database, text, values);
  const phone = async (userId: string): Promise<{ id: string; deviceId: DeviceId }> => {
    const { body } = await call('POST', '', {
      userId,
      deviceType: 'android',
      deviceToken: `token-${userId}`,
      realtime: true,
    });
    const [row] = await query<{ id: string }>(`SELECT id FROM installations WHERE installation_id = $1`, [body.id]);
    return { id: body.id as string, deviceId: row?.id ?? '' };
  };
  const changeOwner = (id: string, former: string, heir: string): Promise<TestAnswer> =>
    call('PUT', `/${id}`, { userId: heir, deviceType: 'android', deviceToken: `token-${former}`, realtime: true });
  const ownerOf = async (deviceId: DeviceId): Promise<string | undefined> =>
    (await query<{ owner: string }>(`SELECT user_id AS owner FROM installations WHERE id = $1`, [deviceId]))[0]?.owner;
  const message = async (userIds: string[] | null, acceptedAt = new Date()): Promise<string> => {
    const id = newId(acceptedAt);
    await query(
      `INSERT INTO messages (app_id, id, kind, is_campaign, lane, audience, channel, content, count, resolve_ceiling, user_ids,
         accepted_at, expires_at)
       VALUES ('shop', $1, 'users', false, 'transactional', '{}', 'public/default', '{"content":"Hello"}', 1, 0, $2, $3, $4)`,
      [id, userIds, acceptedAt, new Date(acceptedAt.getTime() + 60_000)],
    );
    return id;
  };
  const page = async (
    messageId: string,
    deviceId: DeviceId,
  ): Promise<{ appId: string; messageId: string; pageId: string }> => {
    const pageId = newId();
    await query(
      `INSERT INTO pages (app_id, message_id, id, vendor, lane, device_ids) VALUES ('shop', $1, $2, 'fcm', 'transactional', $3)`,
      [messageId, pageId, [deviceId]],
    );
    return { appId: 'shop', messageId, pageId };
  };
  const record = (messageId: string, deviceId: DeviceId, state = 'sent'): Promise<unknown> =>
    query(
      `INSERT INTO deliveries (app_id, message_id, device_id, state, rank, vendor) VALUES ('shop', $1, $2, $3, 2, 'fcm')`,
      [messageId, deviceId, state],
    );
  const claim = (key: { appId: string; messageId: string; pageId: string }) =>
    new PagesRepository(gateway.database).claim(key, {
      leasedBy: 'w',
      now: new Date(),
      leaseUntil: new Date(Date.now() + 60_000),
    });

  /** The gateway has checked repeatedly if a worker has the device, or it has answered. */
  const isLookedAt = async (isAnswered: () => boolean): Promise<void> => {
    const looks = new Set<string>();
    await untilTrue(async () => {
      const seen = await query<{ at: string }>(
        `SELECT query_start::text AS at FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid()
           AND (query LIKE '%xact_start ' || '<=%' OR query LIKE '%p.device_ids ' || '@>%')`,
      );
      for (const { at } of seen) looks.add(at);
      return looks.size >= LOOKS || isAnswered();
    });
  };

  it('is its new owner’s when no worker has it in hand for the former one any more, not before', async () => {
    const { id, deviceId } = await phone('ann');
    const messageId = await message(['ann']);
    const claimed = await claim(await page(messageId, deviceId));
    expect(claimed?.devices).toMatchObject([{ userId: 'ann', hasChangedHands: false }]);
    let isAnswered = false;
    const answer = changeOwner(id, 'ann', 'bob').finally(() => (isAnswered = true));
    await untilTrue(async () => (await ownerOf(deviceId)) === 'bob');
    await isLookedAt(() => isAnswered);
    expect(isAnswered).toBe(false);
    await record(messageId, deviceId);
    expect((await answer).body).toMatchObject({ userId: 'bob' });
  });

  it('waits for a claim that began before the change, and reads the former owner', async () => {
    const { id, deviceId } = await phone('cleo');
    const messageId = await message(['cleo']);
    const key = await page(messageId, deviceId);
    const holder = gateway.database.createQueryRunner();
    await holder.startTransaction();
    await holder.query(`SELECT FROM pages WHERE id = $1 FOR UPDATE`, [key.pageId]);
    const claiming = claim(key);
    const isWaited = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    await untilTrue(async () => (await query(isWaited)).length > 0);
    let isAnswered = false;
    const answer = changeOwner(id, 'cleo', 'dora').finally(() => (isAnswered = true));
    await untilTrue(async () => (await ownerOf(deviceId)) === 'dora');
    await isLookedAt(() => isAnswered);
    expect(isAnswered).toBe(false);
    await holder.rollbackTransaction();
    await holder.release();
    // It was claimed for the former owner, so the answer waits for the end of that page.
    expect((await claiming)?.devices).toMatchObject([{ userId: 'cleo', hasChangedHands: false }]);
    await isLookedAt(() => isAnswered);
    expect(isAnswered).toBe(false);
    await record(messageId, deviceId);
    expect((await answer).status).toBe(200);
  });

  it('shows its new owner nothing that names the former one, and nothing of before, whenever it was routed', async () => {
    const { id, deviceId } = await phone('eve');
    const during = await message(null);
    await changeOwner(id, 'eve', 'fay');
    const named = await message(['eve'], new Date(Date.now() + 5));
    const own = await message(['fay'], new Date(Date.now() + 6));
    for (const messageId of [during, named, own]) await record(messageId, deviceId);
    const { body } = await call('GET', `/${id}/inbox`);
    expect(body.messages.map((one: { id: string }) => one.id)).toEqual([own]);
    expect((await call('POST', `/${id}/inbox/read`)).body).toEqual({ count: 1 });
    const claimed = await claim(await page(named, deviceId));
    expect(claimed?.devices).toMatchObject([{ userId: 'fay', hasChangedHands: true }]);
  });

  it('leaves deliveries with the user whom they were meant for', async () => {
    const { id, deviceId } = await phone('gil');
    const [named, group] = [await message(['gil']), await message(null)];
    for (const messageId of [named, group]) await record(messageId, deviceId);
    await changeOwner(id, 'gil', 'hal');
    const own = await message(['hal'], new Date(Date.now() + 5));
    await record(own, deviceId);
    const server = await gateway.token('shop', ['read']);
    const read = async (path: string): Promise<TestAnswer['body']> =>
      (await gateway.request('GET', `/api/${path}`, { headers: { 'x-access-token': server } })).body;
    for (const [messageId, user, other] of [
      [named, 'gil', 'hal'],
      [group, 'gil', 'hal'],
      [own, 'hal', 'gil'],
    ] as const) {
      const { deliveries } = await read(`push/messages/${messageId}/deliveries`);
      expect(deliveries).toMatchObject([{ userId: user, installationId: id }]);
      const theirs = await read(`push/messages/${messageId}/devices?userId=${user}`);
      expect(theirs.devices).toMatchObject([{ installation: { id, userId: user }, delivery: { userId: user } }]);
      const others = await read(`push/messages/${messageId}/devices?userId=${other}`);
      expect(others.devices.filter((one: { delivery: unknown }) => one.delivery !== null)).toEqual([]);
    }
    const idsOf = async (user: string): Promise<string[]> =>
      (await read(`users/${user}/deliveries`)).deliveries.map((one: { messageId: string }) => one.messageId);
    expect(await idsOf('gil')).toEqual([group, named]);
    expect(await idsOf('hal')).toEqual([own]);
  });

  it('leaves a message that names both owners with the one who had the device when it was sent', async () => {
    const { id, deviceId } = await phone('ida');
    const [sent, waiting] = [await message(['ida', 'jon']), await message(['ida', 'jon'])];
    const key = await page(waiting, deviceId);
    await record(sent, deviceId);
    await changeOwner(id, 'ida', 'jon');
    const server = await gateway.token('shop', ['read']);
    const read = async (path: string): Promise<TestAnswer['body']> =>
      (await gateway.request('GET', `/api/${path}`, { headers: { 'x-access-token': server } })).body;
    expect((await read(`push/messages/${sent}/deliveries`)).deliveries).toMatchObject([{ userId: 'ida' }]);
    expect((await read('users/ida/deliveries')).deliveries).toMatchObject([{ messageId: sent }]);
    expect((await read('users/jon/deliveries')).deliveries).toEqual([]);
    expect((await call('GET', `/${id}/inbox`)).body.messages).toEqual([]);
    expect((await claim(key))?.devices).toMatchObject([{ userId: 'jon', hasChangedHands: true }]);
  });
});
