import { rows, WebhookEventsRepository, WebhooksRepository } from '@postrider/persistence';
import { newId } from '@postrider/platform';
import { Enqueuer, type JobsClient, sendWebhookEvents } from '@postrider/queues';
import { clockShowing, createThrowAwayDatabase, type ThrowAwayDatabase } from '@postrider/testing';
import { pino } from 'pino';
import { RecoverWebhooks } from './recover-webhooks.task';

describe('the recovery of webhooks', () => {
  let database: ThrowAwayDatabase;
  beforeAll(async () => {
    database = await createThrowAwayDatabase();
    await database.dataSource.query(
      `INSERT INTO applications (app_id, name, identity_key_sealed) VALUES ('shop', 'Shop', ''), ('bank', 'Bank', '')`,
    );
  });
  afterAll(() => database.drop());

  it('wakes a worker up for each webhook with something to send, and for none that is held, off or done', async () => {
    // Events are due at PostgreSQL's time, which goes on while this clock stands: they are due however long the test takes.
    let now = Date.now() + 600_000;
    const clock = clockShowing(() => new Date(now));
    const enqueued: unknown[] = [];
    const jobs: JobsClient = {
      enqueue: (job, payloads) => {
        enqueued.push(...payloads.map((payload) => [job, payload]));
        return Promise.resolve();
      },
    };
    const task = new RecoverWebhooks(
      new WebhooksRepository(database.dataSource),
      clock,
      new Enqueuer(jobs, clock, pino({ level: 'silent' })),
      { sweepIntervalMs: 1_000 },
    );
    const turn = async (): Promise<unknown[]> => {
      await task.run();
      return enqueued.splice(0);
    };
    const hook = async (appId: string): Promise<{ appId: string; webhookId: string }> => {
      const webhookId = newId();
      await rows(
        database.dataSource,
        `INSERT INTO webhooks (app_id, webhook_id, url, events, sealed, created_at, updated_at)
         VALUES ($1, $2, 'https://example.com', '{promo.low_stock}', '', now(), now())`,
        [appId, webhookId],
      );
      return { appId, webhookId };
    };
    const change = (what: string, webhook: { webhookId: string }): Promise<unknown> =>
      rows(database.dataSource, `UPDATE webhooks SET ${what} WHERE webhook_id = $1`, [webhook.webhookId]);
    const [shop, bank] = [await hook('shop'), await hook('bank')];
    expect(await turn()).toEqual([]);
    await new WebhookEventsRepository(database.dataSource).record(database.dataSource, [
      { appId: 'shop', type: 'promo.low_stock', data: {} },
    ]);
    expect(await turn()).toEqual([[sendWebhookEvents, shop]]);
    await new WebhookEventsRepository(database.dataSource).record(database.dataSource, [
      { appId: 'bank', type: 'promo.low_stock', data: {} },
    ]);
    await change(`held_until = '${new Date(now + 60_000).toISOString()}'`, shop);
    expect(await turn()).toEqual([[sendWebhookEvents, bank]]);
    await change('is_enabled = false', bank);
    expect(await turn()).toEqual([]);
    now += 120_000;
    expect(await turn()).toEqual([[sendWebhookEvents, shop]]);
    await rows(database.dataSource, `UPDATE webhook_events SET state = 'delivered', wake_at = NULL`);
    expect(await turn()).toEqual([]);
  });
});
