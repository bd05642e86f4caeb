import { attemptPage, JOBS_CLIENT, type JobsClient } from '@postrider/queues';
import { METRICS } from '@postrider/platform';
import { createThrowAwayDatabase } from '@postrider/testing';
import type { Registry } from 'prom-client';
import { Ledger } from '../testing/ledger';
import { startDeliveryWorker } from '../testing/start-delivery-worker';

describe('the delivery worker', () => {
  it('drops a job that does not fit before anything is done with its page', async () => {
    const database = await createThrowAwayDatabase();
    const ledger = new Ledger(database);
    const worker = await startDeliveryWorker(database);
    try {
      await ledger.addApplication();
      const acceptedAt = new Date();
      const key = await ledger.addMessage({ devices: await ledger.addDevices(1, acceptedAt), acceptedAt });
      const unfit = { ...key, lane: 'sideways' as 'campaign' };
      await worker.get<JobsClient>(JOBS_CLIENT).enqueue(attemptPage.fcm, [unfit]);
      const metrics = worker.get<Registry>(METRICS);
      const counts = (): Promise<string> => metrics.getSingleMetricAsString('postrider_jobs_total');
      while (!/outcome="failed"[^}]*} 1/.test(await counts())) await new Promise((next) => setImmediate(next));
      const [page] = await ledger.pages(key.messageId);
      expect(page).toMatchObject({ state: 'waiting', fence: 0, not_before: null, leased_by: null });
    } finally {
      await worker.close();
      await database.drop();
    }
  });

  it('takes a page from its queue, and leaves a page waiting whose application has no credentials', async () => {
    const database = await createThrowAwayDatabase();
    const ledger = new Ledger(database);
    const worker = await startDeliveryWorker(database);
    try {
      await ledger.addApplication();
      const acceptedAt = new Date();
      const key = await ledger.addMessage({ devices: await ledger.addDevices(2, acceptedAt), acceptedAt });
      await worker.get<JobsClient>(JOBS_CLIENT).enqueue(attemptPage.fcm, [{ ...key, lane: 'campaign' }]);
      while (!(await ledger.pages(key.messageId))[0]?.not_before) await new Promise((next) => setImmediate(next));
      const [page] = await ledger.pages(key.messageId);
      expect(page).toMatchObject({ state: 'waiting', fence: 1, attempt: 1, leased_by: null });
      expect(await ledger.states(key)).toEqual({});
    } finally {
      await worker.close();
      await database.drop();
    }
  });
});
