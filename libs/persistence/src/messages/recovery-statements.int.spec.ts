import type { DeviceId } from '@postrider/domain';
import { newId } from '@postrider/platform';
import { createThrowAwayDatabase, type ThrowAwayDatabase, emptyTables } from '@postrider/testing';
import type { Database } from '../database/executor';
import { PagesRepository } from '../pages/pages.repository';
import { MessagesRepository } from './messages.repository';

const now = new Date();
const later = (seconds: number): Date => new Date(now.getTime() + seconds * 1_000);

describe('the statements of recovery', () => {
  let throwAway: ThrowAwayDatabase;
  let database: Database;
  let messages: MessagesRepository;
  let pages: PagesRepository;

  beforeAll(async () => {
    throwAway = await createThrowAwayDatabase();
    database = throwAway.dataSource;
    messages = new MessagesRepository(database);
    pages = new PagesRepository(database);
    await database.query(`INSERT INTO applications (app_id, name, identity_key_sealed) VALUES ('shop', 'Shop', '')`);
  });
  afterAll(() => throwAway.drop());
  beforeEach(() => emptyTables(database, 'messages', 'pages', 'deliveries'));

  async function addMessage(columns: Record<string, unknown> = {}): Promise<string> {
    const values: Record<string, unknown> = {
      app_id: 'shop',
      id: newId(),
      kind: 'query',
      is_campaign: true,
      lane: 'campaign',
      audience: {},
      channel: 'public/default',
      content: {},
      count: 1,
      resolve_ceiling: 0,
      accepted_at: now,
      expires_at: later(3_600),
      ...columns,
    };
    const names = Object.keys(values);
    await database.query(
      `INSERT INTO messages (${names.join(', ')}) VALUES (${names.map((_, n) => `$${n + 1}`).join(', ')})`,
      Object.values(values),
    );
    return values.id as string;
  }

  async function addPage(messageId: string, wakeAt: Date | null, state = 'waiting'): Promise<string> {
    const id = newId();
    await database.query(
      `INSERT INTO pages (app_id, message_id, id, vendor, lane, device_ids, wake_at, state)
       VALUES ('shop', $1, $2, 'fcm', 'campaign', '{1,2}', $3, $4)`,
      [messageId, id, wakeAt, state],
    );
    return id;
  }

  function addWaiting(messageId: string, deviceIds: DeviceId[], vendor = 'connection'): Promise<unknown> {
    return database.query(
      `INSERT INTO deliveries (app_id, message_id, device_id, state, rank, vendor, reason)
       SELECT 'shop', $1, unnest($2::bigint[]), 'pending', 0, $3, 'waits_for_app'`,
      [messageId, deviceIds, vendor],
    );
  }

  async function messageRow(id: string): Promise<Record<string, unknown>> {
    const [row] = await database.query(`SELECT * FROM messages WHERE id = $1`, [id]);
    return row;
  }

  it('gives pages that are due, the longest due first, and not again until their next time', async () => {
    const messageId = await addMessage();
    const [second, first] = [await addPage(messageId, later(-1)), await addPage(messageId, later(-9))];
    await addPage(messageId, later(1));
    await addPage(messageId, null, 'finished');

    const due = await pages.findDue(now, 10);
    expect(due).toEqual(
      [first, second].map((pageId) => ({
        appId: 'shop',
        messageId,
        pageId,
        vendor: 'fcm',
        lane: 'campaign',
        notBefore: null,
      })),
    );
    expect(await pages.findDue(now, 1)).toHaveLength(1);

    await pages.releaseOverdue(due, { now, wakeAt: later(30) });
    expect(await pages.findDue(now, 10)).toEqual([]);
    expect(await pages.findDue(later(30), 10)).toHaveLength(3);
  });

  it('gives a page whose time is later than the end of its message at once, when that has ended', async () => {
    const messageId = await addMessage({ expires_at: later(-1) });
    const [late, planned] = [await addPage(messageId, later(-1)), await addPage(messageId, later(-1))];
    await database.query(`UPDATE pages SET not_before = $2 WHERE id = $1`, [late, later(7_200)]);
    await database.query(`UPDATE pages SET not_before = $2 WHERE id = $1`, [planned, later(2)]);
    const due = await pages.findDue(now, 10);
    expect(new Map(due.map(({ pageId, notBefore }) => [pageId, notBefore]))).toEqual(
      new Map([
        [late, null],
        [planned, later(2)],
      ]),
    );
    await pages.releaseOverdue(due, { now, wakeAt: later(30) });
    // Its job may be lost.
    expect((await pages.findDue(later(30), 10)).map(({ pageId }) => pageId).sort()).toEqual([late, planned].sort());
  });

  it('makes a page whose lease is over claimable at once, and leaves one that was claimed meanwhile to its owner', async () => {
    const messageId = await addMessage();
    const orphaned = await addPage(messageId, later(-1), 'running');
    const reclaimed = await addPage(messageId, later(-1), 'running');
    const key = (pageId: string) => ({ appId: 'shop', messageId, pageId });
    const claim = { leasedBy: 'worker-2', now, leaseUntil: later(60) };

    const due = await pages.findDue(now, 10);
    await pages.claim(key(reclaimed), claim);
    await pages.releaseOverdue(due, { now, wakeAt: later(30) });

    expect(await pages.claim(key(orphaned), claim)).toMatchObject({ fence: 1 });
    expect(await pages.claim(key(reclaimed), { ...claim, leasedBy: 'worker-3' })).toBeNull();
  });

  it('gives messages that nobody gets on with, and looks no more at one that has ended', async () => {
    const unresolved = await addMessage({ wake_at: later(-2) });
    const resolved = await addMessage({ wake_at: later(-1), resolved_at: now });
    const ended = await addMessage({ wake_at: later(-1), resolved_at: now, status: 'done' });
    await addMessage({ wake_at: later(1) });

    const due = await messages.findDue(now, 10);
    expect(due.map(({ messageId, isResolved }) => [messageId, isResolved])).toEqual(
      expect.arrayContaining([
        [unresolved, false],
        [resolved, true],
        [ended, true],
      ]),
    );
    expect(due).toHaveLength(3);
    expect(due[0]?.messageId).toBe(unresolved);

    await messages.postpone(due, { now, wakeAt: later(30) });
    expect(await messages.findDue(now, 10)).toEqual([]);
    expect(await messages.findDue(later(31), 10)).toHaveLength(3);
    expect((await messageRow(ended)).wake_at).toBeNull();
  });

  it('cancels a message while there is something to stop, once, and only in its own application', async () => {
    const id = await addMessage({ wake_at: now });
    const done = await addMessage({ status: 'done' });
    expect(await messages.cancel(database, { appId: 'other', messageId: id }, now)).toBe(false);
    expect(await messages.cancel(database, { appId: 'shop', messageId: id }, now)).toBe(true);
    expect(await messages.cancel(database, { appId: 'shop', messageId: id }, now)).toBe(false);
    expect(await messages.cancel(database, { appId: 'shop', messageId: done }, now)).toBe(false);
    expect(await messages.cancel(database, { appId: 'shop', messageId: newId() }, now)).toBe(false);
    expect(await messageRow(id)).toMatchObject({ status: 'cancelled', cancelled_at: now, wake_at: now });
    expect(await messageRow(done)).toMatchObject({ status: 'done' });
  });

  it('cancels what still waits in inboxes of a message that is otherwise done', async () => {
    const id = await addMessage({ status: 'done', inbox_ends_at: later(3_600) });
    await addWaiting(id, ['1', '2']);
    expect(await messages.cancel(database, { appId: 'shop', messageId: id }, now)).toBe(true);
    const [inbox] = await messages.findEndedWaits(now, 10);
    expect(inbox).toEqual({ appId: 'shop', messageId: id, state: 'cancelled' });
    expect(await messages.endWaiting(inbox!, now, 10)).toBe(2);
    expect(await database.query(`SELECT DISTINCT state, reason, rank FROM deliveries`)).toEqual([
      { state: 'cancelled', reason: null, rank: 1 },
    ]);
  });

  it('expires what waits for a connection when its message does, a bounded number at a time', async () => {
    const id = await addMessage({ status: 'done', inbox_ends_at: later(10) });
    await addWaiting(id, ['1', '2', '3', '4', '5']);
    await database.query(`UPDATE deliveries SET state = 'delivered', rank = 3 WHERE device_id = 2`);
    await addWaiting(id, ['9'], 'fcm');

    expect(await messages.findEndedWaits(later(9), 10)).toEqual([]);
    const ended: number[] = [];
    for (let turn = 0; turn < 4; turn++) {
      for (const inbox of await messages.findEndedWaits(later(10), 10)) {
        ended.push(await messages.endWaiting(inbox, later(10), 3));
      }
    }
    expect(ended).toEqual([3, 1]);
    expect(await database.query(`SELECT device_id, state FROM deliveries ORDER BY device_id`)).toEqual([
      { device_id: '1', state: 'expired' },
      { device_id: '2', state: 'delivered' },
      { device_id: '3', state: 'expired' },
      { device_id: '4', state: 'expired' },
      { device_id: '5', state: 'expired' },
      { device_id: '9', state: 'pending' },
    ]);
    expect((await messageRow(id)).inbox_ends_at).toBeNull();
  });
});
