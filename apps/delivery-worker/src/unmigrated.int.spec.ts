import { migrate } from '@postrider/persistence';
import { HealthRegistry } from '@postrider/platform';
import { createEmptyDatabase, until } from '@postrider/testing';
import { startDeliveryWorker } from './testing/start-delivery-worker';

it('a worker on a database that nobody has migrated starts, is not ready, and is once the migrations have run', async () => {
  const empty = await createEmptyDatabase();
  const worker = await startDeliveryWorker(empty);
  try {
    const health = worker.get(HealthRegistry, { strict: false });
    expect(await health.report()).toMatchObject({ ready: false, checks: { schema: { ok: false } } });
    await migrate(empty.dataSource);
    const report = await until(async () => {
      const found = await health.report();
      return found.ready && found;
    });
    expect(report).toMatchObject({ ready: true, checks: { schema: { ok: true } } });
  } finally {
    await worker.close();
    await empty.drop();
  }
});
