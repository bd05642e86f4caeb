import { newId } from '@postrider/platform';
import {
  countWaiting,
  createShop,
  createThrowAwayDatabase,
  type ThrowAwayDatabase,
  untilTrue,
} from '@postrider/testing';
import { type Database, rows } from '../database/executor';
import { WebhookEventsRepository } from './webhook-events.repository';
import { WebhooksRepository } from './webhooks.repository';

describe('a webhook', () => {
  let throwAway: ThrowAwayDatabase;
  let database: Database;
  const key = { appId: 'shop', webhookId: newId() };

  beforeAll(async () => {
    throwAway = await createThrowAwayDatabase();
    database = throwAway.dataSource;
    await createShop(database, 0);
  });
  afterAll(() => throwAway.drop());

  it('is deleted with all its events, in steps for which nobody waits who would tell it something', async () => {
    const told = {
      url: 'https://example.com/',
      events: ['message.done' as const],
      sealed: Buffer.of(),
      isEnabled: true,
    };
    const webhooks = new WebhooksRepository(database);
    await webhooks.insert({ ...key, ...told, createdAt: new Date() }, 1);
    await rows(
      database,
      `INSERT INTO webhook_events (app_id, webhook_id, type, data)
       SELECT 'shop', $1, 'message.done', '{}' FROM generate_series(1, 10000)`,
      [key.webhookId],
    );
    const sender = database.createQueryRunner();
    await sender.startTransaction();
    await sender.query(`SELECT FROM webhook_events ORDER BY event_id LIMIT 1 FOR UPDATE`);
    const deleting = webhooks.delete(key);
    await untilTrue(async () => (await countWaiting(database)) === 1);
    await new WebhookEventsRepository(database).record(database, [{ appId: 'shop', type: 'message.done', data: {} }]);
    await sender.commitTransaction();
    await sender.release();
    expect(await deleting).toBe(true);
    expect(await rows(database, `SELECT FROM webhook_events`)).toEqual([]);
    expect(await webhooks.delete(key)).toBe(false);
  });
});
