import { HOUR_MS, MINUTE_MS, type ReceiptKind, systemClock } from '@postrider/domain';
import { newId } from '@postrider/platform';
import { createThrowAwayDatabase, type ThrowAwayDatabase } from '@postrider/testing';
import fc from 'fast-check';
import { type Database, rows } from '../database/executor';
import { StatisticsRepository } from '../statistics/statistics.repository';
import type { Receipt } from './receipt';
import { ReceiptRecorder } from './receipt-recorder';
import { ReceiptsRepository } from './receipts.repository';

const KINDS: ReceiptKind[] = ['delivered', 'shown', 'dismissed', 'opened', 'action', 'link'];
const RANK = { delivered: 3, shown: 4, dismissed: 5, opened: 6, action: 6, link: 0 } as const;
const STATE_OF_RANK: Record<number, string> = { 2: 'sent', 3: 'delivered', 4: 'shown', 5: 'dismissed', 6: 'opened' };
const TYPES = ['android', 'ios', 'web', 'fridge'];

interface Event {
  device: number;
  message: number;
  receipt: Omit<Receipt, 'messageId'>;
}

function recorderOf(database: Database): ReceiptRecorder {
  return new ReceiptRecorder(new ReceiptsRepository(database), systemClock);
}

/**
 * What a receipt counts as: an action also as opened, any action or link as a click of the device, and all but a link
 * as delivered.
 */
function countedBy({ kind, actionId, link }: Event['receipt']): string[] {
  if (kind === 'link') return ['clicked|', `link|${link ?? ''}`];
  if (kind === 'action') return ['delivered|', 'opened|', 'clicked|', `action|${actionId ?? ''}`];
  return [...new Set(['delivered|', `${kind}|`])];
}

describe('receipts in floods', () => {
  let throwAway: ThrowAwayDatabase;
  let database: Database;
  let devices: string[];

  beforeAll(async () => {
    throwAway = await createThrowAwayDatabase();
    database = throwAway.dataSource;
    await rows(database, `INSERT INTO applications (app_id, name, identity_key_sealed) VALUES ('shop', 'Shop', '')`);
    const made = await rows<{ id: string }>(
      database,
      `INSERT INTO installations (app_id, installation_id, user_id, device_type)
       SELECT 'shop', gen_random_uuid(), 'user-' || n, ($1::text[])[1 + n % 4] FROM generate_series(0, 7) n
       RETURNING id`,
      [TYPES],
    );
    devices = made.map(({ id }) => id);
  });
  afterAll(() => throwAway.drop());

  async function send(messageId: string, to: readonly string[]): Promise<void> {
    await rows(
      database,
      `INSERT INTO deliveries (app_id, message_id, device_id, state, rank, vendor)
       SELECT 'shop', $1, id, 'sent', 2, 'fcm' FROM unnest($2::bigint[]) AS id`,
      [messageId, to],
    );
  }

  /** Each device's user gets an SMS unless one of their devices confirms. */
  async function promise(messageId: string, policy: string | null): Promise<void> {
    await rows(
      database,
      `INSERT INTO fallbacks (app_id, message_id, user_id, policy, due_at, wake_at, created_at, updated_at)
       SELECT 'shop', $1, user_id, $2, now(), now(), now(), now() FROM installations WHERE app_id = 'shop'`,
      [messageId, policy],
    );
  }

  /** The counts of a single pass over the events in the order of their times. */
  function plainCount(events: readonly Event[], messages: readonly string[], accepted: Date): Record<string, number> {
    const first = new Map<string, Date>();
    for (const { device, message, receipt } of events) {
      const at = receipt.at as Date;
      for (const what of countedBy(receipt)) {
        const name = [messages[message], what, device].join('|');
        const known = first.get(name);
        if (known === undefined || at < known) first.set(name, at);
      }
    }
    const counts: Record<string, number> = {};
    for (const [name, at] of first) {
      const [message, kind, what, device] = name.split('|');
      const platform = ['android', 'ios', 'web', 'other'][Number(device) % 4];
      const hour = Math.floor(Math.max(at.getTime(), accepted.getTime()) / HOUR_MS);
      const key = [message, kind, what, hour, platform].join('|');
      counts[key] = (counts[key] ?? 0) + 1;
    }
    return counts;
  }

  it('end in the states and counts of a plain count, whatever their order and however often they come', async () => {
    const now = Date.now();
    const accepted = new Date(now - 5 * HOUR_MS);
    const span = { min: new Date(now - 8 * HOUR_MS), max: new Date(now), noInvalidDate: true };
    const event = fc.record({
      device: fc.nat(7),
      message: fc.nat(2),
      receipt: fc.record({
        kind: fc.constantFrom(...KINDS),
        at: fc.integer({ min: now - 8 * HOUR_MS, max: now }).map((ms) => new Date(ms)),
        actionId: fc.constantFrom('yes', 'no'),
        link: fc.constantFrom('https://shop.example/a', 'shop://b?q=ü'),
      }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(event, { minLength: 1, maxLength: 60 }).chain((events) =>
          fc.record({
            events: fc.constant(events),
            repeated: fc.shuffledSubarray(events),
            order: fc.shuffledSubarray(events, { minLength: events.length }),
            clicks: fc.array(fc.record({ device: fc.nat(7), message: fc.nat(2), at: fc.date(span) }), {
              maxLength: 10,
            }),
            fallbackPolicy: fc.constantFrom(null, 'SHOWN'),
          }),
        ),
        async ({ events, repeated, order, clicks, fallbackPolicy }) => {
          const messages = [newId(accepted), newId(accepted)];
          const foreign = newId(accepted);
          for (const id of messages) {
            await send(id, devices);
            await promise(id, fallbackPolicy);
          }
          const recorders = [recorderOf(database), recorderOf(database)];
          const all = [...order, ...repeated];
          const follow = (click: (typeof clicks)[number]): Promise<void> =>
            new StatisticsRepository(database).countLinkClicks([
              {
                appId: 'shop',
                messageId: [...messages, foreign][click.message] as string,
                deviceId: devices[click.device] as string,
                link: 'https://shop.example/a',
                at: click.at,
              },
            ]);
          await Promise.all([
            ...clicks.map(follow),
            ...all.map(({ device, message, receipt }, place) =>
              (recorders[place % 2] as ReceiptRecorder).record('shop', devices[device] as string, [
                { ...receipt, messageId: [...messages, foreign][message] as string },
              ]),
            ),
          ]);
          const counted = await rows<{ key: string; count: number }>(
            database,
            `SELECT concat_ws('|', message_id, kind, coalesce(name, ''), extract(epoch FROM hour)::bigint / 3600, platform) AS key,
               count::int FROM message_counts WHERE message_id = ANY ($1) AND kind <> 'click' AND count <> 0`,
            [[...messages, foreign]],
          );
          const known = events.filter(({ message }) => message < 2);
          expect(Object.fromEntries(counted.map(({ key, count }) => [key, count]))).toEqual(
            plainCount(known, messages, accepted),
          );
          const states = await rows<{ key: string; state: string }>(
            database,
            `SELECT message_id || ' ' || device_id AS key, state FROM deliveries WHERE message_id = ANY ($1)`,
            [[...messages, foreign]],
          );
          const ranks = new Map<string, number>();
          for (const { device, message, receipt } of known) {
            const key = [messages[message], devices[device]].join(' ');
            ranks.set(key, Math.max(ranks.get(key) ?? 2, RANK[receipt.kind]));
          }
          expect(states).toHaveLength(2 * devices.length);
          for (const { key, state } of states) expect(state).toBe(STATE_OF_RANK[ranks.get(key) ?? 2]);
          const clicked = clicks.filter(({ message }) => message < 2).length;
          expect(
            await rows(
              database,
              `SELECT coalesce(sum(count), 0)::int AS clicks FROM message_counts WHERE message_id = ANY ($1) AND kind = 'click'`,
              [[...messages, foreign]],
            ),
          ).toEqual([{ clicks: clicked }]);
          const least = fallbackPolicy === 'SHOWN' ? RANK.shown : RANK.delivered;
          const fallbacks = await rows<{ key: string; state: string }>(
            database,
            `SELECT f.message_id || ' ' || i.id AS key, f.state FROM fallbacks f
             JOIN installations i ON i.app_id = f.app_id AND i.user_id = f.user_id WHERE f.message_id = ANY ($1)`,
            [messages],
          );
          expect(fallbacks).toHaveLength(2 * devices.length);
          for (const { key, state } of fallbacks) {
            expect(state).toBe((ranks.get(key) ?? 0) >= least ? 'confirmed' : 'waiting');
          }
        },
      ),
      { numRuns: 25 },
    );
  });

  it('move a delivery forward only, end what an attempt left, and keep the first time of each, one after the other', async () => {
    const [device = ''] = devices;
    const accepted = new Date(Date.now() - HOUR_MS);
    const messageId = newId(accepted);
    const after = (minutes: number): Date => new Date(accepted.getTime() + minutes * MINUTE_MS);
    await rows(
      database,
      `INSERT INTO deliveries (app_id, message_id, device_id, state, rank, vendor, error_code, reason, edge_id)
       VALUES ('shop', $1, $2, 'failed', 1, 'fcm', 'UNAVAILABLE', 'Asked twice, answered never', 'edge-1')`,
      [messageId, device],
    );
    const recorder = recorderOf(database);
    const reported = async (...receipts: [kind: ReceiptKind, minutes: number][]): Promise<unknown> => {
      const named = receipts.map(([kind, minutes]) => ({ messageId, kind, at: after(minutes) }));
      await recorder.record('shop', device, named);
      const [delivery] = await rows(
        database,
        `SELECT state, rank, delivered_at, shown_at, opened_at, dismissed_at, error_code, reason, edge_id
         FROM deliveries WHERE message_id = $1`,
        [messageId],
      );
      return delivery;
    };
    const cleared = { error_code: null, reason: null, edge_id: null };
    const none = { opened_at: null, dismissed_at: null };
    const shown = { ...cleared, ...none, state: 'shown', rank: 4, shown_at: after(3) };
    expect(await reported(['shown', 3])).toEqual({ ...shown, delivered_at: after(3) });
    expect(await reported(['delivered', 1])).toEqual({ ...shown, delivered_at: after(1) });
    const opened = { ...shown, delivered_at: after(1), state: 'opened', rank: 6, opened_at: after(4) };
    expect(await reported(['opened', 4])).toEqual(opened);
    expect(await reported(['shown', 2], ['opened', 5], ['delivered', 5])).toEqual({ ...opened, shown_at: after(2) });
    expect(await reported(['dismissed', 6], ['shown', 6])).toEqual({
      ...{ ...opened, shown_at: after(2) },
      dismissed_at: after(6),
    });
  });

  it('count a device as clicked in the hour of its first choice, wherever that is in a report', async () => {
    const [device = ''] = devices;
    const accepted = new Date(Date.now() - 8 * HOUR_MS);
    const messageId = newId(accepted);
    await send(messageId, [device]);
    const [early, late] = [1, 5].map((hours) => new Date(accepted.getTime() + hours * HOUR_MS)) as [Date, Date];
    await recorderOf(database).record('shop', device, [
      { messageId, kind: 'action', actionId: 'no', at: late },
      { messageId, kind: 'action', actionId: 'yes', at: early },
    ]);
    const counted = await rows<{ hour: Date }>(
      database,
      `SELECT hour, count::int FROM message_counts WHERE message_id = $1 AND kind = 'clicked' AND count <> 0`,
      [messageId],
    );
    const hourOf = (at: Date): Date => new Date(Math.floor(at.getTime() / HOUR_MS) * HOUR_MS);
    expect(counted).toEqual([{ hour: hourOf(early), count: 1 }]);
  });

  it('that overtake the record of their sending make it, while others write the same deliveries', async () => {
    const messageId = newId();
    await rows(
      database,
      `INSERT INTO pages (app_id, message_id, id, vendor, lane, device_ids, state, fence)
       VALUES ('shop', $1, $2, 'fcm', 'campaign', $3, 'running', 1)`,
      [messageId, newId(), devices.slice(0, 4)],
    );
    const recorders = [1, 2, 3].map(() => recorderOf(database));
    await Promise.all(
      recorders.flatMap((recorder) =>
        devices.map((device) => recorder.record('shop', device, [{ messageId, kind: 'opened', at: null }])),
      ),
    );
    const counted = await rows(
      database,
      `SELECT sum(count)::int AS opened FROM message_counts WHERE message_id = $1 AND kind = 'opened'`,
      [messageId],
    );
    expect(counted).toEqual([{ opened: 4 }]);
    const recorded = await rows(
      database,
      `SELECT state, vendor, count(*)::int AS n FROM deliveries WHERE message_id = $1 GROUP BY 1, 2`,
      [messageId],
    );
    expect(recorded).toEqual([{ state: 'opened', vendor: 'fcm', n: 4 }]);
  });

  it('that come before a worker has begun the page are kept, and the page is claimed with a look at them', async () => {
    const [due, later] = [newId(), newId()];
    await rows(
      database,
      `INSERT INTO pages (app_id, message_id, id, vendor, lane, device_ids, state, not_before)
       SELECT 'shop', message::uuid, gen_random_uuid(), 'fcm', 'transactional', $2, 'waiting', not_before::timestamptz
       FROM unnest($1::text[], ARRAY[NULL, 'infinity']) AS page (message, not_before)`,
      [[due, later], devices.slice(0, 2)],
    );
    for (const messageId of [due, later])
      await recorderOf(database).record('shop', devices[0] ?? '', [{ messageId, kind: 'shown', at: null }]);
    expect(
      await rows(database, `SELECT device_id::text AS device, state FROM deliveries WHERE message_id = ANY ($1)`, [
        [due, later],
      ]),
    ).toEqual([{ device: devices[0], state: 'shown' }]);
    expect(
      await rows(
        database,
        `SELECT message_id AS message, fence FROM pages WHERE message_id = ANY ($1) ORDER BY fence DESC`,
        [[due, later]],
      ),
    ).toEqual([
      { message: due, fence: 1 },
      { message: later, fence: 0 },
    ]);
  });

  it('count a personal link under its template, and find the latest message that holds it', async () => {
    const [device = '', other = ''] = devices;
    const link = 'shop://u/{{ user.id }}';
    const older = newId(new Date(Date.now() - 60_000));
    const newer = newId(new Date(Date.now() - 30_000));
    for (const id of [older, newer]) {
      await rows(
        database,
        `INSERT INTO messages (app_id, id, kind, is_campaign, lane, audience, channel, content, count, resolve_ceiling,
           accepted_at, expires_at)
         VALUES ('shop', $1, 'users', false, 'transactional', '{}', 'public/default', $2, 1, 0, now(), now())`,
        [
          id,
          JSON.stringify({ localized: { de: { notification: { title: 'x', actions: [{ id: 'a', url: link }] } } } }),
        ],
      );
      await send(id, [device, other]);
    }
    const recorder = recorderOf(database);
    await recorder.record('shop', device, [{ messageId: null, kind: 'link', link: 'shop://u/ada', at: null }]);
    await recorder.record('shop', other, [{ messageId: newer, kind: 'link', link: 'shop://u/bob', at: null }]);
    const counted = await rows(
      database,
      `SELECT message_id, kind, name, sum(count)::int AS count FROM message_counts WHERE message_id = ANY ($1) GROUP BY 1, 2, 3 ORDER BY kind`,
      [[older, newer]],
    );
    expect(counted).toEqual([
      { message_id: newer, kind: 'clicked', name: null, count: 2 },
      { message_id: newer, kind: 'link', name: link, count: 2 },
    ]);
  });

  it('find a message that no worker has begun to send by its tracking id', async () => {
    const [device = '', other = ''] = devices;
    const messageId = newId();
    await rows(
      database,
      `INSERT INTO messages (app_id, id, kind, is_campaign, lane, audience, channel, content, track_id, count,
         resolve_ceiling, accepted_at, expires_at)
       VALUES ('shop', $1, 'users', false, 'transactional', '{}', 'public/default', '{}', 'early', 1, 0, now(), now())`,
      [messageId],
    );
    await rows(
      database,
      `INSERT INTO pages (app_id, message_id, id, vendor, lane, device_ids, state)
       VALUES ('shop', $1, gen_random_uuid(), 'fcm', 'transactional', $2, 'waiting')`,
      [messageId, [device]],
    );
    for (const reporting of [device, other]) {
      const receipt = { messageId: null, trackId: 'early', kind: 'shown', at: null } as const;
      await recorderOf(database).record('shop', reporting, [receipt]);
    }
    expect(
      await rows(database, `SELECT device_id::text AS device, state FROM deliveries WHERE message_id = $1`, [
        messageId,
      ]),
    ).toEqual([{ device, state: 'shown' }]);
  });

  it('find the latest message of a campaign when they name no more than its tracking id', async () => {
    const [device = '', other = ''] = devices;
    const older = newId(new Date(Date.now() - 60_000));
    const newer = newId(new Date(Date.now() - 30_000));
    const foreign = newId();
    for (const id of [older, newer, foreign])
      await rows(
        database,
        `INSERT INTO messages (app_id, id, kind, is_campaign, lane, audience, channel, content, track_id, count,
           resolve_ceiling, accepted_at, expires_at)
         VALUES ('shop', $1, 'users', false, 'transactional', '{}', 'public/default', $2, 'sale', 1, 0, now(), now())`,
        [id, JSON.stringify({ notification: { title: 'x', clickUrl: 'shop://sale' } })],
      );
    await send(older, [device]);
    await send(newer, [device]);
    await send(foreign, [other]);
    const recorder = recorderOf(database);
    await recorder.record('shop', device, [
      { messageId: null, trackId: 'sale', kind: 'shown', at: null },
      { messageId: null, trackId: 'unknown', kind: 'shown', at: null },
      { messageId: null, kind: 'link', link: 'shop://sale', at: null },
    ]);
    const counted = await rows(
      database,
      `SELECT message_id, kind, name, count::int FROM message_counts WHERE message_id = ANY ($1) ORDER BY kind`,
      [[older, newer, foreign]],
    );
    expect(counted).toEqual([
      { message_id: newer, kind: 'clicked', name: null, count: 1 },
      { message_id: newer, kind: 'delivered', name: null, count: 1 },
      { message_id: newer, kind: 'link', name: 'shop://sale', count: 1 },
      { message_id: newer, kind: 'shown', name: null, count: 1 },
    ]);
  });
});
