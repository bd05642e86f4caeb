import { WebhookEventsRepository } from '@postrider/persistence';
import { METRICS } from '@postrider/platform';
import { JOBS_CLIENT, type JobsClient, sendWebhookEvents } from '@postrider/queues';
import { createThrowAwayDatabase } from '@postrider/testing';
import type { Registry } from 'prom-client';
import { APP_ID, Ledger } from '../testing/ledger';
import { startDeliveryWorker } from '../testing/start-delivery-worker';
import { Receiver } from './testing/receiver';
import { addWebhook } from './testing/webhook-worker';

it('the delivery worker takes a webhook from its queue and sends what is due, once and signed', async () => {
  const database = await createThrowAwayDatabase();
  const receiver = await new Receiver().start();
  const worker = await startDeliveryWorker(database, { ALLOW_PRIVATE_ENDPOINTS: 'true' });
  try {
    await new Ledger(database).addApplication();
    const { appId, webhookId } = await addWebhook(database, APP_ID, receiver.url, ['promo.low_stock']);
    const events = Array.from({ length: 20 }, (_, n) => ({ appId, type: 'promo.low_stock' as const, data: { n } }));
    await new WebhookEventsRepository(database.dataSource).record(database.dataSource, events);
    const jobs = worker.get<JobsClient>(JOBS_CLIENT);
    while (receiver.received.length < 20) {
      await jobs.enqueue(sendWebhookEvents, [{ appId, webhookId }]);
      await new Promise((next) => setImmediate(next));
    }
    expect(receiver.received.map(({ json }) => json.data.n).sort((a, b) => Number(a) - Number(b))).toEqual(
      events.map(({ data }) => data.n),
    );
    const metrics = await worker.get<Registry>(METRICS).metrics();
    expect(metrics).toMatch(/postrider_webhook_attempts_total\{.*outcome="delivered".*\} \d+/);
  } finally {
    await worker.close();
    await receiver.stop();
    await database.drop();
  }
});
