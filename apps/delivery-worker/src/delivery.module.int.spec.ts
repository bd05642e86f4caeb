import { Logger } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { loadConfig, LOGGER, type Logger as PlatformLogger, METRICS, Shutdown } from '@postrider/platform';
import { attemptPage, BullMqServer, JOBS_CLIENT, type JobsClient } from '@postrider/queues';
import { createThrowAwayDatabase, testRedisUrl, uniquePrefix } from '@postrider/testing';
import type { Registry } from 'prom-client';
import { AppModule } from './app.module';
import { Ledger } from './testing/ledger';

describe('the delivery worker', () => {
  it('takes a page from its queue, and leaves a page waiting whose application has no credentials', async () => {
    Logger.overrideLogger(false);
    const database = await createThrowAwayDatabase();
    const ledger = new Ledger(database);
    const config = loadConfig({
      DATABASE_URL: database.url,
      REDIS_URL: testRedisUrl(),
      ADMIN_TOKEN: 'a'.repeat(16),
      SECRET_KEY: 's'.repeat(32),
      LOG_LEVEL: 'silent',
    });
    const prefix = uniquePrefix();
    const worker = await NestFactory.createMicroservice(AppModule.forConfig(config, { prefix }), {
      inject: [LOGGER, METRICS, Shutdown],
      useFactory: (logger: PlatformLogger, metrics: Registry, shutdown: Shutdown) => ({
        strategy: new BullMqServer({ config, logger, metrics, shutdown, prefix }),
      }),
    } as object);
    try {
      await worker.listen();
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
