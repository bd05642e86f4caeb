import { newId } from '@postrider/platform';
import { createShop, createThrowAwayDatabase, type ThrowAwayDatabase } from '@postrider/testing';
import { rows } from '../database/executor';
import { PartitionsRepository } from '../partitions/partitions.repository';
import { OverviewRepository } from './overview.repository';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

describe('the overview', () => {
  let database: ThrowAwayDatabase;

  beforeAll(async () => {
    database = await createThrowAwayDatabase();
    await createShop(database.dataSource, 0);
  });
  afterAll(() => database.drop());

  it('shows a campaign that was moved by eighty days on the day on which it left', async () => {
    const now = new Date();
    const [planned, left] = [new Date(now.getTime() - 80 * DAY_MS), new Date(now.getTime() - MINUTE_MS)];
    await new PartitionsRepository(database.dataSource).ensure(planned, 1);
    const id = newId(planned);
    await rows(
      database.dataSource,
      `INSERT INTO messages (app_id, id, kind, is_campaign, lane, audience, channel, content, count, resolve_ceiling, resolved_at,
         accepted_at, send_at, expires_at)
       VALUES ('shop', $1, 'query', true, 'campaign', '{}', 'public/default', '{}', 3, 9, $3, $2, $3, $3)`,
      [id, planned, left],
    );
    await rows(
      database.dataSource,
      `INSERT INTO pages (app_id, message_id, id, vendor, lane, device_ids, state, first_attempt_at, finished_at, created_at)
       VALUES ('shop', $1, $2, 'fcm', 'campaign', '{1,2,3}', 'finished', $3, $3, $3)`,
      [id, newId(), left],
    );
    const overview = new OverviewRepository(database.dataSource);
    const hourAgo = new Date(now.getTime() - 60 * MINUTE_MS);
    expect(await overview.readThroughput('shop', hourAgo, 10)).toMatchObject([{ devices: 3 }]);
    const monthAgo = new Date(now.getTime() - 30 * DAY_MS);
    expect(await overview.sumCampaignDays('shop', monthAgo, now)).toMatchObject([{ campaigns: 1, devices: 3 }]);
  });
});
