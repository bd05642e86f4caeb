import { newId } from '@postrider/platform';
import type { Database } from '@postrider/persistence';
import { createThrowAwayDatabase, type ThrowAwayDatabase, emptyTables } from '@postrider/testing';
import { storeMessage } from './store-messages';
import type { AudienceSelection, WrittenPage } from './audience-selection';
import type { NewMessage } from './message-row';
import type { SliceOutcome } from './read-resolution';
import { resolveSlice } from './resolve-slice';
import { addDevices, connect, createApplication, newMessage, type TestDevice } from './testing/population';

describe('resolving a message for everyone', () => {
  let throwAway: ThrowAwayDatabase;
  let database: Database;

  beforeAll(async () => {
    throwAway = await createThrowAwayDatabase(10);
    database = throwAway.dataSource;
  });
  afterAll(() => throwAway.drop());
  beforeEach(async () => {
    await emptyTables(database, 'applications', 'messages', 'pages', 'deliveries', 'edges', 'presence');
    await createApplication(database, 'shop', ['fcm', 'apns']);
  });

  async function accept(changes: Partial<AudienceSelection> = {}, message: NewMessage = toEveryone()) {
    const { acceptedAt } = message;
    const selection: AudienceSelection = {
      appId: 'shop',
      acceptedAt,
      channel: 'public/default',
      who: { kind: 'everyone' },
      reach: 'any',
      ...changes,
    };
    const { count } = await storeMessage(database, message, selection, { pageSize: 10 });
    return { message, count };
  }

  function toEveryone(changes: Parameters<typeof newMessage>[0] = {}): NewMessage {
    return newMessage({ kind: 'query', isCampaign: true, lane: 'campaign', ...changes });
  }

  function step(messageId: string, sizes: { windowSize?: number; sliceSize?: number } = {}): Promise<SliceOutcome> {
    const now = new Date();
    return resolveSlice(database, {
      appId: 'shop',
      messageId,
      now,
      windowSize: 40,
      sliceSize: 30,
      pageSize: 10,
      ...sizes,
    });
  }

  /** Continues until the message is resolved; returns the pages. */
  async function resolve(messageId: string, sizes = {}): Promise<WrittenPage[]> {
    const pages: WrittenPage[] = [];
    for (;;) {
      const outcome = await step(messageId, sizes);
      if (outcome.kind === 'over') return pages;
      if (outcome.kind === 'resolved') pages.push(...outcome.pages);
    }
  }

  function population(size: number): TestDevice[] {
    return Array.from({ length: size }, (_, n) => ({
      userId: `user-${n % 40}`,
      pushType: n % 3 === 0 ? 'apns' : 'fcm',
      ...(n % 10 === 9 ? { token: null } : {}),
    }));
  }

  async function onPages(messageId: string): Promise<string[]> {
    const pages: { device_ids: string[]; vendor: string; lane: string }[] = await database.query(
      `SELECT * FROM pages WHERE message_id = $1`,
      [messageId],
    );
    for (const page of pages) {
      expect(page.device_ids.length).toBeLessThanOrEqual(10);
      expect(page.lane).toBe('campaign');
      const vendors: unknown[] = await database.query(
        `SELECT DISTINCT push_type FROM installations WHERE app_id = 'shop' AND id = ANY ($1)`,
        [page.device_ids],
      );
      expect(vendors).toEqual([{ push_type: page.vendor }]);
    }
    return byNumber(pages.flatMap(({ device_ids }) => device_ids));
  }

  function deliveriesOf(messageId: string): Promise<Record<string, string>[]> {
    return database.query(
      `SELECT device_id, state, vendor, reason FROM deliveries WHERE message_id = $1 ORDER BY device_id`,
      [messageId],
    );
  }

  function byNumber(ids: string[]): string[] {
    return ids.sort((one, other) => Number(one) - Number(other));
  }

  async function messageRow(id: string): Promise<Record<string, unknown>> {
    const [row] = await database.query(`SELECT * FROM messages WHERE id = $1`, [id]);
    return row;
  }

  it('puts every reachable device on exactly one page and every other one on record', async () => {
    const devices = population(200);
    const ids = await addDevices(database, 'shop', devices);
    const { message, count } = await accept();
    const pages = await resolve(message.id);

    expect(count).toBe(180);
    const reachable = ids.filter((_, n) => n % 10 !== 9);
    expect(await onPages(message.id)).toEqual(reachable);
    const deliveries = await deliveriesOf(message.id);
    expect(byNumber(deliveries.map(({ device_id }) => device_id!))).toEqual(ids.filter((_, n) => n % 10 === 9));
    expect(new Set(deliveries.map(({ state, reason }) => `${state}: ${reason}`))).toEqual(
      new Set(['skipped: no_token']),
    );
    expect(await database.query(`SELECT count(*)::int AS n FROM pages`)).toEqual([{ n: pages.length }]);
    const row = await messageRow(message.id);
    expect(row).toMatchObject({ status: 'accepted', recipients: '180', count: '180' });
    expect(row.resolved_at).not.toBeNull();
    expect(row.wake_at).not.toBeNull();
  });

  it('skips a connected device whose user is not proved, although its edge holds the connection', async () => {
    const ids = await addDevices(database, 'shop', population(3));
    await connect(database, 'shop', ids.slice(0, 1));
    await database.query(
      `UPDATE applications SET require_user_hash = true, user_hash_required_at = now() WHERE app_id = 'shop'`,
    );
    const { message } = await accept();
    expect(await resolve(message.id)).toEqual([]);
    const reasons = (await deliveriesOf(message.id)).map(({ device_id, reason }) => [device_id, reason]);
    expect(reasons.sort()).toEqual(ids.map((id) => [id, 'user_not_proved']));
  });

  it.each([
    ['a window smaller than a slice', { windowSize: 7, sliceSize: 30 }],
    ['a slice smaller than a window', { windowSize: 100, sliceSize: 7 }],
    ['one at a time', { windowSize: 1, sliceSize: 1 }],
    ['all at once', { windowSize: 10_000, sliceSize: 10_000 }],
  ])('reaches the same devices with %s', async (_, sizes) => {
    const ids = await addDevices(database, 'shop', population(60));
    const { message } = await accept();
    await resolve(message.id, sizes);
    expect(await onPages(message.id)).toEqual(ids.filter((_id, n) => n % 10 !== 9));
    expect(await deliveriesOf(message.id)).toHaveLength(6);
  });

  it('goes on where a killed worker stopped: what was committed stays, what was not is done again', async () => {
    const ids = await addDevices(database, 'shop', population(100));
    const { message } = await accept();
    expect(await step(message.id)).toMatchObject({ kind: 'resolved', found: 30, isFinished: false });

    const killed = database.createQueryRunner();
    await killed.startTransaction();
    const request = {
      appId: 'shop',
      messageId: message.id,
      now: new Date(),
      windowSize: 40,
      sliceSize: 30,
      pageSize: 10,
    };
    expect(await resolveSlice(killed.manager, request)).toMatchObject({ kind: 'resolved' });
    // The other worker gets nothing while the first one lives …
    expect(await step(message.id)).toEqual({ kind: 'taken' });
    await killed.rollbackTransaction();
    await killed.release();

    // … and everything when it is gone.
    await resolve(message.id);
    expect(await onPages(message.id)).toEqual(ids.filter((_, n) => n % 10 !== 9));
    expect(await deliveriesOf(message.id)).toHaveLength(10);
  });

  it('gives each slice to one of several workers at once', async () => {
    const ids = await addDevices(database, 'shop', population(300));
    const { message } = await accept();
    const pages = await Promise.all(
      Array.from({ length: 6 }, () => resolve(message.id, { windowSize: 15, sliceSize: 10 })),
    );
    expect(await onPages(message.id)).toEqual(ids.filter((_, n) => n % 10 !== 9));
    expect(await deliveriesOf(message.id)).toHaveLength(30);
    const reported = pages.flat().map(({ pageId }) => pageId);
    expect(new Set(reported).size).toBe(reported.length);
    expect(await database.query(`SELECT count(*)::int AS n FROM pages`)).toEqual([{ n: reported.length }]);
    expect(await messageRow(message.id)).toMatchObject({ recipients: '270' });
  });

  it('leaves out devices that registered after acceptance, and devices that somebody else took since', async () => {
    const [kept, changedHands] = await addDevices(database, 'shop', [{ userId: 'ann' }, { userId: 'bob' }]);
    const { message } = await accept();
    await addDevices(database, 'shop', [{ userId: 'late' }]);
    await database.query(`UPDATE installations SET user_id = 'eve', user_since = $2 WHERE id = $1`, [
      changedHands,
      new Date(message.acceptedAt.getTime() + 1),
    ]);
    await resolve(message.id);
    expect(await onPages(message.id)).toEqual([kept]);
    expect(await deliveriesOf(message.id)).toEqual([]);
  });

  it('finds everybody who had the device first, and begins at once, after a clock that was put back', async () => {
    const [kept, changedHands] = await addDevices(database, 'shop', [{ userId: 'ann' }, { userId: 'bob' }]);
    const { message } = await accept();
    const later = new Date(message.acceptedAt.getTime() + 20_000);
    await database.query(`UPDATE installations SET user_since = $2, created_at = $2 WHERE id = $1`, [kept, later]);
    await database.query(`UPDATE installations SET user_since = $2 WHERE id = $1`, [changedHands, later]);
    const now = new Date(message.acceptedAt.getTime() - 20_000);
    const slice = { appId: 'shop', messageId: message.id, now, windowSize: 1_000, sliceSize: 1_000, pageSize: 10 };
    expect(await resolveSlice(database, slice)).toMatchObject({ kind: 'resolved', isFinished: true });
    expect(await onPages(message.id)).toEqual([kept]);
  });

  it('stays inside its application and channel', async () => {
    await createApplication(database, 'other', ['fcm']);
    const member: TestDevice = { userId: 'ann', channels: ['private/alerts'] };
    await addDevices(database, 'other', [member]);
    const ids = await addDevices(database, 'shop', [member, { userId: 'ann' }, { ...member, token: null }]);
    await addDevices(database, 'other', [member]);
    const { message, count } = await accept({ channel: 'private/alerts' });
    expect(count).toBe(1);
    await resolve(message.id);
    expect(await onPages(message.id)).toEqual([ids[0]]);
    expect(await deliveriesOf(message.id)).toMatchObject([{ device_id: ids[2], reason: 'no_token' }]);
  });

  it('sends a live message to who is connected, and keeps no record of the others', async () => {
    const ids = await addDevices(database, 'shop', population(20));
    await connect(database, 'shop', [ids[3]!, ids[9]!]);
    const { message, count } = await accept({ reach: 'live' }, toEveryone({ flags: { live: true } }));
    expect(count).toBe(2);
    expect(await resolve(message.id)).toEqual([]);
    expect(await deliveriesOf(message.id)).toEqual([]);
    expect(
      await database.query(`SELECT device_ids, vendor, edge_id FROM pages WHERE message_id = $1`, [message.id]),
    ).toEqual([{ device_ids: [ids[3], ids[9]], vendor: 'connection', edge_id: 'edge-1' }]);
    expect(await messageRow(message.id)).toMatchObject({
      recipients: '0',
      inbox_ends_at: new Date(message.acceptedAt.getTime() + 10_000),
    });
  });

  it('puts nobody on a page once the message is cancelled, and records of everybody left that it was', async () => {
    const ids = await addDevices(database, 'shop', population(100));
    const { message } = await accept();
    await step(message.id);
    const before = await onPages(message.id);
    await database.query(`UPDATE messages SET status = 'cancelled' WHERE id = $1`, [message.id]);
    expect(await resolve(message.id)).toEqual([]);
    expect(await onPages(message.id)).toEqual(before);
    const recorded = await deliveriesOf(message.id);
    const cancelled = byNumber(
      recorded.filter(({ state }) => state === 'cancelled').map(({ device_id }) => device_id as string),
    );
    const unreachable = (_: string, n: number): boolean => n % 10 === 9;
    expect(byNumber([...before, ...cancelled])).toEqual(ids.filter((id, n) => !unreachable(id, n)));
    expect(await messageRow(message.id)).toMatchObject({ status: 'cancelled', recipients: String(before.length) });
  });

  it('resolves a scheduled message at its time, and one that was cancelled before it at once', async () => {
    const ids = await addDevices(database, 'shop', [{ userId: 'ann' }, { userId: 'bob', token: null }]);
    const sendAt = new Date(Date.now() + 3_600_000);
    const { message } = await accept({}, toEveryone({ schedule: { sendAt, ttlSeconds: 60, ignoreQuietHours: false } }));
    expect(await step(message.id)).toEqual({ kind: 'early', startsAt: sendAt });
    await database.query(`UPDATE messages SET status = 'cancelled' WHERE id = $1`, [message.id]);
    expect(await step(message.id)).toMatchObject({ kind: 'resolved', pages: [], isFinished: true });
    expect(await deliveriesOf(message.id)).toEqual([
      { device_id: ids[0], state: 'cancelled', vendor: 'fcm', reason: null },
      { device_id: ids[1], state: 'skipped', vendor: null, reason: 'no_token' },
    ]);
  });

  it('skips a device whose vendor is not connected under that vendor', async () => {
    const ids = await addDevices(database, 'shop', [{ userId: 'ann' }, { userId: 'bob', pushType: 'hms' }]);
    const { message } = await accept();
    await resolve(message.id);
    expect(await deliveriesOf(message.id)).toEqual([
      { device_id: ids[1], state: 'skipped', vendor: 'hms', reason: 'vendor_not_configured' },
    ]);
  });

  it('holds what goes over connections for the frequency caps, where there are any', async () => {
    const ids = await addDevices(database, 'shop', [{ userId: 'ann', realtime: true, token: null }]);
    await connect(database, 'shop', ids);
    await database.query(
      `UPDATE applications SET frequency_caps = '[{ "messages": 1, "seconds": 60 }]', contacts_since = now() WHERE app_id = 'shop'`,
    );
    const { message } = await accept();
    await resolve(message.id);
    expect(await deliveriesOf(message.id)).toEqual([]);
    expect(
      await database.query(`SELECT vendor, state, device_ids, edge_id FROM pages WHERE message_id = $1`, [message.id]),
    ).toEqual([{ vendor: 'connection', state: 'waiting', device_ids: ids, edge_id: null }]);
  });

  it('records as expired whoever it did not come to in time', async () => {
    const ids = await addDevices(database, 'shop', [{ userId: 'ann' }, { userId: 'bob', token: null }]);
    const acceptedAt = new Date(Date.now() - 60_000);
    const { message } = await accept(
      {},
      toEveryone({ acceptedAt, id: newId(acceptedAt), expiresAt: new Date(acceptedAt.getTime() + 30_000) }),
    );
    expect(await step(message.id)).toMatchObject({ kind: 'resolved', pages: [], isFinished: true });
    expect(await deliveriesOf(message.id)).toEqual([
      { device_id: ids[0], state: 'expired', vendor: 'fcm', reason: null },
      { device_id: ids[1], state: 'skipped', vendor: null, reason: 'no_token' },
    ]);
    expect(await messageRow(message.id)).toMatchObject({ recipients: '0' });
  });

  it('wakes pages for which the rate leaves no time when the message has ended', async () => {
    await addDevices(
      database,
      'shop',
      Array.from({ length: 30 }, (_, n) => ({ userId: `user-${n}` })),
    );
    const acceptedAt = new Date();
    const expiresAt = new Date(acceptedAt.getTime() + 5_000);
    const schedule = { rate: 1, ttlSeconds: 5, ignoreQuietHours: false };
    const { message } = await accept({}, toEveryone({ acceptedAt, expiresAt, schedule }));
    await resolve(message.id);
    const [late] = await database.query(
      `SELECT count(*)::integer AS pages, max(wake_at) = $2::timestamptz + interval '10 seconds' AS "wakeAtEnd" FROM pages
       WHERE message_id = $1 AND not_before > $2`,
      [message.id, expiresAt],
    );
    expect(late).toEqual({ pages: expect.any(Number) as number, wakeAtEnd: true });
    expect(late.pages).toBeGreaterThan(10);
  });

  it('sends a message with a ttl of 0 when it comes to it at once', async () => {
    const [id] = await addDevices(database, 'shop', [{ userId: 'ann' }]);
    const acceptedAt = new Date(Date.now() - 1_000);
    const { message } = await accept({}, toEveryone({ acceptedAt, id: newId(acceptedAt), expiresAt: acceptedAt }));
    await resolve(message.id);
    expect(await onPages(message.id)).toEqual([id]);
  });

  it('is resolved at once when the application has no device', async () => {
    const { message, count } = await accept();
    expect(count).toBe(0);
    expect(await step(message.id)).toMatchObject({
      kind: 'resolved',
      pages: [],
      found: 0,
      reached: 0,
      isFinished: true,
    });
    expect(await step(message.id)).toEqual({ kind: 'over' });
  });
});
