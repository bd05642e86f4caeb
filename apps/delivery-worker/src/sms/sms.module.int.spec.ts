import { JOBS_CLIENT, type JobsClient, sendFallbacks } from '@postrider/queues';
import { createThrowAwayDatabase } from '@postrider/testing';
import { startDeliveryWorker } from '../testing/start-delivery-worker';
import { FallbackLedger } from './testing/fallback-ledger';

it('the delivery worker takes a message with fallbacks from its queue and sees to it', async () => {
  const database = await createThrowAwayDatabase();
  const ledger = new FallbackLedger(database);
  const worker = await startDeliveryWorker(database);
  try {
    await ledger.addApplication();
    const key = await ledger.addMessage({ users: ['+14155550001'], acceptedAt: new Date(), delaySeconds: 0 });
    await worker.get<JobsClient>(JOBS_CLIENT).enqueue(sendFallbacks, [{ ...key }]);
    const look = async (): Promise<string | null | undefined> => (await ledger.fallbacks(key.messageId))[0]?.error_code;
    while (!(await look())) await new Promise((next) => setImmediate(next));
    expect(await ledger.fallbacks(key.messageId)).toMatchObject([{ state: 'waiting', error_code: 'no_provider' }]);
  } finally {
    await worker.close();
    await database.drop();
  }
});
