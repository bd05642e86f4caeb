import { firstSpan, firstSpanOf, readTraceparent, type Traces } from '@postrider/platform';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { factsOf } from '../../auth/request-facts';
import { isQuiet } from './request-log';

const SERVER_ERROR = 500;

/**
 * Tells traces of every request that is logged. It begins a trace of its own, with links to the caller's span
 * (`traceparent`, W3C Trace Context §3.2) and to the messages that it accepted: callers are many and not ours, so none of
 * them decides what is kept here. Installs nothing while nobody collects.
 */
export function installRequestSpans(fastify: FastifyInstance, traces: Traces): void {
  if (!traces.isOn) return;
  fastify.addHook('onRequest', (request, _reply, done) => {
    factsOf(request).span = firstSpan();
    done();
  });
  fastify.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown';
    if (!isQuiet(route)) record(traces, route, request, reply);
    done();
  });
}

function record(traces: Traces, route: string, request: FastifyRequest, reply: FastifyReply): void {
  const { span, appId, messageIds = [], errorCode } = factsOf(request);
  const caller = readTraceparent(request.headers.traceparent?.toString());
  const status = reply.statusCode;
  traces.record({
    name: `${request.method} ${route}`,
    kind: 'server',
    // One that was refused before its facts were complete has no place yet.
    place: { first: span ?? firstSpan() },
    links: [...(caller === null ? [] : [caller]), ...messageIds.map(firstSpanOf)],
    startedAt: performance.now() - reply.elapsedTime,
    facts: {
      'http.request.method': request.method,
      'http.route': route,
      'http.response.status_code': status,
      application: appId,
      request: request.id,
      error: errorCode,
    },
    failure: status >= SERVER_ERROR ? (errorCode ?? String(status)) : undefined,
  });
}
