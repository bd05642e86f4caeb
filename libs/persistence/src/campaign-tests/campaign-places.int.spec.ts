import { campaignGroupOf, campaignSalt, type CampaignVariant, PLACES, type UserPlaces } from '@postrider/domain';
import { createThrowAwayDatabase, type ThrowAwayDatabase } from '@postrider/testing';
import fc from 'fast-check';
import { rows } from '../database/executor';
import { parameter, sql } from '../sql';
import { placeOfUser, placesOfUser, variantNameOf, variantOfUser } from './campaign-places';

const SEED = 20_261_123;

describe('the places of users in a campaign', () => {
  let throwAway: ThrowAwayDatabase;

  beforeAll(async () => {
    throwAway = await createThrowAwayDatabase();
  });
  afterAll(() => throwAway.drop());

  async function placesInSql(appId: string, salt: string, users: readonly string[]): Promise<UserPlaces[]> {
    const asked = { app: parameter(appId, 'text'), salt, user: sql`u.id` };
    const found = await rows<Record<keyof UserPlaces, string>>(
      throwAway.dataSource,
      sql`SELECT ${placeOfUser(asked, 'holdout')} AS holdout, ${placeOfUser(asked, 'share')} AS share,
            ${placeOfUser(asked, 'variant')} AS variant
          FROM unnest(${users}::text[]) WITH ORDINALITY AS u (id, place) ORDER BY u.place`,
    );
    return found.map(({ holdout, share, variant }) => ({
      holdout: Number(holdout),
      share: Number(share),
      variant: Number(variant),
    }));
  }

  it('are the same in SQL and in TypeScript, for whatever names', async () => {
    const name = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
      .filter((text) => !/[\0\ud800-\udfff]/.test(text));
    await fc.assert(
      fc.asyncProperty(name, name, fc.array(name, { minLength: 1, maxLength: 20 }), async (appId, trackId, users) => {
        const salt = campaignSalt(trackId, '');
        expect(await placesInSql(appId, salt, users)).toEqual(users.map((user) => placesOfUser({ appId, salt }, user)));
      }),
      { seed: SEED, numRuns: 40 },
    );
  });

  it('give each user the same variant in SQL and in TypeScript, before the winner and afterwards', async () => {
    const variants = [3, 1, 2].map((weight, place) => ({ name: `v${place}`, weight }));
    const winner = { metric: 'opened' as const, after: 60, share: 40 };
    const everybody = Array.from({ length: 300 }, (_, n) => `user-${n}`);
    const contents = [{ variants }, { variants, trackId: 'spring', holdout: 25 }, { variants, holdout: 10, winner }];
    for (const content of contents) {
      for (const chosen of [null, 'v1']) {
        const message = { id: 'one', content, winner: chosen };
        const name = variantNameOf(message, parameter('shop', 'text'), sql`u.id`);
        const found = await rows<{ name: string | null }>(
          throwAway.dataSource,
          sql`SELECT ${name} AS name FROM unnest(${everybody}::text[]) WITH ORDINALITY AS u (id, place) ORDER BY u.place`,
        );
        expect(found.map((row) => row.name)).toEqual(
          everybody.map((user) => variantOfUser({ appId: 'shop', ...message }, user)),
        );
      }
    }
  });

  const users = Array.from({ length: 20_000 }, (_, n) => `user-${n}`);

  /** The number of users in each part. */
  function partsOf(content: Parameters<typeof campaignGroupOf>[0], trackId: string): Map<string, number> {
    const counts = new Map<string, number>();
    for (const user of users) {
      const group = campaignGroupOf(content, placesOfUser({ appId: 'shop', salt: campaignSalt(trackId, '') }, user));
      const part = group.kind === 'variant' ? group.name : group.kind;
      counts.set(part, (counts.get(part) ?? 0) + 1);
    }
    return counts;
  }

  it('honour weights, holdout and share, within five standard deviations', () => {
    const variant = fc.integer({ min: 1, max: 20 });
    const weights = fc.array(variant, { minLength: 2, maxLength: 10 });
    fc.assert(
      fc.property(
        weights,
        fc.integer({ min: 0, max: 50 }),
        fc.integer({ min: 1, max: 99 }),
        fc.uuid(),
        (all, holdout, share, trackId) => {
          const variants: CampaignVariant[] = all.map((weight, place) => ({ name: `v${place}`, weight }));
          const winner = { metric: 'opened' as const, after: 60, share };
          const counts = partsOf({ variants, holdout, winner }, trackId);
          const isNear = (part: string, chance: number): void => {
            const deviation = Math.sqrt(users.length * chance * (1 - chance));
            expect(Math.abs((counts.get(part) ?? 0) - users.length * chance)).toBeLessThanOrEqual(5 * deviation);
          };
          const tested = (1 - holdout / 100) * (share / 100);
          isNear('holdout', holdout / 100);
          isNear('rest', (1 - holdout / 100) * (1 - share / 100));
          const total = all.reduce((sum, weight) => sum + weight, 0);
          all.forEach((weight, place) => isNear(`v${place}`, (tested * weight) / total));
        },
      ),
      { seed: SEED, numRuns: 12 },
    );
  });

  it('do not depend on each other', () => {
    const places = users.map((user) => placesOfUser({ appId: 'shop', salt: 'track spring' }, user));
    for (const [one, other] of [
      ['holdout', 'share'],
      ['holdout', 'variant'],
      ['share', 'variant'],
    ] as const) {
      const both = places.filter((place) => place[one] < PLACES / 2 && place[other] < PLACES / 2).length;
      expect(Math.abs(both - users.length / 4)).toBeLessThanOrEqual(5 * Math.sqrt((users.length * 3) / 16));
    }
  });

  it('are those of the message where it has no track id, and of the track id for every message that has it', () => {
    const content = {
      variants: [
        { name: 'A', weight: 1 },
        { name: 'B', weight: 1 },
      ],
    };
    const variantsOf = (id: string, trackId?: string): (string | null)[] =>
      users
        .slice(0, 200)
        .map((user) =>
          variantOfUser({ appId: 'shop', id, content: { ...content, ...(trackId ? { trackId } : {}) } }, user),
        );
    expect(variantsOf('one', 'spring')).toEqual(variantsOf('other', 'spring'));
    expect(variantsOf('one')).not.toEqual(variantsOf('other'));
    expect(variantsOf('one')).toEqual(variantsOf('one'));
  });
});
