import { type DynamicModule, type INestApplicationContext, type INestMicroservice, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { AsyncMicroserviceOptions } from '@nestjs/microservices';
import type { Database } from '@postrider/persistence';
import { type Config, KeepErrorsFilter, loadConfig, LOGGER, type Logger, METRICS, Shutdown } from '@postrider/platform';
import { BullMqServer, QueuesModule } from '@postrider/queues';
import { pino } from 'pino';
import type { Registry } from 'prom-client';
import { AudienceModule } from '../audience.module';
import { TestPlatform } from '@postrider/testing';

/** An audience worker in this process. */
export interface TestAudienceWorker {
  get<T>(token: symbol | (abstract new (...parameters: never[]) => T)): T;
  /** The log lines so far. */
  lines: Record<string, unknown>[];
  stop(): Promise<void>;
}

/** Starts one as `main.ts` does, on a test's database and queues. It works on jobs only if `worksOnJobs`. */
export async function startAudienceWorker(
  database: Database,
  queues: { redisUrl: string; prefix: string },
  { worksOnJobs = true, ...settings }: { worksOnJobs?: boolean } & Record<string, string | boolean> = {},
): Promise<TestAudienceWorker> {
  const lines: Record<string, unknown>[] = [];
  const config = testConfig(queues.redisUrl, settings as Record<string, string>);
  const module = testModule(database, config, queues.prefix, lines);
  const app = worksOnJobs ? await startMicroservice(module, config, queues.prefix) : await startContext(module);
  const get: TestAudienceWorker['get'] = (token) => app.get(token as symbol, { strict: false });
  const stop = async (): Promise<void> => {
    get(Shutdown).begin();
    await app.close();
  };
  return { get, lines, stop };
}

async function startContext(module: DynamicModule): Promise<INestApplicationContext> {
  return NestFactory.createApplicationContext(module, { logger: false, abortOnError: false });
}

async function startMicroservice(module: DynamicModule, config: Config, prefix: string): Promise<INestMicroservice> {
  const app = await NestFactory.createMicroservice<AsyncMicroserviceOptions>(module, {
    logger: false,
    abortOnError: false,
    inject: [LOGGER, METRICS, Shutdown],
    useFactory: (logger: Logger, metrics: Registry, shutdown: Shutdown) => ({
      strategy: new BullMqServer({ config, logger, metrics, shutdown, owns: ['audience', 'validation'], prefix }),
    }),
  });
  app.useGlobalFilters(new KeepErrorsFilter());
  await app.listen();
  return app;
}

function testConfig(redisUrl: string, settings: Record<string, string>): Config {
  return loadConfig({
    DATABASE_URL: 'postgres://unused/test',
    REDIS_URL: redisUrl,
    SECRET_KEY: 's'.repeat(32),
    LOG_LEVEL: 'silent',
    SWEEP_INTERVAL_MS: '60000',
    ...settings,
  });
}

function testModule(database: Database, config: Config, prefix: string, lines: object[]): DynamicModule {
  const logger = pino(
    { messageKey: 'event' },
    { write: (line: string) => void lines.push(JSON.parse(line) as object) },
  );
  return {
    module: TestModule,
    imports: [
      TestPlatform.with({ service: 'audience-worker', database, config, logger }),
      QueuesModule.forApp({ prefix }),
      AudienceModule,
    ],
  };
}

/** The modules of the worker in a test. */
@Module({})
class TestModule {}
