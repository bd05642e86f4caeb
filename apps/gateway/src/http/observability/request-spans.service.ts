import { Injectable } from '@nestjs/common';
import { firstSpan, firstSpanOf, readTraceparent, Traces } from '@postrider/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { factsOf } from '../../auth/caller';
import { isQuiet } from './request-log.service';

const SERVER_ERROR = 500;

/**
 * Sends a span for every logged request. It begins a trace of its own, with links to the caller's span (`traceparent`,
 * W3C Trace Context §3.2) and to the messages that it accepted: callers are foreign, so none of them decides what is
 * sampled here. Does nothing if no traces are collected.
 */
@Injectable()
export class RequestSpans {
  constructor(private readonly traces: Traces) {}

  /** Gives a request its span. */
  begin(request: FastifyRequest): void {
    if (this.traces.isOn) factsOf(request).span = firstSpan();
  }

  /** Records the span of a request that was answered, unless its route is not traced. */
  end(request: FastifyRequest, reply: FastifyReply): void {
    const route = request.routeOptions.url ?? 'unknown';
    if (this.traces.isOn && !isQuiet(route)) this.#record(route, request, reply);
  }

  #record(route: string, request: FastifyRequest, reply: FastifyReply): void {
    const { span, appId, messageIds = [], errorCode } = factsOf(request);
    const caller = readTraceparent(request.headers.traceparent?.toString());
    const status = reply.statusCode;
    this.traces.record({
      name: `${request.method} ${route}`,
      kind: 'server',
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
}
