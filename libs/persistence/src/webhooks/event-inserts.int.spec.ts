import type { DeviceId } from '@postrider/domain';
import { newId } from '@postrider/platform';
import { createShop, createThrowAwayDatabase, type ThrowAwayDatabase, whileHolding } from '@postrider/testing';
import { type Database, type Executor, inTransaction, rows } from '../database/executor';
import { parameter, sql } from '../sql';
import { DeadTokensRepository } from '../vendors/dead-tokens.repository';
import {
  insertFallbackSentEvents,
  insertTokenRemovedEvents,
  insertVendorEvents,
  recordDoneAtOnce,
  recordDoneMessages,
} from './event-inserts';
import { WebhookEventsRepository } from './webhook-events.repository';

/** A moment that PostgreSQL writes with fewer digits, and in its own time zone, unless it is told otherwise. */
const AT = '2026-05-01T09:00:00.100Z';

/** Rows as the statements around the inserts have them. */
const messages = sql`(
  SELECT 'shop' AS app_id, ${newId()}::uuid AS id, 'users' AS kind, NULL AS track_id, NULL AS client_id, NULL AS batch_id, 1 AS count,
    'done' AS status, ${AT}::timestamptz AS accepted_at, ${AT}::timestamptz AS done_at)`;
const states = sql`SELECT 'sent' AS state, 1 AS count`;
const recorded = sql`(SELECT 'shop' AS app_id, ${newId()}::uuid AS message_id, 'ann' AS user_id, 'twilio' AS provider,
  '+31612345678' AS phone, ${AT}::timestamptz AS sent_at, true AS is_unsent)`;

describe('the times in webhook events', () => {
  let throwAway: ThrowAwayDatabase;
  let database: Database;

  beforeAll(async () => {
    throwAway = await createThrowAwayDatabase();
    database = throwAway.dataSource;
    await createShop(database, 1);
    await rows(
      database,
      `INSERT INTO webhooks (app_id, webhook_id, url, events, sealed, created_at, updated_at) VALUES
         ('shop', gen_random_uuid(), 'https://example.com/', '{message.done,delivery.failed,fallback.sent}', '', now(), now())`,
    );
  });
  afterAll(() => throwAway.drop());

  /** The data of the event that `write` leads to, on a server in another time zone. */
  function dataAfter(write: (executor: Executor) => Promise<unknown>): Promise<unknown> {
    return inTransaction(database, async (executor) => {
      await rows(executor, `SET LOCAL TIME ZONE 'Asia/Tehran'`);
      await rows(executor, `DELETE FROM webhook_events`);
      await write(executor);
      const [event] = await rows<{ data: unknown }>(executor, `SELECT data FROM webhook_events`);
      return event?.data;
    });
  }

  it('have the form of all times of the API, when a message is done', async () => {
    const times = { acceptedAt: AT, doneAt: AT };
    expect(await dataAfter((executor) => rows(executor, recordDoneMessages({ messages, states })))).toMatchObject(
      times,
    );
    const app = parameter('shop');
    expect(
      await dataAfter((executor) => rows(executor, recordDoneAtOnce({ app, messages, counts: {} }))),
    ).toMatchObject(times);
  });

  it('have it when a provider accepted a fallback', async () => {
    expect(await dataAfter((executor) => rows(executor, insertFallbackSentEvents(recorded)))).toMatchObject({
      sentAt: AT,
    });
  });

  it('have it when a delivery failed', async () => {
    const [messageId, now] = [newId(), new Date()];
    const [device] = await rows<{ id: DeviceId }>(database, `SELECT id::text AS id FROM installations`);
    const deviceIds = [device?.id ?? ''];
    await rows(
      database,
      `INSERT INTO messages (app_id, id, kind, is_campaign, lane, audience, channel, content, count, resolve_ceiling,
         accepted_at, expires_at)
       VALUES ('shop', $1, 'query', true, 'campaign', '{}', 'public/default', '{}', 1, 1, $2, $2)`,
      [messageId, now],
    );
    await rows(
      database,
      `INSERT INTO deliveries (app_id, message_id, device_id, state, rank, vendor, updated_at)
       VALUES ('shop', $1, $2, 'failed', 1, 'fcm', $3)`,
      [messageId, deviceIds[0], AT],
    );
    const events = new WebhookEventsRepository(database);
    const page = { appId: 'shop', messageId, deviceIds };
    expect(await dataAfter((executor) => events.recordFailedDeliveries(executor, [page]))).toMatchObject({
      count: 1,
      deliveries: [{ failedAt: AT }],
    });
  });
});

describe('a webhook that is being deleted', () => {
  let throwAway: ThrowAwayDatabase;
  let database: Database;

  beforeAll(async () => {
    throwAway = await createThrowAwayDatabase();
    database = throwAway.dataSource;
    await createShop(database, 1);
    const messageId = newId();
    await rows(
      database,
      `INSERT INTO messages (app_id, id, kind, is_campaign, lane, audience, channel, content, count, resolve_ceiling,
         accepted_at, expires_at)
       VALUES ('shop', $1, 'query', true, 'campaign', '{}', 'public/default', '{}', 1, 1, now(), now())`,
      [messageId],
    );
    await rows(
      database,
      `INSERT INTO deliveries (app_id, message_id, device_id, state, rank, vendor)
       SELECT 'shop', $1, id, 'failed', 1, 'fcm' FROM installations`,
      [messageId],
    );
  });
  afterAll(() => throwAway.drop());

  const off = sql`(SELECT gen_random_uuid() AS installation_id, 'ann' AS user_id, 'fcm' AS push_type) off`;
  const begun = sql`applications`;
  const app = sql`'shop'`;
  type Write = (executor: Executor) => Promise<unknown>;
  const writes: readonly (readonly [event: string, write: Write])[] = [
    ['token.removed', (executor) => rows(executor, insertTokenRemovedEvents({ app, off }))],
    ['fallback.sent', (executor) => rows(executor, insertFallbackSentEvents(recorded))],
    [
      'vendor.breaker_opened',
      (executor) => rows(executor, insertVendorEvents(begun, { type: 'vendor.breaker_opened', data: {} })),
    ],
    ['message.done', (executor) => rows(executor, recordDoneMessages({ messages, states }))],
    [
      'message.done, at once',
      (executor) => rows(executor, recordDoneAtOnce({ app: parameter('shop'), messages, counts: {} })),
    ],
    ['delivery.failed', (executor) => recordFailed(executor)],
    [
      'tokens.quarantined',
      (executor) =>
        new DeadTokensRepository(database).beginQuarantine(
          executor,
          { appId: 'shop', vendor: 'fcm' },
          { share: 0.5, normalShare: 0.1 },
          new Date(),
        ),
    ],
    [
      'any other event',
      (executor) =>
        new WebhookEventsRepository(database).record(executor, [{ appId: 'shop', type: 'message.done', data: {} }]),
    ],
  ];

  async function recordFailed(executor: Executor): Promise<void> {
    const [failed] = await rows<{ messageId: string; id: DeviceId }>(
      executor,
      `SELECT message_id AS "messageId", device_id::text AS id FROM deliveries`,
    );
    if (failed === undefined) throw new Error('There is no failed delivery');
    const ended = [{ appId: 'shop', messageId: failed.messageId, deviceIds: [failed.id] }];
    await new WebhookEventsRepository(database).recordFailedDeliveries(executor, ended);
  }

  async function addWebhook(): Promise<string> {
    const [added] = await rows<{ id: string }>(
      database,
      `INSERT INTO webhooks (app_id, webhook_id, url, events, sealed, created_at, updated_at) VALUES ('shop', gen_random_uuid(),
         'https://example.com/', '{token.removed,fallback.sent,vendor.breaker_opened,message.done,delivery.failed,tokens.quarantined}', '', now(),
         now())
       RETURNING webhook_id AS id`,
    );
    return added?.id ?? '';
  }

  it.each(writes)('stops nothing that would be told to it: %s', async (_event, write) => {
    await addWebhook();
    await whileHolding(
      database,
      (held) => held.query(`DELETE FROM webhooks`),
      () => inTransaction(database, write),
    );
    expect(await rows(database, `SELECT 1 FROM webhook_events`)).toEqual([]);
  });

  it('is unknown to whoever tests it', async () => {
    const key = { appId: 'shop', webhookId: await addWebhook() };
    const tested = await whileHolding(
      database,
      (held) => held.query(`DELETE FROM webhooks`),
      () => new WebhookEventsRepository(database).insertTest(key, 'webhook.test', {}),
    );
    expect(tested).toBeNull();
  });
});
