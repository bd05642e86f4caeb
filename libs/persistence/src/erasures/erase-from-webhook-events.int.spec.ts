import { newId } from '@postrider/platform';
import { createShop, createThrowAwayDatabase, type ThrowAwayDatabase, whileHolding } from '@postrider/testing';
import { type Database, rows } from '../database/executor';
import { patternOf } from './erase-messages.statement';
import { type ErasedUser, ErasedUsersRepository } from './erased-users.repository';

const FIRST_ID = '00000000-0000-0000-0000-000000000000';
const EVERY_EVENT = { after: { webhookId: FIRST_ID, eventId: FIRST_ID }, limit: 10 };

describe('an event of a webhook that names several users', () => {
  let throwAway: ThrowAwayDatabase;
  let database: Database;

  beforeAll(async () => {
    throwAway = await createThrowAwayDatabase();
    database = throwAway.dataSource;
    await createShop(database, 0);
    await rows(
      database,
      `WITH hook AS (
         INSERT INTO webhooks (app_id, webhook_id, url, events, sealed, created_at, updated_at)
         VALUES ('shop', gen_random_uuid(), 'https://example.com/', '{}', '', now(), now()) RETURNING app_id, webhook_id
       )
       INSERT INTO webhook_events (app_id, webhook_id, type, data)
       SELECT app_id, webhook_id, 'delivery.failed',
         '{"count":3,"deliveries":[{"userId":"ann"},{"userId":"ben"},{"userId":"cem"}]}' FROM hook`,
    );
  });
  afterAll(() => throwAway.drop());

  it('names none of two users who are erased at the same moment', async () => {
    const erased = (userId: string): ErasedUser => ({
      ...{ appId: 'shop', userId, erasureId: newId(), pattern: patternOf([userId]) },
    });
    await whileHolding(
      database,
      (held) => new ErasedUsersRepository(held).eraseFromWebhookEvents(erased('ann'), EVERY_EVENT),
      () => new ErasedUsersRepository(database).eraseFromWebhookEvents(erased('ben'), EVERY_EVENT),
    );
    expect(await rows(database, `SELECT data FROM webhook_events`)).toEqual([
      { data: { count: 3, deliveries: [{ userId: 'cem' }] } },
    ]);
  });
});
