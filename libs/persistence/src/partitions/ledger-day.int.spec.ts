import { newId } from '@postrider/platform';
import { createThrowAwayDatabase, type ThrowAwayDatabase } from '@postrider/testing';
import fc from 'fast-check';
import { rows } from '../database/executor';
import { noOutcomes } from '../deliveries/record-deliveries';
import { MessagesRepository } from '../messages/messages.repository';
import type { PageKey } from './message-key';
import { claimPagesStatement } from '../pages/claim-page.statement';
import { PagesRepository } from '../pages/pages.repository';
import { byDay, dayOfMessage } from './ledger-day';
import { PartitionsRepository } from './partitions.repository';

const DAY_MS = 86_400_000;

describe('the day of a message in the ledger', () => {
  let database: ThrowAwayDatabase;
  let pages: PagesRepository;

  beforeAll(async () => {
    database = await createThrowAwayDatabase(1);
    pages = new PagesRepository(database.dataSource);
    await rows(
      database.dataSource,
      `INSERT INTO applications (app_id, name, identity_key_sealed) VALUES ('shop', 'S', '')`,
    );
  });
  afterAll(() => database.drop());

  async function addPage(at = new Date()): Promise<PageKey> {
    const [messageId, pageId] = [newId(at), newId()];
    await rows(
      database.dataSource,
      `INSERT INTO messages (app_id, id, kind, is_campaign, lane, audience, channel, content, count, resolve_ceiling,
         resolved_at, accepted_at, expires_at)
       VALUES ('shop', $1, 'users', false, 'transactional', '{}', 'public/default', '{}', 1, 0, $2, $2, $3)`,
      [messageId, at, new Date(at.getTime() + 3_600_000)],
    );
    await rows(
      database.dataSource,
      `INSERT INTO pages (app_id, message_id, id, vendor, lane, device_ids) VALUES ('shop', $1, $2, 'fcm', 'transactional', '{7}')`,
      [messageId, pageId],
    );
    return { appId: 'shop', messageId, pageId };
  }

  const claimNow = (): { leasedBy: string; now: Date; leaseUntil: Date } => {
    const now = new Date();
    return { leasedBy: 'worker', now, leaseUntil: new Date(now.getTime() + 10_000) };
  };

  it('is the one whose partition PostgreSQL puts it into', async () => {
    const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
    for (const at of [today - DAY_MS, today - 1, today, today + DAY_MS - 1, today + DAY_MS]) {
      const { messageId } = await addPage(new Date(at));
      const [found] = await rows<{ name: string }>(
        database.dataSource,
        `SELECT tableoid::regclass::text AS name FROM pages WHERE message_id = $1`,
        [messageId],
      );
      expect(dayOfMessage(messageId).pages.toQuery().text).toBe(found?.name);
    }
  });

  it('is of any id a table that can be named: of one without a day, the whole ledger', () => {
    fc.assert(
      fc.property(fc.uuid(), (messageId) => {
        expect(dayOfMessage(messageId).deliveries.toQuery().text).toMatch(/^deliveries(_\d{8})?$/);
      }),
    );
    expect(dayOfMessage('ffffffff-ffff-7fff-8fff-ffffffffffff').messages.toQuery().text).toBe('messages');
  });

  it('keeps those of one day together, in their order', () => {
    const day = (n: number): { messageId: string } => ({ messageId: newId(new Date(DAY_MS * n)) });
    const [a, b, c, d] = [day(20_000), day(20_001), day(20_000), day(20_001)];
    expect(byDay([a, b, c, d]).map(([, items]) => items)).toEqual([
      [a, c],
      [b, d],
    ]);
  });

  it('may be gone: nothing of it can be claimed, and nothing is written', async () => {
    const old = new Date(Date.now() - 3 * DAY_MS);
    const partitions = new PartitionsRepository(database.dataSource);
    await partitions.ensure(old, 0);
    const page = await addPage(old);
    await partitions.dropOld(new Date(Date.now() - 2 * DAY_MS));
    const fresh = await addPage();
    expect(await pages.claim(page, claimNow())).toBeNull();
    expect(await pages.claimMany([page, fresh], claimNow())).toEqual([null, expect.objectContaining({ fence: 1 })]);
    expect(await pages.findOpen([page, fresh])).toEqual(new Set([1]));
    const settlement = {
      recorded: noOutcomes(),
      retries: [],
      remainder: null,
      now: new Date(),
      lastCallAt: new Date(),
    };
    const endings = [page, fresh].map((key) => ({ page: { ...key, fence: 1 }, settlement }));
    expect(await pages.settleMany(endings)).toEqual([false, true]);
    expect(await pages.settle(database.dataSource, { ...page, fence: 1 }, settlement)).toBe(false);
  });

  it('has a page that is claimed looked up by its key, and not among all open pages of its message', async () => {
    const page = await addPage();
    for (const whenLocked of ['waits', 'leaves-out'] as const) {
      const { text, values } = claimPagesStatement(
        dayOfMessage(page.messageId),
        [page],
        claimNow(),
        whenLocked,
      ).toQuery();
      const plan = await rows<{ 'QUERY PLAN': string }>(database.dataSource, `EXPLAIN ${text}`, values);
      const lookups = plan.flatMap((line) => /Scan using pages_\d+_(\w+) on/.exec(line['QUERY PLAN'])?.[1] ?? []);
      expect(new Set(lookups)).toEqual(new Set(['pkey']));
    }
  });

  it('is the only one that the release of overdue pages reads', async () => {
    const run = jest.spyOn(database.dataSource, 'query');
    const page = await addPage();
    const yesterdays = await addPage(new Date(Date.now() - DAY_MS));
    await rows(
      database.dataSource,
      `UPDATE pages SET state = 'running', wake_at = now() - interval '1 minute' WHERE id = ANY ($1)`,
      [[page.pageId, yesterdays.pageId]],
    );
    run.mockClear();
    await pages.releaseOverdue([page, yesterdays], { now: new Date(), wakeAt: new Date(Date.now() + 30_000) });
    const texts = run.mock.calls.map(([statement]) =>
      typeof statement === 'string' ? statement : (statement as { text: string }).text,
    );
    run.mockRestore();
    expect(texts.map((text) => [...new Set(text.match(/\bpages\w*/g))])).toEqual(
      [page, yesterdays].map(({ messageId }) => [dayOfMessage(messageId).pages.toQuery().text]),
    );
    const released = await rows(database.dataSource, `SELECT DISTINCT state FROM pages WHERE id = ANY ($1)`, [
      [page.pageId, yesterdays.pageId],
    ]);
    expect(released).toEqual([{ state: 'waiting' }]);
  });

  it('lets the statements of single sends be planned once a connection', async () => {
    const messages = new MessagesRepository(database.dataSource);
    for (let n = 0; n < 12; n++) {
      const page = await addPage();
      expect(await pages.claimMany([page], claimNow())).toEqual([expect.objectContaining({ fence: 1 })]);
      const settlement = {
        recorded: noOutcomes(),
        retries: [],
        remainder: null,
        now: new Date(),
        lastCallAt: new Date(),
      };
      expect(await pages.settleMany([{ page: { ...page, fence: 1 }, settlement }])).toEqual([true]);
      await messages.complete([page], new Date());
    }
    const plans = await rows<{ custom: number; generic: number }>(
      database.dataSource,
      `SELECT custom_plans::integer AS custom, generic_plans::integer AS generic FROM pg_prepared_statements
       WHERE custom_plans + generic_plans >= 12 AND statement ~ '_\\d{8}'`,
    );
    expect(plans).toHaveLength(3);
    for (const { custom, generic } of plans) {
      expect(custom).toBeLessThanOrEqual(5);
      expect(generic).toBeGreaterThanOrEqual(7);
    }
  });
});
