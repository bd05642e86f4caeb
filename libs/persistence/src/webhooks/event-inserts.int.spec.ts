import type { DeviceId } from '@postrider/domain';
import { newId } from '@postrider/platform';
import { createShop, createThrowAwayDatabase, type ThrowAwayDatabase } from '@postrider/testing';
import { type Database, type Executor, inTransaction, rows } from '../database/executor';
import { parameter, sql } from '../sql';
import { insertFallbackSentEvents, recordDoneAtOnce, recordDoneMessages } from './event-inserts';
import { WebhookEventsRepository } from './webhook-events.repository';

/** A moment that PostgreSQL writes with fewer digits, and in its own time zone, unless it is told otherwise. */
const AT = '2026-05-01T09:00:00.100Z';

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

  const messages = sql`(
    SELECT 'shop' AS app_id, ${newId()}::uuid AS id, 'users' AS kind, NULL AS track_id, NULL AS client_id, NULL AS batch_id, 1 AS count,
      'done' AS status, ${AT}::timestamptz AS accepted_at, ${AT}::timestamptz AS done_at)`;

  it('have the form of all times of the API, when a message is done', async () => {
    const times = { acceptedAt: AT, doneAt: AT };
    const states = sql`SELECT 'sent' AS state, 1 AS count`;
    expect(await dataAfter((executor) => rows(executor, recordDoneMessages({ messages, states })))).toMatchObject(
      times,
    );
    const app = parameter('shop');
    expect(
      await dataAfter((executor) => rows(executor, recordDoneAtOnce({ app, messages, counts: {} }))),
    ).toMatchObject(times);
  });

  it('have it when a provider accepted a fallback', async () => {
    const recorded = sql`(SELECT 'shop' AS app_id, ${newId()}::uuid AS message_id, 'ann' AS user_id, 'twilio' AS provider,
      '+31612345678' AS phone, ${AT}::timestamptz AS sent_at, true AS is_unsent)`;
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
