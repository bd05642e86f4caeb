import type { CampaignVariant } from '@postrider/domain';
import { ApplicationsRepository, variantOfUser } from '@postrider/persistence';
import { at, said } from './tomorrow';
import { type VirtualDevice, VirtualSystem } from './virtual-system';

const VARIANTS: CampaignVariant[] = [
  { name: 'A', weight: 1, content: 'a' },
  { name: 'B', weight: 1, content: 'b' },
];
const HOUR = 3_600;
const TRACK = 'spring';
const TARGET = { target: { deviceType: 'android' }, trackId: TRACK, variants: VARIANTS };

/** Campaigns with a winner that are also steered, by the clock: every user gets one variant, once. */
describe('a campaign with a winner', () => {
  let system: VirtualSystem;

  beforeEach(async () => {
    jest.spyOn(Math, 'random').mockReturnValue(0);
    system = await VirtualSystem.open({ startsAt: at('06:00') });
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await system.close();
  });

  /** True if a user is among those who compare. */
  const compares = (user: string, holdout = 0): boolean =>
    variantOfUser(
      { appId: 'shop', id: '', content: { trackId: TRACK, variants: VARIANTS, winner: winnerAfter(1), holdout } },
      user,
    ) !== null;

  const winnerAfter = (after: number) => ({ metric: 'opened' as const, after, share: 50 });

  /** Returns this many users who compare, and as many who wait for the winner. */
  function usersOf(place: string, each: number): { tests: string[]; rest: string[] } {
    const names = Array.from({ length: 20 * each }, (_, n) => `${place}-${String(n).padStart(3, '0')}`);
    return {
      tests: names.filter((name) => compares(name)).slice(0, each),
      rest: names.filter((name) => !compares(name)).slice(0, each),
    };
  }

  const devicesOf = (users: string[], more: Partial<VirtualDevice> = {}): VirtualDevice[] =>
    users.map((userId) => ({ userId, token: userId, ...more }));

  /** Users whose variant is B open the messages that they have got so far. */
  async function open(messageId: string, users: string[]): Promise<void> {
    const opened = users.filter((user) => system.words.get(user)?.includes('b'));
    await system.database.query(
      `INSERT INTO deliveries (app_id, message_id, device_id, state, rank, vendor, is_packed)
       SELECT 'shop', $1, id, 'opened', 6, 'fcm', true FROM installations WHERE user_id = ANY ($2)`,
      [messageId, opened],
    );
  }

  async function decisionOf(messageId: string): Promise<string | null> {
    const [row] = await system.database.query<{ at: Date | null; variant: string | null }[]>(
      `SELECT winner_decided_at AS at, winner_variant AS variant FROM messages WHERE id = $1`,
      [messageId],
    );
    return row?.at ? `${row.variant} ${row.at.toISOString().slice(8, 19)}` : null;
  }

  const timesOf = (users: string[]): string[] => [
    ...new Set(system.pushes.filter(([, to]) => users.includes(to)).map(([time]) => time)),
  ];

  /** Each of these got one push, with the variant that is theirs, or the winner. */
  function expectOneEach(users: { tests: string[]; rest: string[] }, winner: string): void {
    const got = [...users.tests, ...users.rest].map((user) => [user, system.words.get(user)]);
    const words = (user: string): string[] => [compares(user) ? variantOf(user) : winner];
    expect(got).toEqual([...users.tests, ...users.rest].map((user) => [user, words(user)]));
  }

  const variantOf = (user: string): string =>
    (
      variantOfUser({ appId: 'shop', id: '', content: { trackId: TRACK, variants: VARIANTS } }, user) ?? ''
    ).toLowerCase();

  it('and a local time is decided so long after it was that time in the first zone, and keeps the time of the others', async () => {
    const [tokyo, accra, bogota] = [usersOf('tokyo', 4), usersOf('accra', 4), usersOf('bogota', 4)];
    const everyone = [
      ...devicesOf([...tokyo.tests, ...tokyo.rest], { timeZone: 'Asia/Tokyo' }),
      ...devicesOf([...accra.tests, ...accra.rest], { timeZone: 'Africa/Accra' }),
      ...devicesOf([...bogota.tests, ...bogota.rest], { timeZone: 'America/Bogota' }),
    ];
    await system.addDevices(...everyone);
    const schedule = { sendAt: at('09:00').toISOString().slice(0, 19), localTime: true, ttl: 8 * HOUR };
    const id = await system.send('query', { ...TARGET, ...schedule, winner: winnerAfter(2 * HOUR) });
    await system.passUntil(at('09:30'));
    expect(timesOf(accra.tests)).toEqual([said('09:00')]);
    await open(id, accra.tests);
    await system.passUntil(at('12:00', 1));
    expect(await decisionOf(id)).toBe(`B ${said('11:00')}`);
    expect(timesOf(accra.rest)).toEqual([said('11:00')]);
    for (const users of [bogota.tests, bogota.rest]) expect(timesOf(users)).toEqual([said('14:00')]);
    for (const users of [tokyo.tests, tokyo.rest]) expect(timesOf(users)).toEqual([said('00:00', 1)]);
    for (const users of [tokyo, accra, bogota]) expectOneEach(users, 'b');
    expect(await system.states(id)).toMatchObject({ sent: everyone.length - 2 });
  });

  it('that falls into quiet hours is decided so long after their end', async () => {
    const accra = usersOf('accra', 6);
    await system.addDevices(...devicesOf([...accra.tests, ...accra.rest], { timeZone: 'Africa/Accra' }));
    const id = await system.send('query', { ...TARGET, winner: winnerAfter(HOUR) });
    await system.passUntil(at('08:30'));
    expect(timesOf(accra.tests)).toEqual([said('08:00')]);
    await open(id, accra.tests);
    await system.passUntil(at('12:00'));
    expect(await decisionOf(id)).toBe(`B ${said('09:00')}`);
    expect(timesOf(accra.rest)).toEqual([said('09:00')]);
    expectOneEach(accra, 'b');
  });

  it('that is decided at night reaches the others in the morning, over vendors and connections', async () => {
    const accra = usersOf('accra', 4);
    const own = usersOf('own', 4);
    await system.addDevices(
      ...devicesOf([...accra.tests, ...accra.rest], { timeZone: 'Africa/Accra' }),
      ...devicesOf([...own.tests, ...own.rest], { timeZone: 'Africa/Accra', token: null, realtime: true }),
    );
    await system.passUntil(at('21:00'));
    const id = await system.send('query', { ...TARGET, winner: winnerAfter(2 * HOUR) });
    await system.passUntil(at('12:00', 1));
    expect(await decisionOf(id)).toBe(`A ${said('23:00')}`);
    expect([timesOf(accra.tests), timesOf(accra.rest)]).toEqual([[said('21:00')], [said('08:00', 1)]]);
    expect(await system.waits(id)).toEqual([
      ...own.tests.map((user) => [said('21:00'), user]),
      ...own.rest.map((user) => [said('08:00', 1), user]),
    ]);
    expectOneEach(accra, 'a');
  });

  it('to which quiet hours leave less time than its test takes is decided halfway to its end', async () => {
    const accra = usersOf('accra', 4);
    await system.addDevices(...devicesOf([...accra.tests, ...accra.rest], { timeZone: 'Africa/Accra' }));
    const id = await system.send('query', { ...TARGET, ttl: 3 * HOUR, winner: winnerAfter(2 * HOUR) });
    await system.passUntil(at('12:00'));
    expect(await decisionOf(id)).toBe(`A ${said('08:30')}`);
    expect([timesOf(accra.tests), timesOf(accra.rest)]).toEqual([[said('08:00')], [said('08:30')]]);
    expectOneEach(accra, 'a');
  });

  it('and a rate keeps the rate with the test and with the rest, over vendors and connections', async () => {
    const many = usersOf('many', 8);
    const own = usersOf('own', 4);
    await system.addDevices(
      ...devicesOf([...many.tests, ...many.rest], { timeZone: 'Asia/Tokyo' }),
      ...devicesOf([...own.tests, ...own.rest], { timeZone: 'Asia/Tokyo', token: null, realtime: true }),
    );
    const id = await system.send('query', { ...TARGET, rate: 2, winner: winnerAfter(HOUR) });
    await system.passUntil(at('09:00'));
    expect(await decisionOf(id)).toBe(`A ${said('07:00')}`);
    const gaps = (users: string[], from: Date): number[] =>
      system.pushes
        .filter(([, to]) => users.includes(to))
        .map(([time]) => Date.parse(`${from.toISOString().slice(0, 8)}${time}Z`) - from.getTime())
        .map((ms) => Math.floor(ms / 500));
    expect(new Set(gaps(many.rest, at('07:00'))).size).toBe(many.rest.length);
    expect(Math.max(...gaps(many.rest, at('07:00')))).toBeGreaterThanOrEqual(many.rest.length - 1);
    expect(new Set(gaps(many.tests, at('06:00'))).size).toBe(many.tests.length);
    const opened = (await system.waits(id)).filter(([, user]) => own.rest.includes(user)).map(([time]) => time);
    expect(new Set(opened).size).toBe(own.rest.length);
    expect((await system.waits(id)).map(([, user]) => user).toSorted()).toEqual([...own.tests, ...own.rest].toSorted());
    expectOneEach(many, 'a');
  });

  it('counts for the frequency caps of those it was sent to, when it was: not of those held out', async () => {
    const names = Array.from({ length: 40 }, (_, n) => `user-${n}`);
    await system.addDevices(...devicesOf(names, { timeZone: 'Asia/Tokyo' }));
    const caps = [{ messages: 1, seconds: 10 * HOUR }];
    await new ApplicationsRepository(system.database).update('shop', { frequencyCaps: caps }, system.clock.now());
    const first = await system.send('query', { ...TARGET, holdout: 30, winner: winnerAfter(HOUR) });
    await system.passUntil(at('06:30'));
    const tested = names.filter((name) => system.words.has(name));
    const { 'skipped holdout': ruledOut, skipped = ruledOut } = await system.states(first);
    const held = await system.database.query<{ userId: string }[]>(
      `SELECT i.user_id AS "userId" FROM deliveries d JOIN installations i ON i.app_id = d.app_id AND i.id = d.device_id
       WHERE d.message_id = $1 AND d.reason = 'holdout'`,
      [first],
    );
    expect(held).toHaveLength(skipped ?? 0);
    expect(held.length).toBeGreaterThan(0);
    // The second campaign goes to all others: users who are held out of the first, and users who still wait for its
    // winner.
    const second = await system.send('query', { target: TARGET.target, content: 'second' });
    await system.passUntil(at('06:45'));
    const gotSecond = names.filter((name) => system.words.get(name)?.includes('second'));
    expect(gotSecond.toSorted()).toEqual(names.filter((name) => !tested.includes(name)).toSorted());
    expect(await system.states(second)).toEqual({
      sent: gotSecond.length,
      'skipped frequency_capped': tested.length,
    });
    await system.passUntil(at('08:00'));
    expect(await decisionOf(first)).toBe(`A ${said('07:00')}`);
    const rest = gotSecond.length - held.length;
    expect(await system.states(first)).toEqual({
      sent: tested.length,
      skipped: held.length,
      'skipped frequency_capped': rest,
    });
    expect([...system.words.values()].every((words) => words.length === 1)).toBe(true);
  });
});
