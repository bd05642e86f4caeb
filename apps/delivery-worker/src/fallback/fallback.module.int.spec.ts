import { Logger } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { loadConfig, LOGGER, type Logger as PlatformLogger, METRICS, Shutdown } from '@postrider/platform';
import { BullMqServer, JOBS_CLIENT, type JobsClient, sendFallbacks } from '@postrider/queues';
import { createThrowAwayDatabase, testRedisUrl, uniquePrefix } from '@postrider/testing';
import type { Registry } from 'prom-client';
import { AppModule } from '../app.module';
import { FallbackLedger } from './testing/fallback-ledger';

it('the delivery worker takes a message with fallbacks from its queue and sees to it', async () => {
  Logger.overrideLogger(false);
  const database = await createThrowAwayDatabase();
  const ledger = new FallbackLedger(database);
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
