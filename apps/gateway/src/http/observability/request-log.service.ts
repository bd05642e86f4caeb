import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, type Logger } from '@postrider/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { factsOf } from '../../auth/request-facts';
import { HttpMetrics } from './http-metrics';

/** What probes, scrapers and people who follow links ask for all day is counted, not logged. */
const QUIET = /^\/(?:health\/|metrics|t\/)/;

/** Whether requests to a route are counted only. */
export function isQuiet(route: string): boolean {
  return QUIET.test(route);
}

/**
 * Writes one line for each request, `request.answered`, and counts it. The route's pattern stands for the URL, so neither
 * tokens nor users get into logs or metrics.
 */
@Injectable()
export class RequestLog {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly metrics: HttpMetrics,
  ) {}

  countAndLog(request: FastifyRequest, reply: FastifyReply): void {
    const route = request.routeOptions.url ?? 'unknown';
    const durationMs = reply.elapsedTime;
    const status = reply.statusCode;
    this.metrics.record(route, request.method, status, durationMs / 1_000);
    if (isQuiet(route)) return;
    const { appId, messageIds, errorCode } = factsOf(request);
    this.logger.info(
      {
        requestId: request.id,
        method: request.method,
        route,
        status,
        durationMs: Math.round(durationMs * 100) / 100,
        appId,
        ...(errorCode === undefined ? {} : { errorCode }),
        ...(messageIds === undefined ? {} : { messageIds }),
      },
      'request.answered',
    );
  }
}
