import fastifyCookie from '@fastify/cookie';
import { Injectable } from '@nestjs/common';
import { InvalidRequest } from '@postrider/domain';
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import { Authentication } from '../auth/authentication.service';
import { Authorization } from '../auth/authorization.service';
import { type AuthenticatedRequest, factsOf, type GatewayRequest } from '../auth/caller';
import { takesJsonFile } from '../auth/endpoint-access.decorator';
import { RequestLimit } from '../auth/request-limit.service';
import { BodyDeadlines } from './body-deadlines';
import { answerPreflight } from './cors';
import { endUnread } from './end-unread';
import { RequestLog } from './observability/request-log.service';
import { RequestSpans } from './observability/request-spans.service';
import { readForms, readJsonOnly, refuseForms } from './parsing/content-types';
import { inspectUrl, type QuerySpellings } from './parsing/inspect-url';
import { API, refuseUnknown, EndpointTable } from './refuse-unknown';
import { JSON_FILE } from './uploads';

/**
 * A stage returns nothing, or a promise of nothing, to let the request go on. It throws to refuse the request, and
 * returns 'answered' if it has answered it.
 */
type Stage = (request: FastifyRequest, reply: FastifyReply) => unknown;

/**
 * All stages of a request to a route (clicks on links are answered earlier, see `trackers/redirector`). `install` adds
 * the stages before the body, in order. Then Fastify checks the body's type and size, and parses it. An error ends the
 * request: no later stage runs, except log, trace and count. `ErrorFilter` answers errors.
 */
@Injectable()
export class RequestPipeline {
  constructor(
    private readonly authentication: Authentication,
    private readonly authorization: Authorization,
    private readonly requestLimit: RequestLimit,
    private readonly deadlines: BodyDeadlines,
    private readonly log: RequestLog,
    private readonly spans: RequestSpans,
  ) {}

  /**
   * Installs the stages, before any route is added. Hooks of one kind run in the order in which they are added here.
   *
   * @param spellings the spellings of the API's query parameters; called with the first request, when all routes are
   * known
   */
  install(fastify: FastifyInstance, spellings: () => QuerySpellings): void {
    const routes = new EndpointTable();
    fastify.addHook('onRoute', (route) => {
      routes.add(route);
      endUnread(route);
    });
    fastify.decorateRequest('facts', null as never);
    // Cookies are parsed only where a session may be used.
    void fastify.register(fastifyCookie, { hook: false });

    const beforeTheBody: Stage[] = [
      begin,
      (request) => this.spans.begin(request),
      answerPreflight,
      (request, reply) => refuseUnknown(request, reply, routes),
      (request) => this.authentication.authenticate(request),
      (request) => this.authorization.authorize(request as AuthenticatedRequest),
      (request) => this.requestLimit.check(request),
      noteApplication,
      (request) => checkUrl(request, spellings),
      (request) => this.deadlines.begin(request),
      renameJsonFile,
      refuseForms,
    ];
    fastify.addHook('onRequest', inOrder(beforeTheBody));

    // `RequestValidation` then reads the parsed body as a class of the contracts, and the controller answers.
    readJsonOnly(fastify);
    readForms(fastify);

    fastify.addHook('onResponse', (request, reply, done) => {
      this.log.countAndLog(request, reply);
      this.spans.end(request, reply);
      done();
    });
  }
}

/** One hook for all stages: Fastify's step to the next hook takes as long as most stages take. */
function inOrder(stages: readonly Stage[]): onRequestHookHandler {
  const runFrom = (place: number, ...[request, reply, done]: HookArguments): void => {
    try {
      for (let at = place; at < stages.length; at++) {
        const result = (stages[at] as Stage)(request, reply);
        if (result === 'answered') return;
        if (result instanceof Promise) return void result.then(() => runFrom(at + 1, request, reply, done), done);
      }
    } catch (error) {
      done(error as Error);
      return;
    }
    done();
  };
  return (request, reply, done) => runFrom(0, request, reply, done);
}

type HookArguments = Parameters<onRequestHookHandler>;

function begin(request: FastifyRequest, reply: FastifyReply): void {
  (request as GatewayRequest).facts = { identity: { kind: 'stranger' }, addressedAppId: undefined };
  void reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff');
  if (API.test(request.url)) void reply.header('cache-control', 'no-store');
}

/**
 * From here on the request belongs to the application of its caller. Requests that were refused before are logged
 * without an application.
 */
function noteApplication(request: FastifyRequest): void {
  const { caller } = request as Partial<AuthenticatedRequest>;
  if (caller !== undefined) factsOf(request).appId = caller.appId;
}

/**
 * Fastify chooses the body parser by media type alone and would parse a JSON file in memory; another type name makes it
 * stream.
 */
function renameJsonFile(request: FastifyRequest): void {
  const { headers } = request.raw;
  if (takesJsonFile(request) && /^\s*application\/json\s*(?:;|$)/i.test(headers['content-type'] ?? '')) {
    headers['content-type'] = (headers['content-type'] ?? '').replace(/application\/json/i, JSON_FILE);
  }
}

function checkUrl({ url, query, routeOptions }: FastifyRequest, spellings: () => QuerySpellings): void {
  if (!API.test(url)) return;
  const details = inspectUrl({ url, query, route: routeOptions.url ?? '' }, spellings);
  if (details.length > 0) throw new InvalidRequest(details);
}
