import { collectDefaultMetrics, Registry } from 'prom-client';

/** Nest injection token of the process's metrics `Registry`. */
export const METRICS = Symbol('Metrics');

/** Makes the process's metrics registry, with Node's own gauges (memory, event loop, GC) in it. */
export function createMetrics(app: string): Registry {
  const registry = new Registry();
  registry.setDefaultLabels({ app });
  collectDefaultMetrics({ register: registry });
  return registry;
}
