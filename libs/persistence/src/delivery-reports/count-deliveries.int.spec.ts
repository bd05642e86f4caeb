import { newId } from '@postrider/platform';
import { createThrowAwayDatabase, type ThrowAwayDatabase } from '@postrider/testing';
import type { Database } from '../database/executor';
import { type DeliveryCount, DeliveryReportsRepository } from './delivery-reports.repository';

describe('the counts of a message whose vendor answers every device with a code of its own', () => {
  let throwAway: ThrowAwayDatabase;
  let database: Database;
  let counts: DeliveryCount[];

  beforeAll(async () => {
    throwAway = await createThrowAwayDatabase();
    database = throwAway.dataSource;
    await database.query(`INSERT INTO applications (app_id, name, identity_key_sealed) VALUES ('shop', 'Shop', '')`);
    const id = newId();
    await database.query(
      `INSERT INTO messages (app_id, id, kind, is_campaign, lane, audience, channel, content, status, count, resolve_ceiling,
         accepted_at, expires_at)
       VALUES ('shop', $1, 'query', true, 'campaign', '{}', 'public/default', '{}', 'accepted', 0, 0, now(), now())`,
      [id],
    );
    await database.query(
      `INSERT INTO deliveries (app_id, message_id, device_id, state, rank, vendor, error_code)
       SELECT 'shop', $1::uuid, n, 'failed', 9, 'apns', CASE WHEN n > 300 THEN 'BadTopic' ELSE 'request ' || n END
       FROM generate_series(1, 305) n UNION ALL SELECT 'shop', $1::uuid, 306, 'sent', 2, 'apns', NULL`,
      [id],
    );
    counts = await new DeliveryReportsRepository(database).count(database, 'shop', id);
  });
  afterAll(() => throwAway.drop());

  it('name the most frequent codes and add up the others', () => {
    expect(counts.filter(({ errorCode }) => errorCode !== null)).toHaveLength(201);
    expect(counts).toContainEqual(expect.objectContaining({ state: 'failed', errorCode: 'BadTopic', count: 5 }));
    expect(counts).toContainEqual(expect.objectContaining({ state: 'failed', errorCode: 'other', count: 101 }));
  });

  it('lose no delivery', () => {
    const of = (state: string): number =>
      counts.filter((one) => one.state === state).reduce((sum, { count }) => sum + count, 0);
    expect([of('failed'), of('sent')]).toEqual([305, 1]);
  });
});
