import { type DynamicModule, type INestMicroservice, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { AsyncMicroserviceOptions } from '@nestjs/microservices';
import {
  type Config,
  KeepErrorsFilter,
  type Logger,
  METRICS,
  PlatformModule,
  Secret,
  Shutdown,
} from '@postrider/platform';
import type { Registry } from 'prom-client';
import { QueuesModule, type QueuesModuleOptions } from '../module/queues.module';
import { BullMqServer, type BullMqServerOptions } from '../server/bullmq-server';

/** One line of a process's log. */
export type LogLine = Record<string, unknown> & { level: string; event: string };

/** A worker in this process, like one of `startWorker`, with its log in a list. */
export interface TestWorker {
  app: INestMicroservice;
  lines: LogLine[];
  get<T>(token: symbol | (abstract new (...parameters: never[]) => T)): T;
  stop(): Promise<void>;
}

/** Longer than a loaded machine needs, so that slowness is not taken for an outage. */
const PATIENT_MS = 250_000;

/**
 * Starts one with the given controllers on the Redis at `redisUrl`.
 *
 * @param options of the server, and how long a producer waits for Redis (long by default)
 */
export async function startTestWorker(
  redisUrl: string,
  prefix: string,
  controllers: Type[],
  { patienceMs = PATIENT_MS, ...options }: Partial<BullMqServerOptions> & { patienceMs?: number } = {},
): Promise<TestWorker> {
  const lines: LogLine[] = [];
  const config = testConfig(redisUrl);
  const root = workerModule(config, { prefix, patienceMs }, controllers);
  const app = await NestFactory.createMicroservice<AsyncMicroserviceOptions>(root, {
    logger: false,
    abortOnError: false,
    inject: [METRICS, Shutdown],
    useFactory: (metrics: Registry, shutdown: Shutdown) => ({
      strategy: new BullMqServer({ config, metrics, shutdown, logger: listLogger(lines), prefix, ...options }),
    }),
  });
  app.useGlobalFilters(new KeepErrorsFilter());
  await app.listen().catch(async (error: unknown) => {
    await app.close();
    throw error;
  });
  const get: TestWorker['get'] = (token) => app.get(token as symbol, { strict: false });
  return {
    app,
    lines,
    get,
    stop: async () => {
      get(Shutdown).begin();
      await app.close();
    },
  };
}

/** What the queues and the platform read of a configuration. */
export function testConfig(redisUrl: string): Config {
  return {
    redisUrl: new Secret(redisUrl),
    instanceId: 'test',
    secretKey: new Secret('test'.repeat(8)),
    logLevel: 'silent',
    logFormat: 'json',
  } as Config;
}

@Module({})
class TestModule {}

function workerModule(config: Config, queues: QueuesModuleOptions, controllers: Type[]): DynamicModule {
  return {
    module: TestModule,
    imports: [PlatformModule.forApp('test', config), QueuesModule.forApp(queues)],
    controllers,
  };
}

/** Stores log lines in a list. */
export function listLogger(lines: LogLine[]): Logger {
  const at = (level: string) => (facts: object, event: string) => lines.push({ ...facts, level, event });
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') } as unknown as Logger;
}
