import { type AudienceSelection, resolveSlice, splitOf, storeMessage } from '@postrider/audience';
import { type MessageContent, variantFor } from '@postrider/domain';
import {
  CampaignTestsRepository,
  type Database,
  MessagesRepository,
  PagesRepository,
  placesOfUser,
  variantOfUser,
} from '@postrider/persistence';
import { newId } from '@postrider/platform';
import { createThrowAwayDatabase, TestClock, type RenewableDatabase, untilTrue } from '@postrider/testing';
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { LOOK_AGAIN_MS } from '../registry/maintenance-task';
import { ChooseWinner } from './choose-winner.service';
import { ChooseWinners } from './choose-winners.task';

const USERS = 120;
const AFTER_SECONDS = 600;
const TTL_MS = 3_600_000;
const logger = pino({ level: 'silent' });
const FLAGS = { useAsAlert: false, silent: false, inApp: false, live: false, autoNotify: false };

interface Page {
  id: string;
  device_ids: string[];
  state: string;
  waits_for: string | null;
  not_before: Date | null;
  wake_at: Date | null;
}

describe('choosing the winner of a campaign', () => {
  let throwAway: RenewableDatabase;
  let database: Database;
  let clock: TestClock;
  let messages: MessagesRepository;
  let tests: CampaignTestsRepository;
  let pages: PagesRepository;
  let owners: Map<string, string>;
  const content: MessageContent = {
    ...{ ...FLAGS, content: 'a', trackId: 'spring' },
    variants: [
      { name: 'A', weight: 1 },
      { name: 'B', weight: 1, content: 'b' },
    ],
    winner: { metric: 'opened', after: AFTER_SECONDS, share: 40 },
  };
  const query = <T>(text: string, values: unknown[] = []): Promise<T[]> => database.query(text, values);

  beforeAll(async () => {
    throwAway = await createThrowAwayDatabase(10);
  });
  afterAll(() => throwAway.drop());

  beforeEach(async () => {
    database = throwAway.dataSource;
    clock = new TestClock();
    [messages, tests, pages] = [
      new MessagesRepository(database),
      new CampaignTestsRepository(database),
      new PagesRepository(database),
    ];
    await query(`INSERT INTO applications (app_id, name, identity_key_sealed) VALUES ('shop', 'Shop', '')`);
    await query(`INSERT INTO vendor_credentials (app_id, vendor, settings, sealed) VALUES ('shop', 'fcm', '{}', '')`);
    // Each user has two devices.
    const devices = Array.from({ length: 2 * USERS }, (_, n) => ({ id: randomUUID(), user: `user-${n % USERS}` }));
    const added = await query<{ id: string; user_id: string }>(
      `INSERT INTO installations (app_id, installation_id, user_id, user_since, created_at, push_type, token)
       SELECT 'shop', d.id, d."user", $2, $2, 'fcm', d.id::text FROM jsonb_to_recordset($1::jsonb) AS d (id uuid, "user" text)
       RETURNING id::text, user_id`,
      [JSON.stringify(devices), new Date(0)],
    );
    owners = new Map(added.map(({ id, user_id }) => [id, user_id]));
  });
  afterEach(() => throwAway.renew());

  async function send(changes: Partial<MessageContent> = {}): Promise<string> {
    const acceptedAt = clock.now();
    const id = newId(acceptedAt);
    const own = { ...content, ...changes };
    const selection: AudienceSelection = {
      ...{ appId: 'shop', acceptedAt, channel: 'public/default', who: { kind: 'everyone' }, reach: 'any' },
      split: splitOf(own, id),
    };
    const message = {
      ...({ id, kind: 'query', isCampaign: true, lane: 'campaign', content: own, acceptedAt } as const),
      trackId: 'spring',
      expiresAt: new Date(acceptedAt.getTime() + TTL_MS),
    };
    await storeMessage(database, message, selection, { pageSize: 10 });
    return id;
  }

  async function resolve(messageId: string): Promise<void> {
    for (;;) {
      const sizes = { windowSize: 70, sliceSize: 50, pageSize: 10 };
      const step = await resolveSlice(database, { appId: 'shop', messageId, now: clock.now(), ...sizes });
      if (step.kind === 'over' || (step.kind === 'resolved' && step.isFinished)) return;
    }
  }

  const pagesOf = (messageId: string): Promise<Page[]> =>
    query<Page>(`SELECT * FROM pages WHERE message_id = $1 ORDER BY id`, [messageId]);
  const claim = (messageId: string, { id }: Page): Promise<unknown> =>
    pages.claim(
      { appId: 'shop', messageId, pageId: id },
      { leasedBy: 'worker', now: clock.now(), leaseUntil: new Date(clock.now().getTime() + 60_000) },
    );

  async function waiting(messageId: string): Promise<Page[]> {
    return (await pagesOf(messageId)).filter(({ waits_for }) => waits_for === 'winner');
  }

  function run(): Promise<boolean> {
    const winner = new ChooseWinner(database, clock, logger, tests);
    return new ChooseWinners(clock, tests, winner, logger, { sweepIntervalMs: 1_000 }).run();
  }

  async function chosen(messageId: string): Promise<object> {
    const found = await messages.find(database, 'shop', messageId);
    return { variant: found?.winnerVariant, by: found?.winnerBy, dueAt: found?.winnerDueAt };
  }

  /** Records the results of the test's devices: users for whom `opens` returns true have opened the message. */
  async function record(messageId: string, opens: (userId: string, variant: string) => boolean): Promise<void> {
    for (const [device, userId] of owners) {
      const variant = variantOfUser({ appId: 'shop', id: messageId, content }, userId);
      if (variant === null) continue;
      const isOpened = opens(userId, variant);
      await query(
        `INSERT INTO deliveries (app_id, message_id, device_id, state, rank, vendor) VALUES ('shop', $1, $2, $3, $4, 'fcm')`,
        [messageId, device, isOpened ? 'opened' : 'sent', isOpened ? 6 : 2],
      );
    }
  }

  const later = (): void => clock.advance(AFTER_SECONDS * 1_000);

  it('has the rest of the audience wait, all devices of a user alike, and no worker gets its pages', async () => {
    const id = await send();
    await resolve(id);
    const held = await waiting(id);
    const users = new Set(held.flatMap(({ device_ids }) => device_ids.map((device) => owners.get(device) ?? '')));
    const isInRest = (userId: string): boolean =>
      variantFor(content, placesOfUser({ appId: 'shop', salt: 'track spring' }, userId), null) === null;
    expect(users).toEqual(new Set([...owners.values()].filter(isInRest)));
    expect(users.size).toBeGreaterThan(USERS * 0.4);
    const all = (await pagesOf(id)).flatMap(({ device_ids }) => device_ids);
    expect(all.toSorted()).toEqual([...owners.keys()].toSorted());
    clock.advance(AFTER_SECONDS * 1_000 + 60_000);
    for (const page of held) expect(await claim(id, page)).toBeNull();
  });

  it('takes the variant with the best rate of users when it is time, once over any number of workers', async () => {
    const id = await send();
    await resolve(id);
    await record(id, (userId, variant) => variant === 'B' || userId.endsWith('0'));
    await run();
    expect(await chosen(id)).toMatchObject({ variant: null });
    later();
    await Promise.all([run(), run(), run(), run(), run()]);
    expect(await chosen(id)).toEqual({ variant: 'B', by: 'figures', dueAt: null });
    expect(await waiting(id)).toEqual([]);
    const released = (await pagesOf(id)).filter(({ not_before }) => not_before === null);
    expect(
      released.every(({ wake_at }) => wake_at !== null && wake_at <= new Date(clock.now().getTime() + 1_000)),
    ).toBe(true);
    expect(await tests.decide({ appId: 'shop', messageId: id }, { variant: 'A', by: 'caller' }, clock.now())).toBe(
      false,
    );
    expect(await chosen(id)).toMatchObject({ variant: 'B' });
  });

  it('tries campaigns again later whose content cannot be read, and chooses for those behind them meanwhile', async () => {
    const broken = await Promise.all(Array.from({ length: 11 }, () => send()));
    for (const id of broken) await resolve(id);
    const unreadable = { ...content, variants: 'none' };
    await query(
      `UPDATE messages SET content = $2, winner_due_at = winner_due_at - interval '1 minute' WHERE id = ANY ($1)`,
      [broken, JSON.stringify(unreadable)],
    );
    const id = await send();
    await resolve(id);
    later();
    await expect(run()).rejects.toThrow();
    await expect(run()).rejects.toThrow();
    expect(await chosen(id)).toMatchObject({ variant: 'A', by: 'figures' });
    const again = new Date(clock.now().getTime() + LOOK_AGAIN_MS);
    for (const put of broken) expect(await chosen(put)).toEqual({ variant: null, by: null, dueAt: again });
    await query(`UPDATE messages SET content = $2 WHERE id = ANY ($1)`, [broken, JSON.stringify(content)]);
    clock.advance(LOOK_AGAIN_MS);
    while (await run());
    for (const mended of broken) expect(await chosen(mended)).toMatchObject({ variant: 'A', by: 'figures' });
  });

  it('takes the first variant when rates are equal, or nobody did anything', async () => {
    const id = await send();
    await resolve(id);
    later();
    await run();
    expect(await chosen(id)).toMatchObject({ variant: 'A', by: 'figures' });
  });

  it('takes what somebody says, before it is time, and nothing afterwards', async () => {
    const id = await send();
    await resolve(id);
    const key = { appId: 'shop', messageId: id };
    const by = 'caller' as const;
    const answers = await Promise.all(
      ['A', 'B', 'A', 'B'].map((variant) => tests.decide(key, { variant, by }, clock.now())),
    );
    expect(answers.filter(Boolean)).toHaveLength(1);
    const before = await chosen(id);
    later();
    await run();
    expect(await chosen(id)).toEqual(before);
    expect(await waiting(id)).toEqual([]);
  });

  it('has chosen nothing when whoever chooses dies between the message and its pages, and is chosen by the next', async () => {
    const id = await send();
    await resolve(id);
    await record(id, (_, variant) => variant === 'B');
    later();
    const before = await pagesOf(id);
    const blocker = database.createQueryRunner();
    await blocker.startTransaction();
    await blocker.query(`SELECT 1 FROM pages WHERE id = $1 FOR UPDATE`, [(await waiting(id))[0]?.id]);
    const dying = expect(run()).rejects.toThrow();
    await untilTrue(async () => {
      const killed = await query<{ done: boolean }>(
        `SELECT pg_terminate_backend(pid) AS done FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%UPDATE pages%'`,
      );
      return killed.some(({ done }) => done);
    });
    await dying;
    await blocker.rollbackTransaction();
    await blocker.release();
    expect(await chosen(id)).toMatchObject({ variant: null, by: null });
    expect(await pagesOf(id)).toEqual(before);
    clock.advance(LOOK_AGAIN_MS);
    await run();
    expect(await chosen(id)).toEqual({ variant: 'B', by: 'figures', dueAt: null });
    expect(await waiting(id)).toEqual([]);
  });

  it('lets nobody wait whom it finds after the choice, also where the choice comes between two steps', async () => {
    const id = await send();
    const sizes = { windowSize: 70, sliceSize: 50, pageSize: 10 };
    await resolveSlice(database, { appId: 'shop', messageId: id, now: clock.now(), ...sizes });
    expect((await waiting(id)).length).toBeGreaterThan(0);
    await tests.decide({ appId: 'shop', messageId: id }, { variant: 'B', by: 'caller' }, clock.now());
    await resolve(id);
    expect(await waiting(id)).toEqual([]);
    expect(await chosen(id)).toEqual({ variant: 'B', by: 'caller', dueAt: null });
    const all = (await pagesOf(id)).flatMap(({ device_ids }) => device_ids);
    expect(all.toSorted()).toEqual([...owners.keys()].toSorted());
  });

  it('sends the rest nothing of a campaign that was cancelled before', async () => {
    const id = await send();
    await resolve(id);
    await messages.cancel(database, { appId: 'shop', messageId: id }, clock.now());
    later();
    await run();
    expect(await chosen(id)).toEqual({ variant: null, by: null, dueAt: null });
    await pages.endCancelled([{ appId: 'shop', messageId: id }], clock.now(), 1_000);
    const states = await query<{ state: string }>(`SELECT DISTINCT state FROM deliveries WHERE message_id = $1`, [id]);
    expect(states).toEqual([{ state: 'cancelled' }]);
    expect((await pagesOf(id)).every(({ state }) => state === 'finished')).toBe(true);
  });

  it('ends what still waits when the campaign expires, and chooses nothing then', async () => {
    const id = await send();
    await resolve(id);
    const held = await waiting(id);
    clock.advance(TTL_MS);
    await run();
    expect(await chosen(id)).toEqual({ variant: null, by: null, dueAt: null });
    expect(await claim(id, held[0] as Page)).toMatchObject({ winner: null });
  });

  it('counts each part by devices and by users', async () => {
    const id = await send({ holdout: 20 });
    await resolve(id);
    const own = { ...content, holdout: 20 };
    const campaign = { appId: 'shop', messageId: id, content: own, winnerVariant: null };
    const figures = await tests.count(database, campaign);
    const held = figures.find(({ part }) => part === 'holdout');
    expect(held).toMatchObject({ sent: 0, opened: 0 });
    expect(held?.users).toBeGreaterThan(USERS * 0.05);
    const [out] = await query<{ count: string }>(
      `SELECT count(*) FROM deliveries WHERE message_id = $1 AND state = 'skipped' AND reason = 'holdout'`,
      [id],
    );
    expect(Number(out?.count)).toBe(2 * (held?.users ?? 0));
  });
});
