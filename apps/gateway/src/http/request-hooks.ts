import { DomainError, InvalidRequest } from '@postrider/domain';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Credentials } from '../auth/credentials.service';
import { identify, type Identified } from '../auth/identify';
import { acceptsJson } from './accepts-json';
import { allowAnyOrigin, isForBrowsers } from './cors';
import type { PanelSessions } from '../panel/panel-sessions';
import { isTrackerUrl } from '../trackers/tracker-address';
import type { GatewayRequest } from './request-facts';
import { RouteTable } from './route-table';

type Done = (error?: Error) => void;

/** An export answers in its own format, and statistics in that which the caller takes. */
const EXPORT = /\/(?:export|stats)\/?(?:\?|$)/;
const API = /^\/api(?:[/?]|$)/;

/**
 * What happens to every request before it reaches its route: it gets its facts and headers, unknown paths and methods are
 * refused, and its sender is identified.
 */
export function installRequestHooks(fastify: FastifyInstance, credentials: Credentials, sessions: PanelSessions): void {
  const routes = new RouteTable();
  fastify.addHook('onRoute', (route) => routes.add(route));
  fastify.decorateRequest('facts', null as never);
  fastify.addHook('onRequest', (request, reply, done: Done) => {
    begin(request, reply);
    if (isForBrowsers(request.url) && allowAnyOrigin(request, reply)) return;
    const refusal = refusalOf(request, routes, reply);
    if (refusal) done(refusal);
    else if (isTrackerUrl(request.url)) done();
    else admit(request as GatewayRequest, credentials, sessions, done);
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
    return new DomainError('METHOD_NOT_ALLOWED', `This path knows ${allowed.join(', ')}`);
  }
  if (API.test(request.url) && !EXPORT.test(request.url) && !acceptsJson(request.headers.accept)) {
    return new DomainError('NOT_ACCEPTABLE', 'The answer is application/json, which the Accept header excludes');
  }
  return undefined;
}

function admit(request: GatewayRequest, credentials: Credentials, sessions: PanelSessions, done: Done): void {
  const note = ({ identity, addressedAppId }: Identified): void => {
    request.facts.identity = identity;
    request.facts.addressedAppId = addressedAppId;
    if (addressedAppId === null) {
      done(new InvalidRequest([{ path: 'app_id', message: 'is badly encoded in the path' }]));
    } else done();
  };
  const identified = identify(request, credentials, sessions);
  if (identified instanceof Promise) identified.then(note, done);
  else note(identified);
}
