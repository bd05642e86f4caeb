import fc from 'fast-check';
import { DAY_MS } from '@postrider/domain';
import { newId } from '@postrider/platform';
import { createThrowAwayDatabase, type ThrowAwayDatabase } from '@postrider/testing';
import type { Database } from '../database/executor';
import { PartitionsRepository } from '../partitions/partitions.repository';
import { CampaignsRepository } from './campaigns.repository';
import type { MessageFilter } from './message-filter';
import { MessagesRepository } from './messages.repository';

const NOW = new Date();
const DAYS_BEHIND = 40;
const ALL: MessageFilter = {
  isCampaign: true,
  trackId: null,
  clientId: null,
  userId: null,
  batchId: null,
  beforeId: null,
};
const daysAgo = (days: number): Date => new Date(NOW.getTime() - days * DAY_MS);

describe('lists of campaigns, newest first', () => {
  let throwAway: ThrowAwayDatabase;
  let database: Database;

  beforeAll(async () => {
    throwAway = await createThrowAwayDatabase();
    database = throwAway.dataSource;
    await new PartitionsRepository(database).ensure(daysAgo(DAYS_BEHIND), DAYS_BEHIND);
  });
  afterAll(() => throwAway.drop());

  async function createApplication(): Promise<string> {
    const appId = `shop-${newId()}`;
    await database.query(`INSERT INTO applications (app_id, name, identity_key_sealed) VALUES ($1, 'Shop', '')`, [
      appId,
    ]);
    return appId;
  }

  async function sendCampaign(appId: string, acceptedAt: Date, trackId: string | null = null): Promise<string> {
    const id = newId(acceptedAt);
    await database.query(
      `INSERT INTO messages (app_id, id, kind, is_campaign, lane, audience, channel, content, count, resolve_ceiling, track_id,
         accepted_at, expires_at)
       VALUES ($1, $2, 'query', true, 'campaign', '{}', 'public/default', '{}', 1, 0, $3, $4, $4)`,
      [appId, id, trackId, acceptedAt],
    );
    return id;
  }

  async function listInParts(appId: string, limit: number, filter = ALL): Promise<string[]> {
    const [ids, messages] = [[] as string[], new MessagesRepository(database)];
    for (let beforeId: string | null = null; ;) {
      const part = await messages.list(appId, { ...filter, beforeId }, { limit, now: NOW });
      ids.push(...part.map(({ id }) => id));
      if (part.length < limit) return ids;
      beforeId = part.at(-1)?.id ?? null;
    }
  }

  it('hold every campaign once, however many days lie between them and however long the parts are', async () => {
    const ages = fc.array(fc.double({ min: 0, max: DAYS_BEHIND - 1, noNaN: true }), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(ages, fc.integer({ min: 1, max: 5 }), async (days, limit) => {
        const appId = await createApplication();
        const sent: string[] = [];
        for (const age of days) sent.push(await sendCampaign(appId, daysAgo(age)));
        expect(await listInParts(appId, limit)).toEqual(sent.sort().reverse());
      }),
      { numRuns: 25 },
    );
  });

  it('hold every send of a campaign once, and no other, however long the parts are', async () => {
    const appId = await createApplication();
    const ages = [39.5, 39.4, 20, 13, 3, 1, 0.5];
    const sent: string[] = [];
    for (const age of ages) {
      sent.unshift(await sendCampaign(appId, daysAgo(age), 'spring'));
      await sendCampaign(appId, daysAgo(age), age > 10 ? 'autumn' : null);
    }
    const spring = { ...ALL, trackId: 'spring' };
    for (const limit of [1, 2, 7, 50]) expect(await listInParts(appId, limit, spring)).toEqual(sent);
    // With a further filter it is read by days.
    expect(await listInParts(appId, 2, { ...spring, from: daysAgo(15) })).toEqual(sent.slice(0, 4));
    expect(await listInParts(appId, 2, { ...spring, clientId: 'none' })).toEqual([]);
  });

  it('say of an old campaign that it is being sent as soon as a page of it was begun', async () => {
    const [appId, messages] = [await createApplication(), new MessagesRepository(database)];
    const id = await sendCampaign(appId, daysAgo(30));
    const statuses = async (): Promise<(string | undefined)[]> => {
      const [listed] = await messages.list(appId, ALL, { limit: 5, now: NOW });
      return [listed?.status, (await messages.find(database, appId, id))?.status];
    };
    expect(await statuses()).toEqual(['accepted', 'accepted']);
    await database.query(
      `INSERT INTO pages (app_id, message_id, id, vendor, lane, device_ids, state, fence)
       VALUES ($1, $2, $3, 'fcm', 'campaign', '{1}', 'running', 1)`,
      [appId, id, newId()],
    );
    expect(await statuses()).toEqual(['sending', 'sending']);
  });

  it('do not read the users that a message names, who may be a hundred thousand for each', async () => {
    const [appId, messages] = [await createApplication(), new MessagesRepository(database)];
    const id = await sendCampaign(appId, daysAgo(1));
    await database.query(`UPDATE messages SET is_campaign = false, user_ids = '{ada,bob}' WHERE id = $1`, [id]);
    const [listed, ...others] = await messages.list(
      appId,
      { ...ALL, isCampaign: false, userId: 'bob' },
      { limit: 5, now: NOW },
    );
    expect([listed?.id, others]).toEqual([id, []]);
    expect(listed).not.toHaveProperty('userIds');
    expect((await messages.find(database, appId, id))?.userIds).toEqual(['ada', 'bob']);
  });

  it('find a language whatever the case of its tag, in the message and in its variants', async () => {
    const [appId, messages] = [await createApplication(), new MessagesRepository(database)];
    const contents = [
      { localized: { 'fa-IR': {} } },
      { variants: [{ name: 'A' }, { name: 'B', localized: { 'FA-ir': {} } }] },
      { localized: { fr: {} } },
      {},
    ];
    const ids: string[] = [];
    for (const [at, content] of contents.entries()) {
      const id = await sendCampaign(appId, daysAgo(at + 1));
      await database.query(`UPDATE messages SET content = $1 WHERE app_id = $2 AND id = $3`, [content, appId, id]);
      ids.push(id);
    }
    const find = async (language: string): Promise<string[]> =>
      (await messages.list(appId, { ...ALL, language }, { limit: 5, now: NOW })).map(({ id }) => id);
    for (const tag of ['fa-IR', 'fa-ir', 'FA-IR']) expect(await find(tag)).toEqual(ids.slice(0, 2));
    expect(await find('fa')).toEqual([]);
  });

  it('go on from any id that a caller makes up', async () => {
    const [appId, messages] = [await createApplication(), new MessagesRepository(database)];
    const id = await sendCampaign(appId, daysAgo(3));
    const before = async (beforeId: string): Promise<string[]> =>
      (await messages.list(appId, { ...ALL, beforeId }, { limit: 5, now: NOW })).map((message) => message.id);
    expect(await before('00000000-0000-0000-0000-000000000000')).toEqual([]);
    expect(await before('ffffffff-ffff-ffff-ffff-ffffffffffff')).toEqual([id]);
  });

  it('show the campaigns that nothing was sent for, however many of those made since were sent', async () => {
    const [appId, campaigns] = [await createApplication(), new CampaignsRepository(database)];
    const made: string[] = [];
    for (let n = 0; n < 30; n++) {
      const createdAt = daysAgo(20 - n / 10);
      const [campaignId, trackId] = [newId(createdAt), `track-${n}`];
      await campaigns.insert(appId, { campaignId, trackId, name: null, createdAt });
      if (n > 3 && n < 28) await sendCampaign(appId, daysAgo(n), trackId);
      else made.unshift(trackId);
    }
    const list = async (limit: number, beforeId: string | null = null): Promise<(string | undefined)[]> => {
      const unsent = await campaigns.listUnsent(appId, { trackId: null, beforeId, afterId: null }, limit);
      return unsent.map(({ trackId }) => trackId);
    };
    expect(await list(3)).toEqual(made.slice(0, 3));
    expect(await list(50)).toEqual(made);
  });
});
