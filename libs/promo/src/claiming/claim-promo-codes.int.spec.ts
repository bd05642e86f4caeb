import { randomUUID } from 'node:crypto';
import { rows } from '@postrider/persistence';
import { createThrowAwayDatabase, type ThrowAwayDatabase } from '@postrider/testing';
import fc from 'fast-check';
import { makeClaims } from '../testing/make-importer';
import { createApplication, putInForce } from '../testing/promo-ledger';

const names = (prefix: string, count: number): string[] => Array.from({ length: count }, (_, i) => `${prefix}${i + 1}`);

describe('claiming promo codes', () => {
  let base: ThrowAwayDatabase;
  let applications = 0;
  let appId: string;
  const now = new Date('2026-05-01T12:00:00Z');

  const claim = (userIds: readonly string[], messageId: string, trackId: string | null = 'spring') =>
    makeClaims(base.dataSource).claim({ appId, messageId, trackId, userIds, now });
  const put = (trackId: string, codes: readonly string[]) => putInForce(base.dataSource, { appId, trackId, codes });
  const stock = async (setId: string) => {
    const found = await rows<{ remaining: number; assigned: number }>(
      base.dataSource,
      `SELECT remaining::int, assigned::int FROM promo_sets WHERE app_id = $1 AND set_id = $2`,
      [appId, setId],
    );
    return found[0];
  };

  beforeAll(async () => {
    base = await createThrowAwayDatabase(64);
  });
  beforeEach(async () => {
    applications += 1;
    appId = `shop-${applications}`;
    await createApplication(base.dataSource, appId);
  });
  afterAll(() => base.drop());

  it('gives the codes of the campaign in the order of the file, then the global ones, then none', async () => {
    const own = await put('spring', ['A', 'B']);
    const shared = await put('', ['G', 'H']);
    const message = randomUUID();
    expect(await claim(['u1', 'u2', 'u3'], message)).toEqual(
      new Map([
        ['u1', 'A'],
        ['u2', 'B'],
        ['u3', 'G'],
      ]),
    );
    expect(await claim(['u4', 'u5'], message)).toEqual(
      new Map([
        ['u4', 'H'],
        ['u5', null],
      ]),
    );
    expect(await stock(own)).toEqual({ remaining: 0, assigned: 2 });
    expect(await stock(shared)).toEqual({ remaining: 0, assigned: 2 });
    expect(await makeClaims(base.dataSource).find({ appId, messageId: message, userIds: ['u5', 'u1', 'x'] })).toEqual(
      new Map([
        ['u1', 'A'],
        ['u5', null],
      ]),
    );
  });

  it('uses the global set alone for a message without a campaign, and for a campaign without a set', async () => {
    await put('spring', ['A']);
    await put('', ['G', 'H']);
    expect(await claim(['u'], randomUUID(), null)).toEqual(new Map([['u', 'G']]));
    expect(await claim(['u'], randomUUID(), 'autumn')).toEqual(new Map([['u', 'H']]));
    expect(await claim(['u'], randomUUID(), 'autumn')).toEqual(new Map([['u', null]]));
  });

  it('gives a user their code again, and stays at its word when they got none', async () => {
    const set = await put('spring', ['A', 'B']);
    const message = randomUUID();
    expect(await claim(['u1', 'u1', 'u2'], message)).toEqual(
      new Map([
        ['u1', 'A'],
        ['u2', 'B'],
      ]),
    );
    expect(await claim(['u3', 'u2'], message)).toEqual(
      new Map([
        ['u2', 'B'],
        ['u3', null],
      ]),
    );
    await put('spring', ['C', 'D']);
    expect(await claim(['u1', 'u3', 'u4'], message)).toEqual(
      new Map([
        ['u1', 'A'],
        ['u3', null],
        ['u4', 'C'],
      ]),
    );
    expect(await stock(set)).toEqual({ remaining: 0, assigned: 2 });
    expect(await claim([], message)).toEqual(new Map());
  });

  it('gives every code to one user after the other, also across the blocks in which codes are stored', async () => {
    const codes = names('C', 12);
    await put('spring', codes);
    const message = randomUUID();
    for (const [place, code] of [...codes, null].entries())
      expect(await claim([`u${place}`], message)).toEqual(new Map([[`u${place}`, code]]));
  });

  it('says since when a set has few codes left: since the first claim that left so few', async () => {
    const set = await put('spring', names('C', 10));
    await rows(base.dataSource, `UPDATE promo_sets SET low_stock_at = 8 WHERE set_id = $1`, [set]);
    const lowSince = async (minutes: number): Promise<unknown> => {
      const later = new Date(now.getTime() + minutes * 60_000);
      const one = { appId, messageId: randomUUID(), trackId: 'spring', userIds: ['u'], now: later };
      await makeClaims(base.dataSource).claim(one);
      const [found] = await rows(base.dataSource, `SELECT low_since FROM promo_sets WHERE set_id = $1`, [set]);
      return found;
    };
    const low = { low_since: new Date(now.getTime() + 2 * 60_000) };
    expect([await lowSince(1), await lowSince(2), await lowSince(3)]).toEqual([{ low_since: null }, low, low]);
  });

  it.each([0, 1])('gives every code once to 64 claimers at a time, %d fewer than users', async (missing) => {
    const users = names('u', 2_000);
    const set = await put('spring', names('C', 1_500 - missing));
    await put('', names('G', 500));
    const message = randomUUID();
    // Every user is on two pages, like a user with devices of two vendors.
    const pages = [...Array(32).keys()].flatMap((page) => [
      users.filter((_, i) => i % 32 === page),
      users.filter((_, i) => (i * 7) % 32 === page).reverse(),
    ]);
    const given = await Promise.all(pages.map((page) => claim(page, message)));
    const seen = new Map<string, string | null>();
    for (const page of given) {
      for (const [user, code] of page) {
        expect(seen.get(user) ?? code).toBe(code);
        seen.set(user, code);
      }
    }
    const codes = [...seen.values()].filter((code) => code !== null);
    expect(seen.size).toBe(2_000);
    expect(codes).toHaveLength(2_000 - missing);
    expect(new Set(codes).size).toBe(codes.length);
    expect(await stock(set)).toEqual({ remaining: 0, assigned: 1_500 - missing });
  });

  it('agrees with a plain list, whatever is claimed and swapped at once', async () => {
    let round = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            message: fc.integer({ min: 0, max: 2 }),
            track: fc.constantFrom(null, 'spring', 'autumn'),
            users: fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 25 }),
            upload: fc.option(fc.tuple(fc.constantFrom('', 'spring', 'autumn'), fc.integer({ min: 0, max: 30 })), {
              freq: 4,
            }),
          }),
          { minLength: 4, maxLength: 16 },
        ),
        async (steps) => {
          round += 1;
          appId = `random-${applications}-${round}`;
          await createApplication(base.dataSource, appId);
          const messages = [randomUUID(), randomUUID(), randomUUID()];
          // Each upload has codes of its own.
          const results = await Promise.all(
            steps.map(async ({ message, track, users, upload }) => {
              if (upload)
                await put(upload[0], names(`${upload[0]}-${randomUUID()}-`, upload[1])).catch(ignoreCollision);
              const claimed = await claim(
                users.map((user) => `u${user}`),
                messages[message]!,
                track,
              );
              return [...claimed].map(([user, code]) => [`${message}/${user}`, code] as const);
            }),
          );
          const seen = new Map<string, string | null>();
          for (const [key, code] of results.flat()) {
            if (seen.has(key)) expect(seen.get(key)).toBe(code);
            seen.set(key, code);
          }
          const codes = [...seen.values()].filter((code) => code !== null);
          expect(new Set(codes).size).toBe(codes.length);
          const counted = await rows<{ right: boolean }>(
            base.dataSource,
            `SELECT s.assigned = (SELECT count(*) FROM promo_assignments a WHERE a.set_id = s.set_id)
               AND s.remaining + s.assigned = s.total
               AND s.remaining = (SELECT count(*)
                 FROM promo_codes c CROSS JOIN LATERAL string_to_table(c.codes, E'\\n') WITH ORDINALITY AS l (code, place)
                 WHERE c.set_id = s.set_id AND c.number * 128 + l.place > s.last_ordinal) AS right
             FROM promo_sets s WHERE app_id = $1`,
            [appId],
          );
          expect(counted.every(({ right }) => right)).toBe(true);
        },
      ),
      { numRuns: 25 },
    );
  });
});

/** Two swaps of one source at once: the test's own do not wait for each other as imports do. */
function ignoreCollision(error: unknown): void {
  if ((error as { code?: string }).code !== '23505') throw error;
}
