import { newId } from '@postrider/platform';
import {
  countWaiting,
  createShop,
  createThrowAwayDatabase,
  type ThrowAwayDatabase,
  untilTrue,
  whileHolding,
} from '@postrider/testing';
import { type Database, rows } from '../database/executor';
import { WebhookEventsRepository } from './webhook-events.repository';
import { WebhooksRepository } from './webhooks.repository';

const NOW = new Date();
/** Holds no webhook, and switches none off. */
const PATIENCE = { now: NOW, failuresForHold: 1_000, firstHoldMs: 1, longestHoldMs: 1, disableAfterMs: 600_000 };
const NO_PENALTY = { heldUntil: null, isGone: false };
const FAILURE = {
  state: 'waiting' as const,
  startedAt: NOW,
  durationMs: 1,
  statusCode: 500,
  error: 'no',
  wakeAt: null,
};

describe('a webhook', () => {
  let throwAway: ThrowAwayDatabase;
  let database: Database;
  const key = { appId: 'shop', webhookId: newId() };

  beforeAll(async () => {
    throwAway = await createThrowAwayDatabase(8);
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

  it('records several failures while an event is written for it: none waits for another in a circle', async () => {
    const failing = { appId: 'shop', webhookId: newId() };
    const url = 'https://example.com/';
    const told = { url, events: ['message.done' as const], sealed: Buffer.of(), isEnabled: true };
    await new WebhooksRepository(database).insert({ ...failing, ...told, createdAt: new Date() }, 10);
    const events = new WebhookEventsRepository(database);
    const fail = (on = events): Promise<unknown> =>
      on.recordAttempt({ ...failing, url, eventId: newId(), attempt: 1 }, FAILURE, NO_PENALTY, PATIENCE);
    const writer = database.createQueryRunner();
    await writer.startTransaction();
    await whileHolding(
      database,
      (held) => fail(new WebhookEventsRepository(held)),
      () => Promise.all([fail(), fail(), fail()]),
      3,
      () => events.record(writer.manager, [{ appId: 'shop', type: 'message.done', data: {} }]),
    );
    await writer.commitTransaction();
    await writer.release();
    const found = await rows(database, `SELECT failures FROM webhooks WHERE webhook_id = $1`, [failing.webhookId]);
    expect(found).toEqual([{ failures: 4 }]);
  });
});
