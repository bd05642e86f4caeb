import { type Database, MessagesRepository } from '@postrider/persistence';
import { newId } from '@postrider/platform';
import { createThrowAwayDatabase, type ThrowAwayDatabase, emptyTables } from '@postrider/testing';
import { storeMessage } from './store-messages';
import type { AudienceSelection } from './audience-selection';
import type { MessageSchedule } from './message-row';
import { resolveDue } from './resolve-due';
import { resolveSlice } from './resolve-slice';
import { addDevices, connect, createApplication, newMessage } from './testing/population';

describe('resolving scheduled messages together', () => {
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

  /** Accepts a message a minute ago that was due a second ago. */
  async function schedule(
    userIds: string[],
    changes: Partial<AudienceSelection> & { schedule?: Partial<MessageSchedule>; flags?: object; lifeMs?: number } = {},
  ): Promise<string> {
    const { schedule: own, flags, lifeMs = 3_600_000, ...selection } = changes;
    const acceptedAt = new Date(Date.now() - 60_000);
    const sendAt = new Date(Date.now() - 1_000);
    const message = newMessage({
      acceptedAt,
      id: newId(acceptedAt),
      expiresAt: new Date(sendAt.getTime() + lifeMs),
      schedule: { sendAt, ttlSeconds: 3_600, ignoreQuietHours: false, ...own },
      flags: { ...flags },
    });
    const who = { kind: 'users' as const, userIds };
    await storeMessage(
      database,
      message,
      { appId: 'shop', acceptedAt, channel: 'public/default', who, reach: 'any', ...selection },
      { pageSize: 10 },
    );
    return message.id;
  }

  const resolve = (messageIds: string[], executor: Parameters<typeof resolveDue>[0] = database, now = new Date()) =>
    resolveDue(executor, { appId: 'shop', messageIds, now, pageSize: 10 });

  /**
   * Returns the rows of each message in the ledger, in their order, without ids that are made up.
   *
   * @param now when the messages were resolved
   */
  async function ledger(messageIds: string[], now: Date): Promise<unknown[]> {
    const found: { id: string }[] = await database.query(
      `SELECT m.id, m.status, m.recipients, m.resolved_at IS NOT NULL AS is_resolved, m.wake_at > $1 AS is_looked_after,
         m.resolved_through = m.resolve_ceiling AS is_at_end, m.planned_through, m.inbox_ends_at,
         (SELECT jsonb_agg(jsonb_build_array(p.vendor, p.lane, p.device_ids, p.edge_id, p.state, p.fence, p.is_steered,
            p.not_before, p.wake_at > $1) ORDER BY p.vendor, p.device_ids) FROM pages p WHERE p.message_id = m.id) AS pages,
         (SELECT jsonb_agg(jsonb_build_array(d.device_id, d.state, d.rank, d.vendor, d.reason) ORDER BY d.device_id)
            FROM deliveries d WHERE d.message_id = m.id) AS deliveries
       FROM messages m`,
      [now],
    );
    return messageIds.map((id) => {
      return { ...found.find((one) => one.id === id), id: undefined };
    });
  }

  async function population(): Promise<void> {
    const ids = await addDevices(database, 'shop', [
      { userId: 'ann' },
      { userId: 'ann', pushType: 'apns', deviceType: 'ios' },
      { userId: 'bob', token: null },
      { userId: 'cat', realtime: true },
      { userId: 'dan', realtime: true, token: null },
      { userId: 'eve', channels: ['private/alerts'] },
      { userId: 'eve', userSince: new Date(Date.now() + 60_000) },
      { userId: 'eve', userSince: new Date(Date.now() + 60_000) },
      ...Array.from({ length: 25 }, () => ({ userId: 'many' })),
    ]);
    // The clock was put back after the device registered, whose user is its first owner.
    await database.query(`UPDATE installations SET created_at = user_since WHERE id = $1`, [ids[7]]);
    await connect(database, 'shop', [ids[3]!]);
  }

  const AUDIENCES: Parameters<typeof schedule>[] = [
    [['ann']],
    [['ann', 'bob', 'cat']],
    [['dan']],
    [['bob']],
    [['nobody']],
    [['many', 'eve']],
    [['eve', 'ann'], { channel: 'private/alerts' }],
    [['eve', 'cat'], { reach: 'notify' }],
    [['dan', 'cat', 'ann'], { reach: 'inApp', flags: { inApp: true } }],
    [['cat', 'ann'], { reach: 'live', flags: { live: true } }],
  ];

  it('writes for each what it would write for it alone', async () => {
    await population();
    const alone: string[] = [];
    const together: string[] = [];
    for (const audience of AUDIENCES) {
      alone.push(await schedule(...audience));
      together.push(await schedule(...audience));
    }
    // The end of waiting deliveries counts from `send_at`, which must be the same for both copies of a message.
    await database.query(
      `UPDATE messages SET send_at = now() - interval '1 second', expires_at = now() + interval '1 hour'`,
    );
    const now = new Date();
    for (const messageId of alone) {
      const slice = { appId: 'shop', messageId, now, windowSize: 1_000, sliceSize: 1_000, pageSize: 10 };
      expect(await resolveSlice(database, slice)).toMatchObject({ kind: 'resolved', isFinished: true });
    }
    const outcome = await resolve(together, database, now);
    expect(outcome).toMatchObject({ alone: [], nextAt: null, isTaken: false });
    expect(outcome.resolved.map(({ messageId }) => messageId).sort()).toEqual([...together].sort());
    expect(await ledger(together, now)).toEqual(await ledger(alone, now));
    const [first] = outcome.resolved.filter(({ messageId }) => messageId === together[1]);
    expect(first).toMatchObject({ lane: 'transactional', found: 4, reached: 3, edges: ['edge-1'] });
    expect(first!.pages.map(({ vendor }) => vendor).sort()).toEqual(['apns', 'fcm']);
  });

  it('gives each to one of several workers at once', async () => {
    await population();
    const ids: string[] = [];
    for (let n = 0; n < 30; n++) ids.push(await schedule(['ann', 'bob']));
    const outcomes = await Promise.all(
      Array.from({ length: 6 }, (_, n) => resolve([...ids.slice(n * 5), ...ids.slice(0, n * 5)])),
    );
    const resolved = outcomes.flatMap((outcome) => outcome.resolved.map(({ messageId }) => messageId));
    for (let again = await resolve(ids); again.isTaken; again = await resolve(ids))
      resolved.push(...again.resolved.map(({ messageId }) => messageId));
    expect([...resolved].sort()).toEqual([...ids].sort());
    expect(await database.query(`SELECT count(*)::int AS n FROM pages`)).toEqual([{ n: 60 }]);
    expect(await database.query(`SELECT count(*)::int AS n FROM deliveries`)).toEqual([{ n: 30 }]);
  });

  it('is all done again by the next one when its worker is killed before the commit', async () => {
    await population();
    const ids = [await schedule(['ann']), await schedule(['cat'])];
    const free = await schedule(['bob']);
    const killed = database.createQueryRunner();
    await killed.startTransaction();
    expect((await resolve(ids, killed.manager)).resolved).toHaveLength(2);
    // The other worker gets the messages that the first one does not hold …
    const twin = await resolve([...ids, free]);
    expect(twin).toMatchObject({ resolved: [{ messageId: free }], alone: [], isTaken: true });
    await killed.rollbackTransaction();
    await killed.release();
    // … and the others when the first one is gone.
    expect((await resolve([...ids, free])).resolved.map(({ messageId }) => messageId).sort()).toEqual([...ids].sort());
    expect(await resolve([...ids, free])).toEqual({ resolved: [], alone: [], nextAt: null, isTaken: false });
  });

  it('writes nothing for a message that is cancelled before its turn, or between the look at it and its lock', async () => {
    await population();
    const [kept, before, between] = [await schedule(['ann']), await schedule(['ann']), await schedule(['ann'])];
    await new MessagesRepository(database).cancel(database, { appId: 'shop', messageId: before }, new Date());
    const canceller = database.createQueryRunner();
    await canceller.startTransaction();
    await new MessagesRepository(database).cancel(canceller.manager, { appId: 'shop', messageId: between }, new Date());
    expect(await resolve([kept, before, between])).toMatchObject({
      resolved: [{ messageId: kept }],
      alone: [before],
      isTaken: true,
    });
    await canceller.commitTransaction();
    await canceller.release();
    expect((await resolve([kept, before, between])).alone.sort()).toEqual([before, between].sort());
    expect(await database.query(`SELECT DISTINCT message_id FROM pages`)).toEqual([{ message_id: kept }]);
  });

  it('leaves alone what is steered, over, for many devices, or somebody else’s; and waits for what is early', async () => {
    await population();
    await addDevices(
      database,
      'shop',
      Array.from({ length: 101 }, () => ({ userId: 'crowd' })),
    );
    const sendAt = new Date(Date.now() + 60_000);
    const later = await schedule(['ann'], { schedule: { sendAt: new Date(sendAt.getTime() + 1_000) } });
    const soon = await schedule(['ann'], { schedule: { sendAt } });
    const rated = await schedule(['ann'], { schedule: { rate: 10 } });
    const local = await schedule(['ann'], { schedule: { localTime: new Date() } });
    const expired = await schedule(['ann'], { lifeMs: 0 });
    await database.query(
      `UPDATE messages SET expires_at = now() - interval '20 seconds', send_at = now() - interval '40 seconds' WHERE id = $1`,
      [expired],
    );
    const crowd = await schedule(['crowd']);
    const plain = await schedule(['ann']);
    const outcome = await resolve([later, soon, rated, local, expired, crowd, plain]);
    expect(outcome.resolved.map(({ messageId }) => messageId)).toEqual([plain]);
    expect([...outcome.alone].sort()).toEqual([rated, local, expired, crowd].sort());
    expect(outcome).toMatchObject({ nextAt: sendAt, isTaken: false });
    const elsewhere = await resolveDue(database, {
      appId: 'other',
      messageIds: [crowd],
      now: new Date(),
      pageSize: 10,
    });
    expect(elsewhere).toEqual({ resolved: [], alone: [], nextAt: null, isTaken: false });
    // An application with a rate of its own, or quiet hours for everything, steers every message.
    await database.query(`UPDATE applications SET devices_per_second = 5`);
    const paced = await schedule(['ann']);
    expect(await resolve([paced])).toMatchObject({ resolved: [], alone: [paced] });
  });

  it('writes nothing at all when one of them fails', async () => {
    await population();
    const [good, bad] = [await schedule(['ann']), await schedule(['cat', 'bob'])];
    await refusePagesOf(bad);
    await expect(resolve([good, bad])).rejects.toThrow('refused');
    expect(await database.query(`SELECT 1 FROM pages`)).toEqual([]);
    await database.query(`DROP TRIGGER refuse ON pages`);
    expect((await resolve([good, bad])).resolved).toHaveLength(2);
  });

  async function refusePagesOf(messageId: string): Promise<void> {
    await database.query(
      `CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN IF NEW.message_id = TG_ARGV[0]::uuid THEN RAISE 'refused'; END IF; RETURN NEW; END $$`,
    );
    await database.query(
      `CREATE TRIGGER refuse BEFORE INSERT ON pages FOR EACH ROW EXECUTE FUNCTION refuse('${messageId}')`,
    );
  }
});
