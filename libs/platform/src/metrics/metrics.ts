import { collectDefaultMetrics, Registry } from 'prom-client';
import { LIBRARY_INTERVAL_MS, measureEventLoopLag } from './event-loop-lag';

/** Nest injection token of the process's metrics `Registry`. */
export const METRICS = Symbol('Metrics');

/** Makes the process's metrics registry, with Node's own gauges (memory, event loop, GC) in it. */
export function createMetrics(app: string): Registry {
  const registry = new Registry();
  registry.setDefaultLabels({ app });
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LIBRARY_INTERVAL_MS });
  measureEventLoopLag(registry);
  return registry;
}
