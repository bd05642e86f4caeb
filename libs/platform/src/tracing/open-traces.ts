import { type Registry, Counter } from 'prom-client';
import type { Config } from '../config/config';
import type { Logger } from '../logging/logger';
import { Traces } from './traces';
import { describeFailure } from '../health/describe-failure';
import type { SpanCounts } from './watched-exporter';

/**
 * Reports the fate of spans to the operator: two counters, one warning when a collector begins to fail and one line
 * when it accepts them again, however long it is away.
 */
class SpanReport implements SpanCounts {
  readonly #spans: Counter<'outcome'>;
  #lost = 0;
  #isFailing = false;

  constructor(
    private readonly logger: Logger,
    registry: Registry,
  ) {
    this.#spans = new Counter({
      name: 'postrider_spans_total',
      help: 'Spans of traces that the collector took (delivered), or that are lost because it did not or too many waited',
      labelNames: ['outcome'],
      registers: [registry],
    });
    for (const outcome of ['delivered', 'lost']) this.#spans.inc({ outcome }, 0);
  }

  delivered(spans: number): void {
    this.#spans.inc({ outcome: 'delivered' }, spans);
    if (this.#isFailing) this.logger.info({ lost: this.#lost }, 'traces.delivered-again');
    this.#isFailing = false;
    this.#lost = 0;
  }

  lost(spans: number, error?: Error): void {
    this.#spans.inc({ outcome: 'lost' }, spans);
    this.#lost += spans;
    if (this.#isFailing) return;
    this.#isFailing = true;
    const reason = error === undefined ? 'more spans than are held' : describeFailure(error);
    this.logger.warn({ reason }, 'traces.not-delivered');
  }
}

/**
 * Opens a process's traces. Without `OTEL_EXPORTER_OTLP_ENDPOINT` nothing of OpenTelemetry is even loaded.
 *
 * @param app the process's name
 */
export function openTraces(
  app: string,
  config: Pick<Config, 'otlpEndpoint' | 'traceShare' | 'instanceId' | 'proxy'>,
  logger: Logger,
  metrics: Registry,
): Traces {
  const { otlpEndpoint: endpoint, traceShare: share, instanceId, proxy } = config;
  if (endpoint === undefined) return new Traces();
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import would load OpenTelemetry for everybody
  const { OtlpSink } = require('./otlp-sink') as typeof import('./otlp-sink');
  return new Traces(new OtlpSink({ app, instanceId, endpoint, share, proxy, counts: new SpanReport(logger, metrics) }));
}
