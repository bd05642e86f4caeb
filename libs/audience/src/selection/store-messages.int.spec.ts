import { createThrowAwayDatabase, type ThrowAwayDatabase, emptyTables } from '@postrider/testing';
import type { Database } from '@postrider/persistence';
import { type Reach, versionSortKey } from '@postrider/domain';
import { storeMessage } from './store-messages';
import type { AudienceSelection } from './audience-selection';
import { groupAudiences } from './group-audiences';
import { countAudience, sampleAudience } from './read-audiences';
import { addDevices, connect, createApplication, newMessage } from './testing/population';

describe('accepting a message to named users', () => {
  let throwAway: ThrowAwayDatabase;
  let database: Database;

  beforeAll(async () => {
    throwAway = await createThrowAwayDatabase();
    database = throwAway.dataSource;
  });
  afterAll(() => throwAway.drop());
  beforeEach(async () => {
    await emptyTables(database, 'applications', 'messages', 'pages', 'deliveries', 'edges', 'presence');
    await createApplication(database, 'shop', ['fcm', 'apns']);
  });

  function to(userIds: string[], changes: Partial<AudienceSelection> = {}): AudienceSelection {
    return {
      appId: 'shop',
      acceptedAt: new Date(),
      channel: 'public/default',
      who: { kind: 'users', userIds },
      reach: 'any',
      ...changes,
    };
  }

  async function accept(selection: AudienceSelection, pageSize = 500) {
    const message = newMessage({ acceptedAt: selection.acceptedAt });
    const accepted = await storeMessage(database, message, selection, { pageSize });
    return { message, accepted };
  }

  function pagesOf(messageId: string): Promise<{ id: string; vendor: string; device_ids: string[] }[]> {
    return database.query(`SELECT * FROM pages WHERE message_id = $1 ORDER BY vendor, device_ids`, [messageId]);
  }

  function deliveriesOf(messageId: string): Promise<Record<string, string | number>[]> {
    return database.query(
      `SELECT device_id, state, rank, vendor, reason FROM deliveries WHERE message_id = $1 ORDER BY device_id`,
      [messageId],
    );
  }

  it('writes one page a vendor for the devices of each user, once however often they are named', async () => {
    const ids = await addDevices(database, 'shop', [
      { userId: 'ann' },
      { userId: 'ann', pushType: 'apns', deviceType: 'ios' },
      { userId: 'bob' },
      { userId: 'eve' },
    ]);
    const { message, accepted } = await accept(to(['ann', 'bob', 'ann', 'nobody', 'bob']));

    expect(accepted).toMatchObject({ count: 3, byVendor: { fcm: 2, apns: 1 }, needsResolving: false });
    const pages = await pagesOf(message.id);
    expect(pages.map(({ vendor, device_ids }) => [vendor, device_ids])).toEqual([
      ['apns', [ids[1]]],
      ['fcm', [ids[0], ids[2]]],
    ]);
    expect(accepted.pages).toHaveLength(2);
    expect(accepted.pages).toEqual(expect.arrayContaining(pages.map(({ id, vendor }) => ({ pageId: id, vendor }))));
    expect(await deliveriesOf(message.id)).toEqual([]);
  });

  it('keeps the message as accepted and resolved, with what was sent and to whom', async () => {
    await addDevices(database, 'shop', [{ userId: 'ann' }]);
    const { message } = await accept(to(['ann', 'ann', 'nobody'], { channel: 'private/default' }));
    const [row] = await database.query(`SELECT * FROM messages WHERE app_id = 'shop' AND id = $1`, [message.id]);
    expect(row).toMatchObject({
      kind: 'users',
      lane: 'transactional',
      status: 'accepted',
      count: '1',
      recipients: '1',
      user_ids: ['ann', 'nobody'],
      channel: 'private/default',
      content: message.content,
      resolved_at: message.acceptedAt,
      expires_at: message.expiresAt,
    });
    expect(row.wake_at.getTime()).toBeGreaterThan(message.acceptedAt.getTime());
  });

  it('counts nobody for unknown users and is done at once', async () => {
    const { message, accepted } = await accept(to(['nobody']));
    expect(accepted).toEqual({ count: 0, byVendor: {}, pages: [], edges: [], needsResolving: false });
    const [row] = await database.query(`SELECT status, wake_at, done_at FROM messages WHERE id = $1`, [message.id]);
    expect(row).toEqual({ status: 'done', wake_at: null, done_at: message.acceptedAt });
  });

  it('tells a webhook of a message that is done at once, with what became of its devices', async () => {
    await database.query(
      `INSERT INTO webhooks (app_id, webhook_id, url, events, sealed, created_at, updated_at)
       VALUES ('shop', gen_random_uuid(), 'https://example.com/', '{message.done}', '', now(), now())`,
    );
    await addDevices(database, 'shop', [
      { userId: 'ann', token: null, realtime: true },
      { userId: 'ann', token: null },
    ]);
    const { message } = await accept(to(['ann']));
    const events: { data: Record<string, unknown> }[] = await database.query(`SELECT data FROM webhook_events`);
    expect(events.map(({ data }) => data)).toMatchObject([
      { messageId: message.id, count: 1, totals: { pending: 1, skipped: 1, sent: 0, failed: 0 } },
    ]);
  });

  it('cuts pages of at most the page size, each of one vendor, with every device on exactly one', async () => {
    const ids = await addDevices(
      database,
      'shop',
      Array.from({ length: 25 }, (_, n) => ({ userId: 'ann', pushType: n % 3 ? 'fcm' : 'apns' })),
    );
    const { message, accepted } = await accept(to(['ann']), 7);
    expect(accepted.count).toBe(25);
    const pages = await pagesOf(message.id);
    expect(pages.map(({ vendor, device_ids }) => [vendor, device_ids.length])).toEqual(
      expect.arrayContaining([
        ['apns', 7],
        ['apns', 2],
        ['fcm', 7],
        ['fcm', 7],
        ['fcm', 2],
      ]),
    );
    expect(pages.flatMap(({ device_ids }) => device_ids).sort((a, b) => Number(a) - Number(b))).toEqual(ids);
  });

  it('cuts pages that an application’s limit can spread over a second, and has them ask before they are sent', async () => {
    await addDevices(
      database,
      'shop',
      Array.from({ length: 5 }, () => ({ userId: 'ann' })),
    );
    const pages = async (change: string): Promise<unknown> => {
      await database.query(`UPDATE applications SET devices_per_second = NULL, quiet_hours = NULL`);
      await database.query(`UPDATE applications SET ${change}`);
      const { message } = await accept(to(['ann']));
      return database.query(
        `SELECT cardinality(device_ids) AS devices, is_steered FROM pages WHERE message_id = $1 ORDER BY 1`,
        [message.id],
      );
    };
    const quiet = (applies: string): string =>
      `quiet_hours = '{"start":"22:00","end":"08:00","timeZone":"device","applies":"${applies}"}'`;
    expect(await pages('devices_per_second = 25')).toEqual([1, 2, 2].map((devices) => ({ devices, is_steered: true })));
    expect(await pages('devices_per_second = 4')).toHaveLength(5);
    expect(await pages(quiet('all'))).toEqual([{ devices: 5, is_steered: true }]);
    expect(await pages(quiet('campaigns'))).toEqual([{ devices: 5, is_steered: false }]);
  });

  it('records why a device is not sent to, under the vendor of its token, and does not count it', async () => {
    const ids = await addDevices(database, 'shop', [
      { userId: 'ann', token: null },
      { userId: 'ann', tokenStatus: 'DENIED' },
      { userId: 'ann', pushType: 'hms' },
      { userId: 'ann', channels: ['public/sport'] },
    ]);
    const { message, accepted } = await accept(to(['ann']));
    expect(accepted).toMatchObject({ count: 1, byVendor: { fcm: 1 } });
    expect(await deliveriesOf(message.id)).toEqual(
      ['no_token', 'token_invalid', 'vendor_not_configured'].map((reason, place) => ({
        device_id: ids[place],
        state: 'skipped',
        rank: 1,
        vendor: [null, 'fcm', 'hms'][place],
        reason,
      })),
    );
  });

  it('puts what waits for a connection into the inbox, and says whether the app must be opened for it', async () => {
    const inbox = { userId: 'ann', token: null, realtime: true };
    const ids = await addDevices(database, 'shop', [
      { ...inbox, deviceType: 'ios' },
      { ...inbox, deviceType: 'android', osVersionKey: versionSortKey('7.1.2') },
      { ...inbox, deviceType: 'android', osVersionKey: versionSortKey('8') },
      { ...inbox, deviceType: 'android', osVersionKey: versionSortKey('10.0') },
      { ...inbox, deviceType: 'android' },
      { ...inbox, deviceType: 'web' },
      { ...inbox, deviceType: 'web', protected: true },
    ]);
    const { message, accepted } = await accept(to(['ann']));
    expect(accepted).toMatchObject({ count: 7, byVendor: { connection: 7 }, pages: [] });
    const deliveries = await deliveriesOf(message.id);
    expect(deliveries.map(({ state, rank, vendor }) => [state, rank, vendor])).toEqual(
      ids.map(() => ['pending', 0, 'connection']),
    );
    expect(deliveries.map(({ reason }) => reason)).toEqual([
      'waits_for_app',
      'waits_for_connection',
      'waits_for_app',
      'waits_for_app',
      'waits_for_connection',
      'waits_for_connection',
      'waits_for_app',
    ]);
    const [row] = await database.query(`SELECT inbox_ends_at FROM messages WHERE id = $1`, [message.id]);
    expect(row.inbox_ends_at).toEqual(message.expiresAt);
  });

  it('waits for no connection of a message that only push services carry', async () => {
    await addDevices(database, 'shop', [{ userId: 'ann' }, { userId: 'ann', tokenStatus: 'DENIED' }]);
    const { message } = await accept(to(['ann'], { reach: 'notify' }));
    const [row] = await database.query(`SELECT status, inbox_ends_at FROM messages WHERE id = $1`, [message.id]);
    expect(row).toEqual({ status: 'accepted', inbox_ends_at: null });
  });

  it('leaves what goes to connected devices to their edge, on a page that nobody else claims', async () => {
    const ids = await addDevices(database, 'shop', [{ userId: 'ann' }, { userId: 'ann', token: null, realtime: true }]);
    await connect(database, 'shop', ids.slice(0, 1));
    const { message, accepted } = await accept(to(['ann']));
    expect(accepted).toMatchObject({ count: 2, byVendor: { connection: 2 }, pages: [], edges: ['edge-1'] });
    const pages = await database.query(
      `SELECT vendor, state, fence, edge_id, device_ids, wake_at, created_at FROM pages WHERE message_id = $1`,
      [message.id],
    );
    expect(pages).toEqual([
      {
        vendor: 'connection',
        state: 'running',
        fence: 1,
        edge_id: 'edge-1',
        device_ids: ids.slice(0, 1),
        wake_at: null,
        created_at: message.acceptedAt,
      },
    ]);
    expect(await deliveriesOf(message.id)).toMatchObject([
      { device_id: ids[1], state: 'pending', vendor: 'connection' },
    ]);
    const [row] = await database.query(`SELECT status, inbox_ends_at FROM messages WHERE id = $1`, [message.id]);
    expect(row).toEqual({ status: 'done', inbox_ends_at: message.expiresAt });
  });

  it('skips a connected device whose user is not proved, although its edge holds the connection', async () => {
    const [device] = await addDevices(database, 'shop', [{ userId: 'ann' }]);
    await connect(database, 'shop', [device!]);
    await database.query(
      `UPDATE applications SET require_user_hash = true, user_hash_required_at = now() WHERE app_id = 'shop'`,
    );
    const { message, accepted } = await accept(to(['ann']));
    expect(accepted).toEqual({ count: 0, byVendor: {}, pages: [], edges: [], needsResolving: false });
    expect(await pagesOf(message.id)).toEqual([]);
    expect(await deliveriesOf(message.id)).toMatchObject([{ state: 'skipped', reason: 'user_not_proved' }]);
  });

  it('leaves out who is no member of the channel, without a record', async () => {
    const [member] = await addDevices(database, 'shop', [
      { userId: 'ann', channels: ['public/news', 'public/sport'] },
      { userId: 'ann', channels: ['private/sport'] },
      { userId: 'ann', token: null },
    ]);
    const { message, accepted } = await accept(to(['ann'], { channel: 'public/sport' }));
    expect(accepted.count).toBe(1);
    expect((await pagesOf(message.id)).map(({ device_ids }) => device_ids)).toEqual([[member]]);
    expect(await deliveriesOf(message.id)).toEqual([]);
  });

  it('never touches another application with the same users', async () => {
    await createApplication(database, 'other', ['fcm']);
    const [own] = await addDevices(database, 'shop', [{ userId: 'ann' }]);
    const [foreign] = await addDevices(database, 'other', [{ userId: 'ann' }, { userId: 'ann', pushType: 'apns' }]);
    const inShop = await accept(to(['ann']));
    const inOther = await accept(to(['ann'], { appId: 'other' }));
    expect((await pagesOf(inShop.message.id)).map(({ device_ids }) => device_ids)).toEqual([[own]]);
    expect((await pagesOf(inOther.message.id)).map(({ device_ids }) => device_ids)).toEqual([[foreign]]);
    expect(await deliveriesOf(inOther.message.id)).toMatchObject([{ reason: 'vendor_not_configured' }]);
  });

  it('takes 100,000 users in one message', async () => {
    await database.query(
      `INSERT INTO installations (app_id, installation_id, user_id, push_type, token)
       SELECT 'shop', gen_random_uuid(), 'user-' || n, 'fcm', md5(n::text) FROM generate_series(1, 60000) n`,
    );
    const { message, accepted } = await accept(to(Array.from({ length: 100_000 }, (_, n) => `user-${n}`)));
    expect(accepted.count).toBe(60_000);
    expect(accepted.pages).toHaveLength(120);
    const [row] = await database.query(
      `SELECT count(DISTINCT id)::int AS devices FROM (SELECT unnest(device_ids) AS id FROM pages WHERE message_id = $1) d`,
      [message.id],
    );
    expect(row).toEqual({ devices: 60_000 });
  });

  it('writes nothing when the transaction around it is given up', async () => {
    await addDevices(database, 'shop', [{ userId: 'ann' }]);
    await expect(
      database.transaction(async (manager) => {
        await storeMessage(manager, newMessage(), to(['ann']), { pageSize: 10 });
        throw new Error('given up');
      }),
    ).rejects.toThrow('given up');
    for (const table of ['messages', 'pages']) expect(await database.query(`SELECT 1 FROM ${table}`)).toEqual([]);
  });

  describe('and counting an audience', () => {
    let ids: string[];

    beforeEach(async () => {
      ids = await addDevices(database, 'shop', [
        { userId: 'ann' },
        { userId: 'ann', realtime: true },
        { userId: 'bob', token: null, realtime: true },
        { userId: 'bob', token: null },
        { userId: 'eve', pushType: 'apns' },
        { userId: 'eve', pushType: 'hms' },
      ]);
      await connect(database, 'shop', [ids[1]!, ids[4]!]);
    });

    it.each<[Reach, number, object]>([
      ['any', 4, { fcm: 1, connection: 3 }],
      ['live', 2, { connection: 2 }],
      ['inApp', 3, { connection: 3 }],
      ['notify', 3, { fcm: 2, apns: 1 }],
    ])('for reach "%s" finds %d devices, and acceptance counts the same', async (reach, count, byVendor) => {
      const named = to(['ann', 'bob', 'eve'], { reach });
      const everyone = to([], { reach, who: { kind: 'everyone' } });
      expect(await countAudience(database, named)).toMatchObject({ count, byVendor });
      expect(await countAudience(database, everyone)).toMatchObject({ count, byVendor });
      const ofChannel = to(['ann', 'bob', 'eve'], { reach, channel: 'public/sport' });
      const groups = await groupAudiences(database, [everyone, named, ofChannel, to(['nobody'], { reach }), named]);
      const sums = groups.map((found) => {
        const vendors: Record<string, number> = {};
        for (const { vendor, devices } of found) vendors[vendor] = (vendors[vendor] ?? 0) + devices;
        return vendors;
      });
      expect(sums).toEqual([byVendor, byVendor, {}, {}, byVendor]);
      expect((await accept(named)).accepted).toMatchObject({ count, byVendor });
      expect((await accept(everyone)).accepted).toEqual({
        count,
        byVendor: null,
        pages: [],
        edges: [],
        needsResolving: true,
      });
    });

    it('has each vendor in the sample, however few of its devices there are', async () => {
      const many = Array.from({ length: 12 }, (_, n) => ({ userId: `user-${n}` }));
      const last = await addDevices(database, 'shop', [...many, { userId: 'last', pushType: 'apns' }]);
      await database.query(`DELETE FROM installations WHERE push_type = 'apns' AND id <> $1`, [last.at(-1)]);
      const everyone = to([], { reach: 'notify', who: { kind: 'everyone' } });
      const { count, examples } = await countAudience(database, everyone);
      const sample = await sampleAudience(database, everyone, 4, examples);
      expect(sample).toHaveLength(4);
      expect(sample.filter(({ vendor }) => vendor === 'apns')).toMatchObject([{ userId: 'last' }]);
      expect(new Set(sample.map(({ installationId }) => installationId)).size).toBe(4);
      expect(await sampleAudience(database, everyone, 100, examples)).toHaveLength(count);
      expect(await sampleAudience(database, everyone, 1, examples)).toHaveLength(1);
    });

    it('shows a few of the devices, each with the way it would be reached', async () => {
      const sample = await sampleAudience(database, to(['ann', 'eve']), 2);
      expect(sample).toHaveLength(2);
      const all = await sampleAudience(database, to(['ann', 'eve']), 10);
      expect(all.map(({ userId, vendor }) => `${userId} ${vendor}`).sort()).toEqual([
        'ann connection',
        'ann fcm',
        'eve connection',
      ]);
    });
  });
});
