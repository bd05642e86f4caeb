import fastifyCookie from '@fastify/cookie';
import { Inject, Injectable } from '@nestjs/common';
import { InvalidRequest } from '@postrider/domain';
import { CONFIG, type GatewayConfig } from '@postrider/platform';
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import { Authentication } from '../auth/authentication.service';
import { Authorization } from '../auth/authorization.service';
import type { AuthenticatedRequest } from '../auth/current-caller.decorator';
import type { GatewayRequest } from '../auth/request-facts';
import { accessOf, takesUpload } from '../auth/route-access.decorator';
import { BodyDeadlines } from './body-deadlines';
import { answerPreflight } from './cors';
import { RequestLog } from './observability/request-log.service';
import { RequestSpans } from './observability/request-spans.service';
import { readFormsOfReports } from './parsing/form-content';
import { inspectUrl, type QuerySpellings } from './parsing/inspect-url';
import { readJsonOnly } from './parsing/json-content';
import { refuseUnknown } from './refuse-unknown';
import { RouteTable } from './route-table';

const API = /^\/api(?:[/?]|$)/;

/** Lets a request go on, at once or when its promise is kept; throws what refuses it; or has answered it, and returns so. */
type Stage = (request: FastifyRequest, reply: FastifyReply) => unknown;

/**
 * What every request passes, whatever route it reaches. The stages before the body stand in `install` in their order; Fastify then
 * looks at the body's type, at its size, and parses it. A stage that throws ends the request, and no later one but log, trace and
 * count sees it. What answers an error is `ErrorFilter`.
 */
@Injectable()
export class RequestPipeline {
  constructor(
    private readonly authentication: Authentication,
    private readonly authorization: Authorization,
    private readonly deadlines: BodyDeadlines,
    private readonly log: RequestLog,
    private readonly spans: RequestSpans,
    @Inject(CONFIG) private readonly config: Pick<GatewayConfig, 'bodyTimeoutSeconds' | 'uploadTimeoutSeconds'>,
  ) {}

  /**
   * Installs the stages, before any route is added. Hooks of one kind run in the order in which they are added here.
   *
   * @param spellings how query parameters of the API are spelled; asked for with the first request, when all routes are known
   */
  install(fastify: FastifyInstance, spellings: () => QuerySpellings): void {
    const routes = new RouteTable();
    fastify.addHook('onRoute', (route) => routes.add(route));
    fastify.decorateRequest('facts', null as never);
    // Cookies are parsed where a session counts, and not of every request.
    void fastify.register(fastifyCookie, { hook: false });

    const beforeTheBody: Stage[] = [
      begin,
      (request) => this.spans.begin(request),
      answerPreflight,
      (request, reply) => refuseUnknown(request, reply, routes),
      (request) => this.authentication.authenticate(request),
      (request) => this.authorization.authorize(request as AuthenticatedRequest),
      (request) => checkUrl(request, spellings),
      (request) => this.#setDeadline(request),
    ];
    for (const work of beforeTheBody) fastify.addHook('onRequest', stage(work));

    // `RequestValidation` then reads what was parsed as a class of the contracts, and the controller answers.
    readJsonOnly(fastify);
    readFormsOfReports(fastify);

    fastify.addHook('onResponse', (request, reply, done) => {
      this.log.countAndLog(request, reply);
      this.spans.end(request, reply);
      done();
    });
  }

  #setDeadline(request: FastifyRequest): void {
    if (accessOf(request)?.kind === 'anybody') return;
    const { uploadTimeoutSeconds, bodyTimeoutSeconds } = this.config;
    this.deadlines.set(request.raw, 1_000 * (takesUpload(request) ? uploadTimeoutSeconds : bodyTimeoutSeconds));
  }
}

function stage(work: Stage): onRequestHookHandler {
  return (request, reply, done) => {
    try {
      const result = work(request, reply);
      if (result instanceof Promise) result.then(() => done(), done);
      else if (result !== 'answered') done();
    } catch (error) {
      done(error as Error);
    }
  };
}

function begin(request: FastifyRequest, reply: FastifyReply): void {
  (request as GatewayRequest).facts = { identity: { kind: 'stranger' }, addressedAppId: undefined };
  void reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff');
  if (API.test(request.url)) void reply.header('cache-control', 'no-store');
}

function checkUrl({ url, query, routeOptions }: FastifyRequest, spellings: () => QuerySpellings): void {
  if (!API.test(url)) return;
  const details = inspectUrl({ url, query, route: routeOptions.url ?? '' }, spellings());
  if (details.length > 0) throw new InvalidRequest(details);
}
