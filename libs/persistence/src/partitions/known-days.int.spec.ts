import { DAY_MS } from '@postrider/domain';
import { newId } from '@postrider/platform';
import { createShop, createThrowAwayDatabase, emptyTables, type ThrowAwayDatabase } from '@postrider/testing';
import type { Database } from '../database/executor';
import { ErasuresRepository } from '../erasures/erasures.repository';
import type { PageKey } from './message-key';
import { MessagesRepository } from '../messages/messages.repository';
import { PagesRepository } from '../pages/pages.repository';
import { RoutesRepository } from '../vendors/routes.repository';
import { dayOfMessage } from './ledger-day';

const now = new Date();
const yesterday = new Date(now.getTime() - DAY_MS);

describe('a statement about messages of two days', () => {
  let throwAway: ThrowAwayDatabase;
  let database: Database;
  const pages: PageKey[] = [yesterday, now].map((at) => ({ appId: 'shop', messageId: newId(at), pageId: newId(at) }));

  beforeAll(async () => {
    throwAway = await createThrowAwayDatabase();
    database = throwAway.dataSource;
    await createShop(database, 0);
  });
  afterAll(() => throwAway.drop());

  beforeEach(async () => {
    await emptyTables(database, 'messages', 'pages');
    for (const { messageId, pageId } of pages) {
      await database.query(
        `INSERT INTO messages (app_id, id, kind, is_campaign, lane, audience, channel, content, count, resolve_ceiling,
           resolved_at, accepted_at, expires_at, status)
         VALUES ('shop', $1, 'users', false, 'transactional', '{}', 'public/default', '{}', 1, 0, $2, $2, $2, 'cancelled')`,
        [messageId, now],
      );
      await database.query(
        `INSERT INTO pages (app_id, message_id, id, vendor, lane, device_ids, fence, not_before)
         VALUES ('shop', $1, $2, 'fcm', 'transactional', '{7}', 1, $3)`,
        [messageId, pageId, new Date(now.getTime() + 60_000)],
      );
    }
  });

  /** The days in the plans of the statements that `act` runs on the ledger, such as `_20260131`. */
  async function daysPlanned(act: () => Promise<unknown>): Promise<string[]> {
    const run = jest.spyOn(database, 'query');
    await act();
    const calls = run.mock.calls.map(([statement, values]) => ({
      text: typeof statement === 'string' ? statement : (statement as { text: string }).text,
      values,
    }));
    run.mockRestore();
    const days = new Set<string>();
    for (const { text, values } of calls.filter((call) => /\b(?:messages|pages)(?:_\d+)?\b/.test(call.text))) {
      const plan = await database.query<{ 'QUERY PLAN': string }[]>(`EXPLAIN ${text}`, values);
      const found = plan.flatMap(
        (line) => line['QUERY PLAN'].match(/(?<=messages|pages|deliveries|packs)_\d{8}\b/g) ?? [],
      );
      for (const day of found) days.add(day);
    }
    return [...days].sort();
  }

  const [leasedBy, leaseUntil] = ['worker', now];
  it.each<[string, () => Promise<unknown>]>([
    ['puts messages off', () => new MessagesRepository(database).postpone(pages, { now, wakeAt: now })],
    ['releases the pages of a held route', () => new RoutesRepository(database).releasePages('shop', 'fcm', now, 10)],
    [
      'undoes losses',
      () =>
        new PagesRepository(database).undoLosses(
          pages.map((page) => ({ ...page, fence: 1 })),
          leasedBy,
        ),
    ],
    [
      'gives pages back',
      () =>
        new PagesRepository(database).giveBackUnknown(
          pages.map((page) => ({ ...page, leaseUntil })),
          leasedBy,
        ),
    ],
    [
      'looks whether pages are still in hand',
      () =>
        new ErasuresRepository(database).findStillInHand(
          'shop',
          pages.map((page) => ({ ...page, fence: 1 })),
          now,
        ),
    ],
    ['ends the pages of cancelled messages', () => new PagesRepository(database).endCancelled(pages, now, 10)],
  ])('is planned over no other day when it %s', async (_what, act) => {
    expect(await daysPlanned(act)).toEqual(pages.map(({ messageId }) => dayOfMessage(messageId).name));
  });
});
