import { Registry } from 'prom-client';
import { createLogger } from '../logging/logger';
import { firstSpan } from './span-place';
import { openTraces } from './open-traces';

jest.mock('./otlp-sink', () => {
  throw new Error('OpenTelemetry is loaded');
});

describe('traces that nobody collects', () => {
  const logger = createLogger('test', { logLevel: 'silent', logFormat: 'json' });
  const open = (otlpEndpoint: string | undefined): ReturnType<typeof openTraces> =>
    openTraces('test', { otlpEndpoint, traceShare: 1, instanceId: 'one', proxy: undefined }, logger, new Registry());

  it('cost nothing: OpenTelemetry is not even loaded', async () => {
    const traces = open(undefined);
    expect(traces.isOn).toBe(false);
    traces.record({ name: 'nothing', place: { first: firstSpan() }, startedAt: 0, facts: {} });
    await traces.onApplicationShutdown();
    expect(() => open('http://127.0.0.1:4318')).toThrow('OpenTelemetry is loaded');
  });
});
