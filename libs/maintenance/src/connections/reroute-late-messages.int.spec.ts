import { randomUUID } from 'node:crypto';
import { DAY_MS, type DeviceId } from '@postrider/domain';
import { newId } from '@postrider/platform';
import { createThrowAwayDatabase, type ThrowAwayDatabase, emptyTables } from '@postrider/testing';
import { PartitionsRepository, WaitingDeliveriesRepository } from '@postrider/persistence';

const NOW = new Date();
const LATE = new Date(NOW.getTime() - 11_000);
const limits = { now: NOW, routedBefore: new Date(NOW.getTime() - 10_000), limit: 1_000, pageSize: 2 };

interface WaitingDevice {
  vendor?: string | null;
  content?: object;
  routedAt?: Date;
  userSince?: Date;
  state?: string;
  userProof?: number;
}

describe('messages that a connection has not acknowledged in time', () => {
  let throwAway: ThrowAwayDatabase;
  const query = <T>(text: string, values: unknown[] = []): Promise<T[]> => throwAway.dataSource.query(text, values);

  beforeAll(async () => {
    throwAway = await createThrowAwayDatabase();
    await query(
      `INSERT INTO applications (app_id, name, identity_key_sealed, require_user_hash) VALUES ('shop', 'Shop', '', true)`,
    );
    await query(`INSERT INTO vendor_credentials (app_id, vendor, settings, sealed) VALUES ('shop', 'fcm', '{}', '')`);
  });
  afterAll(() => throwAway.drop());
  afterEach(() => emptyTables(throwAway.dataSource, 'deliveries', 'pages', 'messages'));

  const message = async (content: object = {}, day = LATE): Promise<string> => {
    const id = newId(day);
    await query(
      `INSERT INTO messages (app_id, id, kind, is_campaign, lane, audience, channel, content, status, count, resolve_ceiling,
         accepted_at, expires_at, inbox_ends_at)
       VALUES ('shop', $1, 'users', false, 'transactional', '{}', 'public/default', $2, 'done', 1, 0, $3, $4, $4)`,
      [id, { content: 'Hello', ...content }, LATE, new Date(NOW.getTime() + 60_000)],
    );
    return id;
  };
  const routed = async (messageId: string, device: WaitingDevice = {}): Promise<string> => {
    const { vendor = 'fcm', routedAt = LATE, userSince = new Date(0), state = 'pending', userProof = 2 } = device;
    const [row] = await query<{ id: string }>(
      `INSERT INTO installations (app_id, installation_id, user_id, push_type, token, user_since, user_proof)
       VALUES ('shop', $1::uuid, 'ann', $2::text, CASE WHEN $2::text IS NOT NULL THEN $1::uuid::text END, $3, $4) RETURNING id::text`,
      [randomUUID(), vendor, userSince, userProof],
    );
    await query(
      `INSERT INTO deliveries (app_id, message_id, device_id, state, rank, vendor, edge_id, created_at)
       VALUES ('shop', $1, $2, $3::text, CASE $3::text WHEN 'pending' THEN 0 ELSE 3 END, 'connection', 'edge-that-died', $4)`,
      [messageId, row?.id, state, routedAt],
    );
    return row?.id ?? '';
  };
  const delivery = async (deviceId: DeviceId): Promise<object | undefined> => {
    const [found] = await query<object>(
      `SELECT state, vendor, edge_id, in_inbox FROM deliveries WHERE device_id = $1`,
      [deviceId],
    );
    return found;
  };

  it('go to the vendor as well, in pages, once, and stay in the inbox', async () => {
    const id = await message();
    const devices = [await routed(id), await routed(id), await routed(id)];
    const { pages, deliveries } = await new WaitingDeliveriesRepository(throwAway.dataSource).reroute(limits);
    expect(deliveries).toBe(3);
    expect(pages).toHaveLength(2);
    expect(pages[0]).toMatchObject({ appId: 'shop', messageId: id, vendor: 'fcm', lane: 'transactional' });
    const written = await query<{ device_ids: string[] }>(`SELECT device_ids FROM pages ORDER BY device_ids`);
    expect(written.flatMap(({ device_ids }) => device_ids)).toEqual(devices);
    for (const device of devices) {
      expect(await delivery(device)).toEqual({ state: 'pending', vendor: 'fcm', edge_id: null, in_inbox: true });
    }
    expect(await new WaitingDeliveriesRepository(throwAway.dataSource).reroute(limits)).toEqual({
      deliveries: 0,
      pages: [],
    });
  });

  it('of several days go to the vendor in one turn, on pages of their days', async () => {
    const yesterday = new Date(LATE.getTime() - DAY_MS);
    await new PartitionsRepository(throwAway.dataSource).ensure(yesterday, 0);
    const ids = [await message(), await message({}, yesterday)];
    for (const id of ids) await routed(id);
    const { pages, deliveries } = await new WaitingDeliveriesRepository(throwAway.dataSource).reroute(limits);
    expect(deliveries).toBe(2);
    expect(pages.map(({ messageId }) => messageId).toSorted()).toEqual(ids.toSorted());
    expect(await query(`SELECT message_id FROM pages ORDER BY message_id`)).toEqual(
      ids.toSorted().map((id) => ({ message_id: id })),
    );
  });

  it.each<[string, WaitingDevice]>([
    ['the device has no token', { vendor: null }],
    ['the application has no credentials for its vendor', { vendor: 'hms' }],
    ['the message is for the open app alone', { content: { inApp: true } }],
    ['the message is for this moment alone', { content: { live: true } }],
    ['the device has another owner since', { userSince: NOW }],
    ['the device has not proved its user, as the application requires', { userProof: 0 }],
  ])('stay in the inbox alone where %s', async (_, device) => {
    const id = await message(device.content);
    const waiting = await routed(id, device);
    expect(await new WaitingDeliveriesRepository(throwAway.dataSource).reroute(limits)).toEqual({
      deliveries: 1,
      pages: [],
    });
    expect(await delivery(waiting)).toEqual({ state: 'pending', vendor: 'connection', edge_id: null, in_inbox: null });
  });

  it('are left alone while there is time, and when they were acknowledged', async () => {
    const id = await message();
    const early = await routed(id, { routedAt: NOW });
    const delivered = await routed(id, { state: 'delivered' });
    expect((await new WaitingDeliveriesRepository(throwAway.dataSource).reroute(limits)).pages).toEqual([]);
    expect(await delivery(early)).toMatchObject({ edge_id: 'edge-that-died' });
    expect(await delivery(delivered)).toMatchObject({ state: 'delivered', vendor: 'connection' });
  });

  it('are handed on once by any number of workers at the same time', async () => {
    const id = await message();
    for (let n = 0; n < 20; n++) await routed(id);
    const turns = await Promise.all(
      [1, 2, 3, 4].map(() => new WaitingDeliveriesRepository(throwAway.dataSource).reroute({ ...limits, limit: 7 })),
    );
    const rest = await new WaitingDeliveriesRepository(throwAway.dataSource).reroute(limits);
    expect([...turns, rest].reduce((sum, { deliveries }) => sum + deliveries, 0)).toBe(20);
    const [{ n }] = (await query<{ n: number }>(`SELECT sum(cardinality(device_ids))::int AS n FROM pages`)) as [
      { n: number },
    ];
    expect(n).toBe(20);
  });
});
