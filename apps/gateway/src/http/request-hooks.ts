import { DomainError, InvalidRequest } from '@postrider/domain';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Authorization } from '../auth/authorization.service';
import type { Credentials } from '../auth/credentials.service';
import type { AuthenticatedRequest } from '../auth/current-caller.decorator';
import { identify, type Identified } from '../auth/identify';
import { changesOnGet } from '../auth/route-access.decorator';
import { acceptsJson } from './accepts-json';
import type { BodyDeadlines } from './body-deadlines';
import { allowAnyOrigin, isForBrowsers } from './cors';
import { inspectUrl, type QuerySpellings } from './parsing/inspect-url';
import type { PanelSessions } from '../auth/sessions/panel-sessions';
import { isTrackerUrl } from '../trackers/tracker-address';
import type { GatewayRequest } from '../auth/request-facts';
import { RouteTable } from './route-table';

type Done = (error?: Error) => void;

/** An export answers in its own format, and statistics in that which the caller takes. */
const EXPORT = /\/(?:export|stats)\/?(?:\?|$)/;
const API = /^\/api(?:[/?]|$)/;

/** What the pipeline of requests needs. */
export interface PipelineOptions {
  credentials: Credentials;
  sessions: PanelSessions;
  authorization: Authorization;
  deadlines: BodyDeadlines;
  /** How long a body may take to arrive, by its route. Milliseconds. */
  bodyTimeoutMs: (request: FastifyRequest) => number;
  /** How query parameters of the API are spelled. */
  spellings: () => QuerySpellings;
}

/**
 * What happens to every request before its body is read, in this order: it gets its facts and headers, unknown paths and methods
 * are refused, its sender is identified and authorized (401, then 403), its URL is looked through (400), and its body gets a
 * deadline.
 */
export function installRequestHooks(fastify: FastifyInstance, options: PipelineOptions): void {
  const routes = new RouteTable();
  fastify.addHook('onRoute', (route) => routes.add(route));
  fastify.decorateRequest('facts', null as never);
  fastify.addHook('onRequest', (request, reply, done: Done) => {
    begin(request, reply);
    if (isForBrowsers(request.url) && allowAnyOrigin(request, reply)) return;
    const refusal = refusalOf(request, routes, reply);
    if (refusal) done(refusal);
    else if (isTrackerUrl(request.url)) done();
    else admit(request as AuthenticatedRequest & GatewayRequest, options, done);
  });
}

function begin(request: FastifyRequest, reply: FastifyReply): void {
  (request as GatewayRequest).facts = { identity: { kind: 'stranger' }, addressedAppId: undefined };
  void reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff');
  if (API.test(request.url)) void reply.header('cache-control', 'no-store');
}

function refusalOf(request: FastifyRequest, routes: RouteTable, reply: FastifyReply): Error | undefined {
  if (request.is404) {
    const allowed = routes.methodsOf(request.url.split('?')[0] ?? '');
    if (allowed.length === 0) return new DomainError('NOT_FOUND', 'There is no such path');
    void reply.header('allow', allowed.join(', '));
    return new DomainError('METHOD_NOT_ALLOWED', `The methods of this path are ${allowed.join(', ')}`);
  }
  if (request.method === 'HEAD' && changesOnGet(request)) {
    void reply.header('allow', 'GET');
    return new DomainError(
      'METHOD_NOT_ALLOWED',
      'HEAD is not allowed here, because GET changes data; the method of this path is GET',
    );
  }
  if (API.test(request.url) && !EXPORT.test(request.url) && !acceptsJson(request.headers.accept)) {
    return new DomainError('NOT_ACCEPTABLE', 'The answer is application/json, which the Accept header excludes');
  }
  return undefined;
}

function admit(request: AuthenticatedRequest & GatewayRequest, options: PipelineOptions, done: Done): void {
  const begin = (): void => {
    checkUrl(request, options);
    options.deadlines.set(request.raw, options.bodyTimeoutMs(request));
  };
  const proceed = ({ identity, addressedAppId }: Identified): void | Promise<void> => {
    request.facts.identity = identity;
    request.facts.addressedAppId = addressedAppId;
    if (addressedAppId === null) {
      throw new InvalidRequest([{ path: 'app_id', message: 'is badly encoded in the path' }]);
    }
    const authorized = options.authorization.authorize(request);
    if (authorized instanceof Promise) return authorized.then(begin);
    begin();
    return undefined;
  };
  try {
    const identified = identify(request, options.credentials, options.sessions);
    const admitted = identified instanceof Promise ? identified.then(proceed) : proceed(identified);
    if (admitted instanceof Promise) admitted.then(() => done(), done);
    else done();
  } catch (error) {
    done(error as Error);
  }
}

function checkUrl(request: GatewayRequest, { spellings }: PipelineOptions): void {
  if (!API.test(request.url)) return;
  const { url, query, routeOptions } = request;
  const details = inspectUrl({ url, query, route: routeOptions.url ?? '' }, spellings());
  if (details.length > 0) throw new InvalidRequest(details);
}
