import { newId } from '@postrider/platform';
import { createShop, createThrowAwayDatabase, locksBefore, type ThrowAwayDatabase } from '@postrider/testing';
import type { Database } from '../database/executor';
import type { MessageKey, PageKey } from '../partitions/message-key';
import { CampaignTestsRepository } from '../campaign-tests/campaign-tests.repository';
import { MessagesRepository } from '../messages/messages.repository';
import { PacingRepository } from '../pacing/pacing.repository';
import { RoutesRepository } from '../vendors/routes.repository';
import { WorkersRepository } from '../workers/workers.repository';
import { PagesRepository } from './pages.repository';

const now = new Date();
const later = (seconds: number): Date => new Date(now.getTime() + seconds * 1_000);
const WORKER = 'worker-1';
const NOTHING = { deviceIds: [], states: [], ranks: [], vendorMessageIds: [], errorCodes: [], reasons: [], times: [] };
/** The count of messages that are only there. */
const OTHERS = 7;

/**
 * Statements that wait for more than one row lock all of them in the order of message and page. Two that met in different
 * orders would wait for each other, and PostgreSQL would end one of them after a second.
 */
describe('rows that several processes write at once', () => {
  let throwAway: ThrowAwayDatabase;
  let database: Database;
  /** The later one was written first, is due first and is named first. */
  let [first, second] = ['', ''];
  const messageId = newId();

  beforeAll(async () => {
    throwAway = await createThrowAwayDatabase();
    database = throwAway.dataSource;
    await createShop(database, 0);
    // PostgreSQL reads a table that looks empty as a whole.
    await database.query(
      `INSERT INTO messages (app_id, id, kind, is_campaign, lane, audience, channel, content, count, resolve_ceiling, accepted_at, expires_at)
       SELECT 'shop', overlay($1 placing lpad(to_hex(n), 12, '0') from 25)::uuid, 'query', true, 'campaign', '{}', 'public/default', '{}',
         ${OTHERS}, 0, now(), now() FROM generate_series(1, 2000) n`,
      [newId()],
    );
    await database.query('ANALYZE messages');
  });
  afterAll(() => throwAway.drop());
  beforeEach(async () => {
    await database.query('DELETE FROM pages');
    await database.query('DELETE FROM messages WHERE count <> $1', [OTHERS]);
    [first, second] = [newId(), newId()].sort() as [string, string];
  });

  const addMessage = (id: string, columns: Record<string, unknown>): Promise<void> =>
    insert('messages', {
      ...{ app_id: 'shop', id, kind: 'query', is_campaign: true, lane: 'campaign', audience: {}, content: {} },
      ...{ channel: 'public/default', count: 1, resolve_ceiling: 0, accepted_at: now, expires_at: later(3_600) },
      ...columns,
    });

  const addPage = (id: string, columns: Record<string, unknown>): Promise<void> =>
    insert('pages', {
      ...{ app_id: 'shop', message_id: messageId, id, vendor: 'fcm', lane: 'campaign', device_ids: '{1}', fence: 1 },
      ...columns,
    });

  async function insert(table: string, row: Record<string, unknown>): Promise<void> {
    const names = Object.keys(row);
    const places = names.map((_, n) => `$${n + 1}`);
    await database.query(
      `INSERT INTO ${table} (${names.join(', ')}) VALUES (${places.join(', ')})`,
      Object.values(row),
    );
  }

  /** True if `act` locks the first row before it waits for the second. */
  const locksInOrder = (table: 'messages' | 'pages', act: () => Promise<unknown>): Promise<boolean> =>
    locksBefore(database, { earlier: `${table} WHERE id = '${first}'`, later: `${table} WHERE id = '${second}'` }, act);

  const keys = (): PageKey[] => [second, first].map((pageId) => ({ appId: 'shop', messageId, pageId }));
  const messageKeys = (): MessageKey[] => [second, first].map((id) => ({ appId: 'shop', messageId: id }));
  const running = { state: 'running', leased_by: WORKER };
  const held = { state: 'waiting', first_attempt_at: null, not_before: later(5), wake_at: later(5) };

  it.each<[string, Record<string, unknown>, () => Promise<unknown>]>([
    [
      'renews its leases',
      running,
      () =>
        new PagesRepository(database).renewLeases(
          keys().map((key) => ({ ...key, fence: 1 })),
          { leasedBy: WORKER, leaseUntil: later(10) },
        ),
    ],
    [
      'says that its leases ended without a result',
      running,
      () =>
        new PagesRepository(database).undoLosses(
          keys().map((key) => ({ ...key, fence: 1 })),
          WORKER,
        ),
    ],
    [
      'ends its work on them',
      running,
      () => {
        const settlement = { recorded: NOTHING, retries: [], remainder: null, now, lastCallAt: later(60) };
        const endings = keys().map((key) => ({ page: { ...key, fence: 1 }, settlement }));
        return new PagesRepository(database).settleMany(endings, undefined, 'waits');
      },
    ],
    [
      'gives back what it may have claimed',
      { ...running, wake_at: later(10) },
      () =>
        new PagesRepository(database).giveBackUnknown(
          keys().map((key) => ({ ...key, leaseUntil: later(10) })),
          WORKER,
        ),
    ],
    [
      'takes back the pages of a dead worker',
      running,
      async () => {
        const workers = new WorkersRepository(database);
        await workers.register(WORKER);
        expect(await workers.declareDead(WORKER, now)).toBe(2);
      },
    ],
    ['releases a held route', held, () => new RoutesRepository(database).releasePages('shop', 'fcm', now, 10)],
    ['makes lost jobs again', held, () => new PagesRepository(database).wakeDueWork(now)],
    ['changes the limits of an application', running, () => new PacingRepository(database).steerOpenPages('shop')],
    [
      'chooses the winner of a campaign',
      { state: 'waiting', waits_for: 'winner' },
      async () => {
        const decision = { variant: 'A', by: 'caller' as const };
        await addMessage(messageId, { content: { variants: [{ name: 'A' }] } });
        const tests = new CampaignTestsRepository(database);
        expect(await tests.decide({ appId: 'shop', messageId }, decision, now)).toBe(true);
      },
    ],
  ])('are pages that a process locks in their order when it %s', async (_what, columns, act) => {
    for (const [place, id] of [second, first].entries()) {
      await addPage(id, { wake_at: later(10 + place), ...columns });
    }
    expect(await locksInOrder('pages', act)).toBe(true);
  });

  it.each<[string, Record<string, unknown>, () => Promise<unknown>]>([
    ['marks them as done', { resolved_at: now }, () => new MessagesRepository(database).complete(messageKeys(), now)],
    [
      'puts them off',
      { wake_at: now },
      () => new MessagesRepository(database).postpone(messageKeys(), { now, wakeAt: later(30) }),
    ],
    ['makes lost jobs again', {}, () => new PagesRepository(database).wakeDueWork(now)],
  ])('are messages that a process locks in their order when it %s', async (_what, columns, act) => {
    for (const [place, id] of [second, first].entries()) {
      await addMessage(id, { wake_at: later(10 + place), ...columns });
    }
    expect(await locksInOrder('messages', act)).toBe(true);
  });
});
