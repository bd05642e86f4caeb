import type { DeviceId } from '@postrider/domain';
import { newId } from '@postrider/platform';
import { createShop, createThrowAwayDatabase, type ThrowAwayDatabase, whileHolding } from '@postrider/testing';
import { type Database, rows } from '../database/executor';
import { noOutcomes, type RecordedDeliveries } from '../deliveries/record-deliveries';
import type { LeasedPage, PageKey } from '../partitions/message-key';
import { combineReceipts } from '../receipts/receipt';
import { ReceiptsRepository } from '../receipts/receipts.repository';
import { PagesRepository } from './pages.repository';
import type { Remainder } from './settle-page.statement';

const HOUR_MS = 3_600_000;

describe('a claim of a page', () => {
  let throwAway: ThrowAwayDatabase;
  let database: Database;
  let pages: PagesRepository;
  let devices: [DeviceId, DeviceId];

  beforeAll(async () => {
    throwAway = await createThrowAwayDatabase();
    database = throwAway.dataSource;
    pages = new PagesRepository(database);
    await createShop(database, 2);
    const found = await rows<{ id: DeviceId }>(database, `SELECT id::text AS id FROM installations ORDER BY id`);
    devices = found.map(({ id }) => id) as typeof devices;
  });
  afterAll(() => throwAway.drop());

  /** Adds a message whose only page waits for a worker. */
  async function addPage(): Promise<PageKey> {
    const at = new Date();
    const key = { appId: 'shop', messageId: newId(at), pageId: newId(at) };
    await rows(
      database,
      `INSERT INTO messages (app_id, id, kind, is_campaign, lane, audience, channel, content, count, resolve_ceiling, resolved_at,
         accepted_at, expires_at, wake_at)
       VALUES ('shop', $1, 'query', true, 'campaign', '{}', 'public/default', '{"content": "hello"}', 2, 0, $2, $2, $3, $2)`,
      [key.messageId, at, new Date(at.getTime() + HOUR_MS)],
    );
    await rows(
      database,
      `INSERT INTO pages (app_id, message_id, id, vendor, lane, device_ids, wake_at, created_at)
       VALUES ('shop', $1, $2, 'fcm', 'campaign', $3, $4, $4)`,
      [key.messageId, key.pageId, devices, at],
    );
    return key;
  }

  /** Claims a page with a lease that is over at once. */
  async function claim(page: PageKey, leasedBy: string): Promise<{ fence: number; devices: DeviceId[] } | null> {
    const now = new Date();
    const claimed = await pages.claim(page, { leasedBy, now, leaseUntil: now });
    return claimed && { fence: claimed.fence, devices: claimed.devices.map(({ id }) => id) };
  }

  /** Ends the work on a page. @returns false if it belongs to somebody else by now */
  function finish(
    page: LeasedPage,
    recorded: RecordedDeliveries,
    remainder: Remainder | null = null,
  ): Promise<boolean> {
    const now = new Date();
    const lastCallAt = new Date(now.getTime() + HOUR_MS);
    return pages.settle(database, page, { recorded, retries: [], remainder, now, lastCallAt });
  }

  async function outcomesOf({ messageId, pageId }: PageKey): Promise<object | undefined> {
    const [found] = await rows<object>(
      database,
      `SELECT state, (SELECT count(*)::int FROM deliveries WHERE message_id = $1) AS deliveries FROM pages WHERE id = $2`,
      [messageId, pageId],
    );
    return found;
  }

  it.each(['rows', 'packs'])('leaves out devices whose outcomes are recorded while it waits, in %s', async (shape) => {
    const [first, second] = devices;
    const page = await addPage();
    expect(await claim(page, 'former')).toEqual({ fence: 1, devices });
    const claimed = await whileHolding(
      database,
      (held) => {
        const former = new PagesRepository(held);
        const [leased, outcomes, at] = [{ ...page, fence: 1 }, sent(first), new Date()];
        return shape === 'rows' ? former.flush(leased, outcomes, at) : former.flushPacked(leased, outcomes, at, true);
      },
      () => claim(page, 'next'),
    );
    expect(claimed).toEqual({ fence: 2, devices: [second] });
  });

  it('leaves out a device that reports the message while it waits', async () => {
    const [first, second] = devices;
    const page = await addPage();
    const at = new Date();
    const receipt = { messageId: page.messageId, kind: 'delivered', at } as const;
    const reports = combineReceipts({ appId: 'shop', deviceId: first }, [receipt], at);
    const claimed = await whileHolding(
      database,
      (held) => new ReceiptsRepository(held).record(reports, at),
      () => claim(page, 'first'),
    );
    expect(claimed).toEqual({ fence: 2, devices: [second] });
  });

  it('is all that counts: the end of a worker whose page another one has claimed records nothing', async () => {
    const page = await addPage();
    await claim(page, 'former');
    await claim(page, 'next');
    expect(await finish({ ...page, fence: 1 }, sent(devices[0]))).toBe(false);
    expect(await outcomesOf(page)).toEqual({ state: 'running', deliveries: 0 });
    expect(await finish({ ...page, fence: 2 }, sent(devices[0]))).toBe(true);
    expect(await outcomesOf(page)).toEqual({ state: 'finished', deliveries: 1 });
  });

  it('keeps others away until its lease is over', async () => {
    const page = await addPage();
    const now = new Date();
    await pages.claim(page, { leasedBy: 'worker', now, leaseUntil: new Date(now.getTime() + HOUR_MS) });
    expect(await claim(page, 'other')).toBeNull();
  });

  it('ends once: a page that waits again is not ended by the worker that gave it back', async () => {
    const page = await addPage();
    await claim(page, 'worker');
    const leased = { ...page, fence: 1 };
    const remainder = { deviceIds: devices, notBefore: null, forgetsFirstAttempt: false };
    expect(await finish(leased, noOutcomes(), remainder)).toBe(true);
    expect(await finish(leased, sent(devices[0]))).toBe(false);
    expect(await outcomesOf(page)).toEqual({ state: 'waiting', deliveries: 0 });
  });

  it.each([
    ['is cancelled', `status = 'cancelled'`],
    ['expires', `expires_at = accepted_at`],
  ])('is possible before the time of a page once its message %s, which ends it', async (_, change) => {
    const page = await addPage();
    await rows(database, `UPDATE pages SET not_before = now() + interval '1 hour' WHERE id = $1`, [page.pageId]);
    expect(await claim(page, 'early')).toBeNull();
    await rows(database, `UPDATE messages SET ${change} WHERE id = $1`, [page.messageId]);
    expect(await claim(page, 'worker')).toEqual({ fence: 1, devices });
  });

  it('is due again after its lease, although another page is being written at that moment', async () => {
    const [written, overdue] = [await addPage(), await addPage()];
    for (const page of [written, overdue]) await claim(page, 'former');
    const now = new Date();
    const writer = database.createQueryRunner();
    try {
      await writer.startTransaction();
      await writer.query(`SELECT FROM pages WHERE id = $1 FOR NO KEY UPDATE`, [written.pageId]);
      await pages.releaseOverdue([written, overdue], { now, wakeAt: new Date(now.getTime() + HOUR_MS) });
    } finally {
      await writer.rollbackTransaction();
      await writer.release();
    }
    const states = await rows<{ id: string; state: string }>(
      database,
      `SELECT id, state FROM pages WHERE id IN ($1, $2)`,
      [written.pageId, overdue.pageId],
    );
    expect(Object.fromEntries(states.map(({ id, state }) => [id, state]))).toEqual({
      [written.pageId]: 'running',
      [overdue.pageId]: 'waiting',
    });
  });
});

function sent(deviceId: DeviceId): RecordedDeliveries {
  return {
    ...{ deviceIds: [deviceId], states: ['sent'], vendorMessageIds: ['m-1'] },
    ...{ errorCodes: [null], reasons: [null], times: [Date.now()] },
  };
}
