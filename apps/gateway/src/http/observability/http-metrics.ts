import { Inject, Injectable } from '@nestjs/common';
import { METRICS } from '@postrider/platform';
import { Counter, Histogram, type Registry } from 'prom-client';

const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** How long requests take, by route pattern (never by URL: that would be one series a user), method and status. */
@Injectable()
export class HttpMetrics {
  readonly #duration: Histogram<'route' | 'method' | 'status'>;
  readonly #clicks: Counter;

  constructor(@Inject(METRICS) registry: Registry) {
    this.#clicks = new Counter({
      name: 'postrider_clicks_answered_total',
      help: 'Clicks on links that were answered from memory, which is too quick to be timed',
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

  record(route: string, method: string, status: number, seconds: number): void {
    this.#duration.observe({ route, method, status: String(status) }, seconds);
  }

  /** Counts a click that was answered before it became a request with a route. */
  countClick(): void {
    this.#clicks.inc();
  }
}
