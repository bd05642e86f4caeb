import { type INestMicroservice, Logger } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { loadConfig, LOGGER, type Logger as PlatformLogger, METRICS, Shutdown } from '@postrider/platform';
import { BullMqServer } from '@postrider/queues';
import { testRedisUrl, type ThrowAwayDatabase, uniquePrefix } from '@postrider/testing';
import type { Registry } from 'prom-client';
import { AppModule } from '../app.module';

/** A busy machine is no Redis that is away. */
const PATIENCE_MS = 250_000;

/** Starts the whole delivery worker in this process, on queues of its own. @param env further variables */
export async function startDeliveryWorker(
  database: ThrowAwayDatabase,
  env: NodeJS.ProcessEnv = {},
): Promise<INestMicroservice> {
  Logger.overrideLogger(false);
  const config = loadConfig({
    DATABASE_URL: database.url,
    REDIS_URL: testRedisUrl(),
    SECRET_KEY: 's'.repeat(32),
    LOG_LEVEL: 'silent',
    ...env,
  });
  const prefix = uniquePrefix();
  const worker = await NestFactory.createMicroservice(
    AppModule.forConfig(config, { prefix, patienceMs: PATIENCE_MS }),
    {
      inject: [LOGGER, METRICS, Shutdown],
      useFactory: (logger: PlatformLogger, metrics: Registry, shutdown: Shutdown) => ({
        strategy: new BullMqServer({ config, logger, metrics, shutdown, prefix }),
      }),
    } as object,
  );
  await worker.listen();
  return worker;
}
