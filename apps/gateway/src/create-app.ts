import type { DynamicModule, LoggerService, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { type GatewayConfig, Shutdown } from '@postrider/platform';
import { buildDocument } from './documentation/build-document';
import { Documentation } from './documentation/documentation';
import { queryNamesOf } from './documentation/query-names';
import { FrontPage } from './front-page/front-page';
import { Guide } from './guide/guide';
import { endConnections } from './http/end-connections';
import { EarlyAnswers, limitConnections } from './http/server';
import { fastifyOptions } from './http/fastify-options';
import { type QuerySpellings, querySpellings } from './http/parsing/inspect-url';
import { RequestPipeline } from './http/request-pipeline.service';
import { Panel } from './panel/panel';
import { QueuesBoard } from './queues-board/queues-board';
import { LinkRedirector } from './trackers/redirector/link-redirector';
import { trackerRewrite } from './trackers/tracker-address';

/** Makes the gateway's application, ready for `listen` (or for a test's `inject`). */
export async function createApp(
  module: Type | DynamicModule,
  config: GatewayConfig,
  logger: LoggerService | false = false,
): Promise<NestFastifyApplication> {
  const early = new EarlyAnswers();
  const options = fastifyOptions(config.maxBodyBytes, trackerRewrite(config));
  const adapter = new FastifyAdapter({ ...options, serverFactory: early.createServer, skipMiddie: true });
  const app = await NestFactory.create<NestFastifyApplication>(module, adapter, {
    bodyParser: false,
    logger,
    abortOnError: false,
  });
  const fastify = adapter.getInstance();
  limitConnections(fastify.server, config);
  endConnections(fastify, app.get(Shutdown));
  let spellings: QuerySpellings | undefined;
  app.get(RequestPipeline).install(fastify, () => (spellings ??= querySpellings(queryNamesOf(app))));
  // Routes outside of controllers: each is a Fastify plugin.
  app.get(LinkRedirector).install(fastify, early);
  app.get(QueuesBoard).install(fastify);
  app.get(Panel).install(fastify);
  app.get(FrontPage).install(fastify);
  app.get(Guide).install(fastify);
  app.get(Documentation).install(fastify, () => buildDocument(app));
  return app;
}
