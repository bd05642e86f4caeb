import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, type Logger, METRICS } from '@postrider/platform';
import { Counter, Histogram, type Registry } from 'prom-client';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { factsOf } from '../../auth/caller';
import { logChange } from './change-log';

const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The duration of requests by route pattern (never by URL: that would be one series per user), method and status. */
@Injectable()
export class HttpMetrics {
  readonly #duration: Histogram<'route' | 'method' | 'status'>;
  readonly #clicks: Counter;

  constructor(@Inject(METRICS) registry: Registry) {
    this.#clicks = new Counter({
      name: 'postrider_clicks_answered_total',
      help: 'Clicks on links that were answered from memory, which is too fast to measure',
      registers: [registry],
    });
    this.#duration = new Histogram({
      name: 'postrider_http_request_duration_seconds',
      help: 'Time from a request to the end of its answer, by route pattern, method and status',
      labelNames: ['route', 'method', 'status'],
      buckets: BUCKETS,
      registers: [registry],
    });
  }

  /** Counts an answered request and its duration in seconds. @param route the pattern, `unknown` without a route */
  record(route: string, method: string, status: number, seconds: number): void {
    this.#duration.observe({ route, method, status: String(status) }, seconds);
  }

  /** Counts a click that was answered before routing. */
  countClick(): void {
    this.#clicks.inc();
  }
}

/** Frequent requests of probes, scrapers and people who follow links are counted, but not logged. */
const QUIET = /^\/(?:health\/|metrics|t\/)/;

/** True if requests to a route are counted only. */
export function isQuiet(route: string): boolean {
  return QUIET.test(route);
}

/**
 * Writes one line for each request, `request.answered`, and counts it. For a change it also writes `change.made`. The
 * route's pattern stands for the URL, so neither tokens nor users get into logs or metrics.
 */
@Injectable()
export class RequestLog {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly metrics: HttpMetrics,
  ) {}

  /**
   * Counts an answered request, and logs it unless its route is quiet (`isQuiet`). Call it once, when the answer is
   * sent.
   */
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
    logChange(this.logger, route, request, reply);
  }
}
