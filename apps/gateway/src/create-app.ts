import type { DynamicModule, LoggerService, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { type GatewayConfig, LOGGER, type Logger, METRICS, Traces } from '@postrider/platform';
import { QueueInspector } from '@postrider/queues';
import type { Registry } from 'prom-client';
import { Authorization } from './auth/authorization.service';
import { Credentials } from './auth/credentials.service';
import { takesUpload } from './auth/route-access.decorator';
import { SignInLimit } from './auth/sign-in-limit.service';
import { buildDocument, queryNamesOf } from './documentation/build-document';
import { installDocumentation } from './documentation/install-documentation';
import { ErrorFilter } from './http/errors/error.filter';
import { BodyDeadlines } from './http/body-deadlines';
import { fastifyOptions } from './http/fastify-options';
import { readFormsOfReports } from './http/parsing/form-content';
import { type QuerySpellings, querySpellings } from './http/parsing/inspect-url';
import { readJsonOnly } from './http/parsing/json-content';
import { limitConnections } from './http/limit-connections';
import { installRequestHooks } from './http/request-hooks';
import { RequestValidation } from './http/parsing/request-validation.pipe';
import { HttpMetrics } from './http/observability/http-metrics';
import { installRequestLog } from './http/observability/request-log';
import { installRequestSpans } from './http/observability/request-spans';
import { installPanel } from './panel/install-panel';
import { PanelSessions } from './auth/sessions/panel-sessions';
import { installQueuesBoard } from './queues-board/install-queues-board';
import { answerClicksFirst } from './trackers/redirector/answer-clicks';
import { FollowLink } from './trackers/redirector/follow-link.service';
import { installTrackerRoutes } from './trackers/redirector/install-tracker-routes';
import { trackerRewrite } from './trackers/tracker-address';

/** Makes the gateway's application, ready for `listen` (or for a test's `inject`). */
export async function createApp(
  module: Type | DynamicModule,
  config: GatewayConfig,
  logger: LoggerService | false = false,
): Promise<NestFastifyApplication> {
  const rewrite = trackerRewrite(config);
  const adapter = new FastifyAdapter({ ...fastifyOptions(config.maxBodyBytes, rewrite), skipMiddie: true });
  const app = await NestFactory.create<NestFastifyApplication>(module, adapter, {
    bodyParser: false,
    logger,
    abortOnError: false,
  });
  const fastify = adapter.getInstance();
  const credentials = app.get(Credentials);
  const [sessions, limit] = [app.get(PanelSessions), app.get(SignInLimit)];
  let spellings: QuerySpellings | undefined;
  installRequestHooks(fastify, {
    credentials,
    sessions,
    authorization: app.get(Authorization),
    deadlines: app.get(BodyDeadlines),
    bodyTimeoutMs: (request) =>
      1_000 * (takesUpload(request) ? config.uploadTimeoutSeconds : config.bodyTimeoutSeconds),
    spellings: () => (spellings ??= querySpellings(queryNamesOf(buildDocument(app)))),
  });
  limitConnections(fastify.server, {
    altogether: config.maxHttpConnections,
    perAddress: config.trustedProxies === 0 ? config.maxHttpConnectionsPerAddress : null,
  });
  const [requestLogger, metrics] = [app.get<Logger>(LOGGER), new HttpMetrics(app.get<Registry>(METRICS))];
  installRequestLog(fastify, requestLogger, metrics);
  installRequestSpans(fastify, app.get(Traces));
  readJsonOnly(fastify);
  readFormsOfReports(fastify);
  installQueuesBoard(fastify, {
    inspector: app.get(QueueInspector),
    credentials,
    sessions,
    limit,
  });
  installPanel(fastify, { credentials, sessions, limit, areDocsPublic: config.publicDocs });
  const followLink = app.get(FollowLink, { strict: false });
  installTrackerRoutes(fastify, followLink, requestLogger);
  answerClicksFirst(fastify.server, { followLink, rewrite, logger: requestLogger, count: () => metrics.countClick() });
  installDocumentation(app);
  app.useGlobalPipes(new RequestValidation());
  app.useGlobalFilters(app.get(ErrorFilter));
  return app;
}
