import { randomUUID } from 'node:crypto';
import type { DeviceId } from '@postrider/domain';
import { newId } from '@postrider/platform';
import { createThrowAwayDatabase, type ThrowAwayDatabase, emptyTables } from '@postrider/testing';
import fc from 'fast-check';
import type { Database } from '../database/executor';
import { DeliveryReportsRepository } from '../delivery-reports/delivery-reports.repository';
import { MessagesRepository } from '../messages/messages.repository';
import { ReceiptsRepository } from '../receipts/receipts.repository';
import { WaitingDeliveriesRepository, type ReadWaiting } from './waiting-deliveries.repository';
import { InboxRepository } from '../inbox/inbox.repository';
import type { EdgeOutcomes } from './record-edge-outcomes.statement';

const DELIVERED = { state: 'delivered', errorCode: null, reason: null } as const;

/** A page of a test: its message and its devices. */
interface TestPage {
  messageId: string;
  pageId: string;
  deviceIds: DeviceId[];
}

describe('deliveries that an edge holds for connected devices', () => {
  let throwAway: ThrowAwayDatabase;
  let database: Database;
  let repository: WaitingDeliveriesRepository;
  let inboxes: InboxRepository;
  const query = <T>(text: string, values: unknown[] = []): Promise<T[]> => throwAway.dataSource.query(text, values);

  beforeAll(async () => {
    throwAway = await createThrowAwayDatabase(8);
    database = throwAway.dataSource;
    repository = new WaitingDeliveriesRepository(database);
    inboxes = new InboxRepository(database);
    await query(`INSERT INTO applications (app_id, name, identity_key_sealed) VALUES ('shop', 'Shop', '')`);
    await query(`INSERT INTO vendor_credentials (app_id, vendor, settings, sealed) VALUES ('shop', 'fcm', '{}', '')`);
  });
  afterAll(() => throwAway.drop());
  afterEach(() =>
    emptyTables(
      throwAway.dataSource,
      'deliveries',
      'pages',
      'messages',
      'message_counts',
      'fallbacks',
      'installations',
    ),
  );

  const device = async (columns: { token?: string; userId?: string; deviceType?: string } = {}): Promise<string> => {
    const { token = null, userId = 'ann', deviceType = null } = columns;
    const [row] = await query<{ id: string }>(
      `INSERT INTO installations (app_id, installation_id, user_id, user_since, push_type, token, device_type)
       VALUES ('shop', $1, $2, now() - interval '1 hour', CASE WHEN $3::text IS NOT NULL THEN 'fcm' END, $3, $4) RETURNING id::text`,
      [randomUUID(), userId, token, deviceType],
    );
    return row?.id ?? '';
  };
  const page = async (deviceIds: DeviceId[], { ageMs = 0, content = {} } = {}): Promise<TestPage> => {
    const at = new Date(Date.now() - ageMs);
    const messageId = newId(at);
    const pageId = randomUUID();
    await query(
      `INSERT INTO messages (app_id, id, kind, is_campaign, lane, audience, channel, content, status, count, resolve_ceiling,
         accepted_at, resolved_at, expires_at, inbox_ends_at)
       VALUES ('shop', $1, 'users', false, 'transactional', '{}', 'public/default', $2, 'done', $3, 0, $4, $4, $5, $5)`,
      [messageId, { content: 'Hello', ...content }, deviceIds.length, at, new Date(Date.now() + 60_000)],
    );
    await query(
      `INSERT INTO pages (app_id, message_id, id, vendor, lane, device_ids, state, fence, edge_id, created_at)
       VALUES ('shop', $1, $2, 'connection', 'transactional', $3, 'running', 1, 'edge-1', $4)`,
      [messageId, pageId, deviceIds, at],
    );
    return { messageId, pageId, deviceIds };
  };
  const outcomes = (of: TestPage, deviceIds: DeviceId[], isComplete = false): EdgeOutcomes => ({
    appId: 'shop',
    messageId: of.messageId,
    pageId: of.pageId,
    deviceIds,
    times: deviceIds.map(() => Date.now()),
    isComplete,
  });
  const states = (messageId: string): Promise<{ device: string; state: string; vendor: string }[]> =>
    query(`SELECT device_id::text AS device, state, vendor FROM deliveries WHERE message_id = $1 ORDER BY device_id`, [
      messageId,
    ]);
  const reroute = (): ReturnType<WaitingDeliveriesRepository['reroute']> => {
    const now = new Date();
    return repository.reroute({
      now,
      routedBefore: new Date(now.getTime() - 10_000),
      limit: 1_000,
      pageSize: 500,
    });
  };
  const receipt = (messageId: string, deviceId: DeviceId): Parameters<ReceiptsRepository['record']>[0][number] => ({
    appId: 'shop',
    deviceId,
    messageId,
    state: 'delivered',
    deliveredAt: new Date(),
    shownAt: null,
    openedAt: null,
    dismissedAt: null,
  });

  it('are written once with their outcome, counted, and the page goes with the last', async () => {
    const [one, other] = [await device({ deviceType: 'android' }), await device({ deviceType: 'ios' })];
    const held = await page([one, other]);
    expect(await repository.recordOutcomes([outcomes(held, [one])], DELIVERED, new Date())).toEqual([]);
    expect(await new DeliveryReportsRepository(database).count(database, 'shop', held.messageId)).toEqual(
      expect.arrayContaining([
        { state: 'delivered', vendor: 'connection', errorCode: null, skipReason: null, count: 1 },
        { state: 'pending', vendor: 'connection', errorCode: null, skipReason: null, count: 1 },
      ]),
    );
    expect(await repository.recordOutcomes([outcomes(held, [other], true)], DELIVERED, new Date())).toEqual([]);
    expect(await states(held.messageId)).toEqual(
      [one, other].map((id) => ({ device: id, state: 'delivered', vendor: 'connection' })),
    );
    expect(await query('SELECT 1 FROM pages')).toEqual([]);
    expect(
      await query(`SELECT kind, platform, count::int FROM message_counts WHERE message_id = $1 ORDER BY platform`, [
        held.messageId,
      ]),
    ).toEqual([
      { kind: 'delivered', platform: 'android', count: 1 },
      { kind: 'delivered', platform: 'ios', count: 1 },
    ]);
  });

  it('are not written twice: who has a row, or whose page is gone, is told of', async () => {
    const [one, other] = [await device(), await device()];
    const held = await page([one, other]);
    await repository.recordOutcomes([outcomes(held, [one])], DELIVERED, new Date());
    expect(await repository.recordOutcomes([outcomes(held, [one, other], true)], DELIVERED, new Date())).toEqual([
      { place: 0, deviceId: one },
    ]);
    expect(await repository.recordOutcomes([outcomes(held, [other])], DELIVERED, new Date())).toEqual([
      { place: 0, deviceId: other },
    ]);
    expect(await query(`SELECT sum(count)::int AS n FROM message_counts`)).toEqual([{ n: 2 }]);
  });

  it.each([
    [null, 'confirmed'],
    ['SHOWN', 'waiting'],
  ])('end a fallback SMS with the policy %s as %s', async (policy, state) => {
    const held = await page([await device({ userId: 'ben' })]);
    await query(
      `INSERT INTO fallbacks (app_id, message_id, user_id, policy, due_at, created_at, updated_at)
       VALUES ('shop', $1, 'ben', $2, now(), now(), now())`,
      [held.messageId, policy],
    );
    await repository.recordOutcomes([outcomes(held, held.deviceIds, true)], DELIVERED, new Date());
    expect(await query('SELECT state FROM fallbacks')).toEqual([{ state }]);
  });

  it('are found by their edge, and in the inbox of each device, until they have an outcome', async () => {
    const [one, other] = [await device(), await device()];
    const held = await page([one, other], { ageMs: 5 });
    const fromId = '00000000-0000-0000-0000-000000000000';
    const asked = [one, other].map((deviceId) => ({ appId: 'shop', deviceId, fromId }));
    const inbox = { appId: 'shop', deviceId: other, userSince: new Date(0), userId: 'ann' };
    const ofAnother = await page([one]);
    await repository.recordOutcomes([outcomes(held, [one])], DELIVERED, new Date());
    const read = await repository.findOnEdge('edge-1', { messageIds: [held.messageId] }, 100);
    expect(read).toMatchObject([{ messageId: held.messageId, pageId: held.pageId, deviceIds: [other] }]);
    const all = await repository.findOnEdge('edge-1', { knownPageIds: [ofAnother.pageId] }, 100);
    expect(all.map(({ pageId, deviceIds }) => [pageId, deviceIds])).toEqual([
      [held.pageId, [other]],
      [ofAnother.pageId, null],
    ]);
    expect(await repository.findOnEdge('edge-2', { knownPageIds: [] }, 100)).toEqual([]);
    const { waiting, cuts } = await repository.readWaiting(asked, 100);
    expect(cuts).toEqual([]);
    expect(waiting.map(({ messageId, deviceIds }) => [messageId, deviceIds])).toEqual([
      [held.messageId, [other]],
      [ofAnother.messageId, [one]],
    ]);
    const later = asked.map((one) => ({ ...one, fromId: ofAnother.messageId }));
    const { waiting: ofLater } = await repository.readWaiting(later, 100);
    expect(ofLater.map(({ messageId }) => messageId)).toEqual([ofAnother.messageId]);
    expect(await inboxes.read(inbox, { beforeId: null, limit: 10, now: new Date() })).toMatchObject([
      { id: held.messageId, state: 'pending' },
    ]);
    expect(await inboxes.countUnread(inbox, new Date())).toBe(1);
    await repository.recordOutcomes([outcomes(held, [other], true)], DELIVERED, new Date());
    expect(await inboxes.read(inbox, { beforeId: null, limit: 10, now: new Date() })).toMatchObject([
      { id: held.messageId, state: 'delivered' },
    ]);
  });

  it('that nobody acknowledges in time go to the vendor as well, or wait in the inbox', async () => {
    const [acknowledged, withToken, without] = [
      await device({ token: 'a' }),
      await device({ token: 'b' }),
      await device({ deviceType: 'ios' }),
    ];
    const held = await page([acknowledged, withToken, without], { ageMs: 11_000 });
    const young = await page([acknowledged]);
    await repository.recordOutcomes([outcomes(held, [acknowledged])], DELIVERED, new Date());
    const { pages, deliveries } = await reroute();
    expect(deliveries).toBe(2);
    expect(pages).toMatchObject([{ messageId: held.messageId, vendor: 'fcm', lane: 'transactional' }]);
    expect(
      await query(`SELECT state, vendor, reason, in_inbox FROM deliveries WHERE message_id = $1 ORDER BY device_id`, [
        held.messageId,
      ]),
    ).toEqual([
      { state: 'delivered', vendor: 'connection', reason: null, in_inbox: null },
      { state: 'pending', vendor: 'fcm', reason: null, in_inbox: true },
      { state: 'pending', vendor: 'connection', reason: 'waits_for_app', in_inbox: null },
    ]);
    expect(await query(`SELECT message_id, vendor, fence FROM pages ORDER BY vendor`)).toEqual([
      { message_id: young.messageId, vendor: 'connection', fence: 1 },
      { message_id: held.messageId, vendor: 'fcm', fence: 1 },
    ]);
    expect(await reroute()).toEqual({ deliveries: 0, pages: [] });
  });

  it('wait on, and go to no vendor, for a device that has not proved its user, as the application requires', async () => {
    const held = await page([await device({ token: 'a' })], { ageMs: 11_000 });
    await query(`UPDATE installations SET user_proof = 0`);
    await query(`UPDATE applications SET require_user_hash = true`);
    expect((await reroute()).pages).toEqual([]);
    expect(await states(held.messageId)).toMatchObject([{ state: 'pending', vendor: 'connection' }]);
    await query(`UPDATE applications SET require_user_hash = false`);
  });

  it.each<[string, string, string]>([
    ['cancelled', `UPDATE messages SET status = 'cancelled', inbox_ends_at = now()`, 'cancelled'],
    ['expired', `UPDATE messages SET inbox_ends_at = NULL`, 'expired'],
    ['for a former owner', `UPDATE installations SET user_since = now()`, 'skipped'],
    ['for a device that is gone', `DELETE FROM installations`, 'skipped'],
  ])('end where the message is %s', async (_, happening, state) => {
    const held = await page([await device({ token: 'a' })], { ageMs: 11_000 });
    await query(happening);
    expect((await reroute()).pages).toEqual([]);
    expect(await states(held.messageId)).toMatchObject([{ state, vendor: 'connection' }]);
    expect(await query('SELECT 1 FROM pages')).toEqual([]);
  });

  it('end with their message, whatever waits on pages', async () => {
    const held = await page([await device(), await device()]);
    await repository.recordOutcomes([outcomes(held, held.deviceIds.slice(0, 1))], DELIVERED, new Date());
    const ending = { appId: 'shop', messageId: held.messageId, state: 'cancelled' as const };
    await new MessagesRepository(database).endWaiting(ending, new Date(), 100);
    expect((await states(held.messageId)).map(({ state }) => state)).toEqual(['delivered', 'cancelled']);
    expect(await query('SELECT 1 FROM pages')).toEqual([]);
    const [message] = await query<{ inbox_ends_at: Date | null }>(`SELECT inbox_ends_at FROM messages`);
    expect(message?.inbox_ends_at).toBeNull();
  });

  it('have one row each and are counted once, whoever records, reports and ends them at the same time', async () => {
    const devices = await Promise.all(Array.from({ length: 12 }, (_, n) => device(n % 2 ? { token: `t${n}` } : {})));
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.oneof(
            fc.record({
              kind: fc.constant('record' as const),
              at: fc.subarray([...devices.keys()], { minLength: 1 }),
              isComplete: fc.constant(false),
            }),
            fc.record({ kind: fc.constant('report' as const), at: fc.subarray([...devices.keys()], { minLength: 1 }) }),
            fc.record({ kind: fc.constant('reroute' as const) }),
            fc.record({ kind: fc.constant('end' as const) }),
          ),
          { minLength: 2, maxLength: 8 },
        ),
        async (acts) => {
          const held = await page(devices, { ageMs: 11_000 });
          const pick = (at: number[]): string[] => at.map((place) => devices[place] ?? '');
          const acknowledged = new Set<string>();
          await Promise.all(
            acts.map(async (act) => {
              if (act.kind === 'reroute') await reroute();
              else if (act.kind === 'end')
                await new MessagesRepository(database).endWaiting(
                  { appId: 'shop', messageId: held.messageId, state: 'expired' },
                  new Date(),
                  100,
                );
              else if (act.kind === 'report') {
                const told = pick(act.at).map((id) => receipt(held.messageId, id));
                for (const { deviceId } of told) acknowledged.add(deviceId);
                await new ReceiptsRepository(database).record(told, new Date());
              } else {
                const ids = pick(act.at);
                for (const id of ids) acknowledged.add(id);
                const others = await repository.recordOutcomes([outcomes(held, ids)], DELIVERED, new Date());
                const told = others.map(({ deviceId }) => receipt(held.messageId, deviceId));
                await new ReceiptsRepository(database).record(told, new Date());
              }
            }),
          );
          await reroute();
          const rows = await states(held.messageId);
          expect(rows.map(({ device: id }) => id)).toEqual([...devices].sort((a, b) => Number(a) - Number(b)));
          expect(new Set(rows.filter(({ state }) => state === 'delivered').map(({ device: id }) => id))).toEqual(
            acknowledged,
          );
          const [counted] = await query<{ n: number }>(
            `SELECT coalesce(sum(count), 0)::int AS n FROM message_counts WHERE message_id = $1`,
            [held.messageId],
          );
          expect(counted?.n).toBe(acknowledged.size);
          expect(
            await query(`SELECT 1 FROM pages WHERE message_id = $1 AND edge_id IS NOT NULL`, [held.messageId]),
          ).toEqual([]);
        },
      ),
      { numRuns: 30 },
    );
  });

  it('and the others of an inbox are read piece by piece, each once, in order, whatever ended meanwhile', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('page', 'ended page', 'row', 'kept'), { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 2, max: 5 }),
        async (kinds, limit) => {
          const [one, other] = [await device(), await device()];
          const waitingIds: string[] = [];
          for (const [place, kind] of kinds.entries()) {
            const held = await page([one, other], { ageMs: 1_000 - place });
            if (kind === 'ended page') await repository.recordOutcomes([outcomes(held, [one])], DELIVERED, new Date());
            else waitingIds.push(held.messageId);
            if (kind === 'row' || kind === 'kept') await becomeRow(held, one, kind === 'kept');
          }
          expect(await readByPieces(one, limit)).toEqual(waitingIds);
          await emptyTables(throwAway.dataSource, 'deliveries', 'pages', 'messages', 'message_counts', 'installations');
        },
      ),
      { numRuns: 25 },
    ));

  const becomeRow = async ({ messageId, pageId }: TestPage, deviceId: DeviceId, isKept: boolean): Promise<void> => {
    await query(`DELETE FROM pages WHERE id = $1`, [pageId]);
    await query(
      `INSERT INTO deliveries (app_id, message_id, device_id, state, rank, vendor, in_inbox, created_at, updated_at)
       VALUES ('shop', $1, $2, 'pending', 0, $3, $4, now(), now())`,
      [messageId, deviceId, isKept ? 'fcm' : 'connection', isKept ? true : null],
    );
  };
  /** Reads as an edge does: on from the last message of a device that may have more. */
  const readByPieces = async (deviceId: DeviceId, limit: number): Promise<string[]> => {
    const found: string[] = [];
    for (let fromId: string | undefined = '00000000-0000-0000-0000-000000000000'; fromId !== undefined;) {
      const { waiting, cuts }: ReadWaiting = await repository.readWaiting([{ appId: 'shop', deviceId, fromId }], limit);
      expect(waiting.length).toBeLessThan(2 * limit);
      found.push(...waiting.map(({ messageId }) => messageId).filter((id) => !found.includes(id)));
      fromId = cuts[0]?.lastId;
    }
    return found;
  };
});
