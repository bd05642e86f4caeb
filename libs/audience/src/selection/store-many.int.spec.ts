import fc from 'fast-check';
import { createThrowAwayDatabase, type ThrowAwayDatabase } from '@postrider/testing';
import type { Channel, Reach } from '@postrider/domain';
import { type Database, rows } from '@postrider/persistence';
import { type NamedDraft, type OnceTerms, storeMessagesOnce } from './named-acceptance';
import { storeMessages, type DraftedMessage } from './store-messages';
import { addDevices, connect, createApplication, newMessage, type TestDevice } from './testing/population';

const ACCEPTED_AT = new Date();
const PAGE_SIZE = 3;

describe('accepting many messages in one statement', () => {
  let throwAway: ThrowAwayDatabase;
  let database: Database;

  beforeAll(async () => {
    throwAway = await createThrowAwayDatabase();
    database = throwAway.dataSource;
    await createApplication(database, 'shop', ['fcm', 'apns']);
    const kinds: Omit<TestDevice, 'userId'>[] = [
      {},
      { pushType: 'apns', deviceType: 'ios' },
      { realtime: true, channels: ['public/news'] },
      { token: null },
      { tokenStatus: 'DENIED', channels: ['private/club', 'public/news'] },
      { token: null, realtime: true, deviceType: 'web' },
      { pushType: 'hms' },
    ];
    const devices = Array.from({ length: 8 }, (_, user) =>
      Array.from({ length: user + 1 }, (_, n) => ({ userId: `user-${user}`, ...kinds[(user * 3 + n) % kinds.length] })),
    ).flat();
    const ids = await addDevices(database, 'shop', devices);
    await connect(
      database,
      'shop',
      ids.filter((_, n) => n % 5 === 0),
    );
  });
  afterAll(() => throwAway.drop());

  const drafted = fc.record({
    users: fc.uniqueArray(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 4 }),
    reach: fc.constantFrom<Reach>('any', 'live', 'inApp', 'notify'),
    channel: fc.constantFrom<Channel>('public/default', 'private/default', 'public/news', 'private/club'),
    isToAll: fc.boolean(),
    text: fc.string({ unit: 'grapheme' }),
  });

  function draft({ users, reach, channel, isToAll, text }: typeof drafted extends fc.Arbitrary<infer T> ? T : never) {
    const who = isToAll
      ? ({ kind: 'everyone' } as const)
      : ({ kind: 'users', userIds: users.map((user) => `user-${user}`) } as const);
    const message = newMessage({ acceptedAt: ACCEPTED_AT });
    Object.assign(message.content, { content: text.replaceAll('\0', '') });
    return { message, selection: { appId: 'shop', acceptedAt: ACCEPTED_AT, channel, reach, who } } as DraftedMessage;
  }

  /** Returns all rows of a message in the ledger, without ids that are drawn. */
  async function ledgerOf({ message: { id } }: DraftedMessage): Promise<object> {
    const [message] = await rows<object>(database, `SELECT to_jsonb(m) - 'id' AS row FROM messages m WHERE id = $1`, [
      id,
    ]);
    const pages = await rows<object>(
      database,
      `SELECT to_jsonb(p) - 'id' - 'message_id' AS row FROM pages p WHERE message_id = $1 ORDER BY vendor, device_ids`,
      [id],
    );
    const deliveries = await rows<object>(
      database,
      `SELECT to_jsonb(d) - 'message_id' AS row FROM deliveries d WHERE message_id = $1 ORDER BY device_id`,
      [id],
    );
    return { message, pages, deliveries };
  }

  it('leaves exactly what accepting them one by one does, and answers the same', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(drafted, { minLength: 1, maxLength: 12 }), async (plan) => {
        const together = plan.map(draft);
        const alone = plan.map(draft);
        const many = await storeMessages(database, together, { pageSize: PAGE_SIZE });
        for (const [place, one] of alone.entries()) {
          const [expected] = await storeMessages(database, [one], { pageSize: PAGE_SIZE });
          expect(many[place]).toEqual({ ...expected, pages: expect.any(Array) });
          expect(many[place]?.pages.map(({ vendor }) => vendor).sort()).toEqual(
            expected?.pages.map(({ vendor }) => vendor).sort(),
          );
          expect(await ledgerOf(together[place]!)).toEqual(await ledgerOf(one));
        }
      }),
      { numRuns: 25 },
    );
  });

  it('names the pages that it wrote, each with its own message', async () => {
    const drafts = [0, 7, 9].map((user) =>
      draft({ users: [user], reach: 'notify', channel: 'public/default', isToAll: false, text: 'Hello' }),
    );
    const accepted = await storeMessages(database, drafts, { pageSize: PAGE_SIZE });
    for (const [place, { message }] of drafts.entries()) {
      const written = await rows<{ pageId: string; vendor: string }>(
        database,
        `SELECT id AS "pageId", vendor FROM pages WHERE message_id = $1`,
        [message.id],
      );
      expect(accepted[place]?.pages).toHaveLength(written.length);
      expect(accepted[place]?.pages).toEqual(expect.arrayContaining(written));
    }
  });

  it('accepts the first of those that share an idempotency key, in whichever order they are stored', async () => {
    const once = (text: string): OnceTerms => ({
      key: 'order-1',
      requestHash: Buffer.from(text),
      answer: { text },
      keptSince: new Date(ACCEPTED_AT.getTime() - 86_400_000),
    });
    const drafts = ['first', 'second', 'third'].map((text) => ({
      ...(draft({ users: [0], reach: 'notify', channel: 'public/default', isToAll: false, text }) as NamedDraft),
      once: once(text),
    }));
    const stored = [drafts[1]!, drafts[2]!, drafts[0]!];
    const outcomes = await storeMessagesOnce(database, stored, { pageSize: PAGE_SIZE });
    expect(outcomes.map(({ kind }) => kind)).toEqual(['kept', 'kept', 'accepted']);
    const written = await rows(
      database,
      `SELECT content ->> 'content' AS text FROM messages WHERE id = ANY ($1::uuid[])`,
      [drafts.map(({ message }) => message.id)],
    );
    expect(written).toEqual([{ text: 'first' }]);
    const kept = await rows(database, `SELECT answer ->> 'text' AS text FROM idempotency_keys WHERE key = 'order-1'`);
    expect(kept).toEqual([{ text: 'first' }]);
  });

  it('takes more messages than one statement does, in their order', async () => {
    const drafts = Array.from({ length: 1_203 }, (_, n) =>
      draft({
        users: [n % 10],
        reach: n % 2 ? 'any' : 'notify',
        channel: 'public/default',
        isToAll: false,
        text: `${n}`,
      }),
    );
    const accepted = await storeMessages(database, drafts, { pageSize: PAGE_SIZE });
    const counts = await rows<{ id: string; count: number }>(
      database,
      `SELECT id, count::int FROM messages WHERE id = ANY ($1::uuid[])`,
      [drafts.map(({ message }) => message.id)],
    );
    const kept = new Map(counts.map(({ id, count }) => [id, count]));
    expect(accepted.map(({ count }) => count)).toEqual(drafts.map(({ message }) => kept.get(message.id)));
  });
});
