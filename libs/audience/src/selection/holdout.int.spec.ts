import { createThrowAwayDatabase, type ThrowAwayDatabase, emptyTables } from '@postrider/testing';
import { type Database, placesOfUser } from '@postrider/persistence';
import { campaignGroupOf, type Reach } from '@postrider/domain';
import type { AudienceSelection } from './audience-selection';
import { splitOf } from './campaign-split';
import { groupAudiences } from './group-audiences';
import { countAudience, measureAudience, sampleAudience } from './read-audiences';
import { resolveSlice } from './resolve-slice';
import { storeMessage } from './store-messages';
import { addDevices, connect, createApplication, newMessage } from './testing/population';

const USERS = 200;
const HOLDOUT = 20;

describe('a campaign with a holdout', () => {
  let throwAway: ThrowAwayDatabase;
  let database: Database;
  let ids: string[];
  let owners: Map<string, string>;

  beforeAll(async () => {
    throwAway = await createThrowAwayDatabase();
    database = throwAway.dataSource;
    await createApplication(database, 'shop', ['fcm']);
    // Each user has two phones, and one without a token. The names contain letters of two alphabets.
    const users = Array.from({ length: USERS }, (_, n) => `${n % 3 === 0 ? 'کاربر' : 'user'} ${n}`);
    const devices = users.flatMap((userId) => [{ userId }, { userId }, { userId, token: null }]);
    ids = await addDevices(database, 'shop', devices);
    owners = new Map(ids.map((id, place) => [id, devices[place]?.userId ?? '']));
    await connect(
      database,
      'shop',
      ids.filter((_, n) => n % 21 === 0),
    );
  });
  afterAll(() => throwAway.drop());
  beforeEach(() => emptyTables(database, 'messages', 'pages', 'deliveries'));

  function heldOut({ salt, holdout }: { salt: string; holdout: number }): string[] {
    return [...new Set(owners.values())].filter(
      (userId) => campaignGroupOf({ holdout }, placesOfUser({ appId: 'shop', salt }, userId)).kind === 'holdout',
    );
  }

  function selectionOf(content: { trackId?: string; holdout?: number }, id: string, reach: Reach): AudienceSelection {
    return {
      ...{ appId: 'shop', acceptedAt: new Date(), channel: 'public/default', who: { kind: 'everyone' }, reach },
      split: splitOf(content, id),
    };
  }

  async function send(changes: { trackId?: string; holdout?: number }, windowSize = 1_000) {
    const message = newMessage({ kind: 'query', isCampaign: true, lane: 'campaign', ...changes });
    Object.assign(message.content, changes);
    const selection = selectionOf(changes, message.id, 'any');
    const { count } = await storeMessage(database, message, selection, { pageSize: 10 });
    const request = { appId: 'shop', messageId: message.id, now: new Date(), windowSize, sliceSize: 300, pageSize: 10 };
    for (;;) {
      const step = await resolveSlice(database, request);
      if (step.kind !== 'resolved') throw new Error(step.kind);
      if (step.isFinished) break;
    }
    const skipped = await database.query<{ device_id: string; reason: string }[]>(
      `SELECT device_id, reason FROM deliveries WHERE message_id = $1 AND state = 'skipped' ORDER BY device_id`,
      [message.id],
    );
    const out = skipped.filter(({ reason }) => reason === 'holdout').map(({ device_id }) => device_id);
    const pages = await database.query<{ id: string }[]>(
      `SELECT unnest(device_ids) AS id FROM pages WHERE message_id = $1`,
      [message.id],
    );
    return { message, count, skipped, out, paged: pages.map(({ id }) => id) };
  }

  it('holds a user out with all of their devices, as the hash of application, track id and user says', async () => {
    const split = { salt: 'track spring', holdout: HOLDOUT };
    const { out, paged, count, skipped } = await send({ trackId: 'spring', holdout: HOLDOUT });
    const users = heldOut(split);
    expect(users.length).toBeGreaterThan(USERS * 0.1);
    expect(users.length).toBeLessThan(USERS * 0.3);
    expect(new Set(out.map((id) => owners.get(id)))).toEqual(new Set(users));
    expect(paged.some((id) => users.includes(owners.get(id) ?? ''))).toBe(false);
    expect(paged).toHaveLength(count);
    expect(skipped.length + paged.length).toBe(ids.length);
  });

  it('says of devices that could not be reached anyway why, and not that they are held out', async () => {
    const { skipped, out } = await send({ trackId: 'spring', holdout: HOLDOUT });
    const unreachable = skipped.filter(({ reason }) => reason === 'no_token').map(({ device_id }) => device_id);
    expect(unreachable.length + out.length).toBe(skipped.length);
    expect(out.every((id) => ids.indexOf(id) % 3 !== 2 || ids.indexOf(id) % 21 === 0)).toBe(true);
  });

  it.each<Reach>(['any', 'notify', 'inApp', 'live'])('is counted without those held out (%s)', async (reach) => {
    const selection = selectionOf({ trackId: 'spring', holdout: HOLDOUT }, '', reach);
    const everybody = { ...selection, split: null };
    const all = await sampleAudience(database, everybody, 10_000);
    const users = heldOut({ salt: 'track spring', holdout: HOLDOUT });
    const expected = all.filter(({ userId }) => !users.includes(userId)).length;
    expect(expected).toBeLessThan(all.length);
    expect(await countAudience(database, selection)).toMatchObject({ count: expected });
    expect(await measureAudience(database, selection)).toMatchObject({ count: expected });
    expect(await sampleAudience(database, selection, 10_000)).toHaveLength(expected);
    const [groups, whole] = await groupAudiences(database, [selection, everybody]);
    const sum = (of?: { devices: number }[]) => of?.reduce((total, { devices }) => total + devices, 0);
    expect([sum(groups), sum(whole)]).toEqual([expected, all.length]);
  });

  it('holds out the same users in each message of a track id, in whatever steps its audience is resolved', async () => {
    const [one, other] = [
      await send({ trackId: 'spring', holdout: HOLDOUT }),
      await send({ trackId: 'spring', holdout: HOLDOUT }, 37),
    ];
    expect(other.out).toEqual(one.out);
    const more = await send({ trackId: 'spring', holdout: 40 });
    expect(more.out).toEqual(expect.arrayContaining(one.out));
    expect(more.out.length).toBeGreaterThan(one.out.length);
  });

  it('holds out others in a message of another track id, or of none', async () => {
    const [one, other, none] = [
      await send({ trackId: 'spring', holdout: HOLDOUT }),
      await send({ trackId: 'autumn', holdout: HOLDOUT }),
      await send({ holdout: HOLDOUT }),
    ];
    expect(other.out).not.toEqual(one.out);
    const users = heldOut({ salt: `message ${none.message.id}`, holdout: HOLDOUT });
    expect(new Set(none.out.map((id) => owners.get(id)))).toEqual(new Set(users));
  });
});
