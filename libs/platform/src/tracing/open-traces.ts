import type { Registry } from 'prom-client';
import type { Config } from '../config/config';
import type { Logger } from '../logging/logger';
import { SpanReport } from './span-report';
import { Traces } from './traces';

/**
 * Opens a process's traces. Without `OTEL_EXPORTER_OTLP_ENDPOINT` nothing of OpenTelemetry is even loaded.
 *
 * @param app the process's name
 */
export function openTraces(
  app: string,
  config: Pick<Config, 'otlpEndpoint' | 'traceShare' | 'instanceId'>,
  logger: Logger,
  metrics: Registry,
): Traces {
  const { otlpEndpoint: endpoint, traceShare: share, instanceId } = config;
  if (endpoint === undefined) return new Traces();
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import would load OpenTelemetry for everybody
  const { OtlpSink } = require('./otlp-sink') as typeof import('./otlp-sink');
  return new Traces(new OtlpSink({ app, instanceId, endpoint, share, counts: new SpanReport(logger, metrics) }));
}
