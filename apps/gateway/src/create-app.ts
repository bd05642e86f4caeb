import type { DynamicModule, LoggerService, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Clock } from '@postrider/domain';
import { CLOCK, CONFIG, type Config, LOGGER, type Logger, METRICS } from '@postrider/platform';
import { QueueInspector } from '@postrider/queues';
import type { Registry } from 'prom-client';
import { Credentials } from './auth/credentials.service';
import { installDocumentation } from './documentation/install-documentation';
import { ErrorFilter } from './errors/error.filter';
import { fastifyOptions } from './http/fastify-options';
import { readFormsOfReports } from './http/form-content';
import { readJsonOnly } from './http/json-content';
import { installRequestHooks } from './http/request-hooks';
import { HttpMetrics } from './observability/http-metrics';
import { installRequestLog } from './observability/request-log';
import { installQueuesBoard } from './queues-board/install-queues-board';
import { OperatorSession } from './queues-board/operator-session';

/** Makes the gateway's application, ready for `listen` (or for a test's `inject`). */
export async function createApp(
  module: Type | DynamicModule,
  config: Pick<Config, 'maxBodyBytes'>,
  logger: LoggerService | false = false,
): Promise<NestFastifyApplication> {
  const adapter = new FastifyAdapter({ ...fastifyOptions(config.maxBodyBytes), skipMiddie: true });
  // eslint-disable-next-line @typescript-eslint/no-unsafe-class-instance-assignment -- Nest takes plain options everywhere
  const app = await NestFactory.create<NestFastifyApplication>(module, adapter, {
    bodyParser: false,
    logger,
    abortOnError: false,
  });
  const fastify = adapter.getInstance();
  installRequestHooks(fastify, app.get(Credentials));
  installRequestLog(fastify, app.get<Logger>(LOGGER), new HttpMetrics(app.get<Registry>(METRICS)));
  readJsonOnly(fastify);
  readFormsOfReports(fastify);
  installQueuesBoard(fastify, {
    inspector: app.get(QueueInspector),
    credentials: app.get(Credentials),
    session: new OperatorSession(app.get<Config>(CONFIG).adminToken),
    clock: app.get<Clock>(CLOCK),
  });
  installDocumentation(app);
  app.useGlobalFilters(app.get(ErrorFilter));
  return app;
}
