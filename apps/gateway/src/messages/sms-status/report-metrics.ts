import { Counter, type Registry } from 'prom-client';

/** Fallbacks that providers' reports moved on. Workers count under the same name. */
export class ReportMetrics {
  readonly #fallbacks: Counter;

  constructor(registry: Registry) {
    this.#fallbacks = new Counter({
      name: 'postrider_fallbacks_total',
      help: 'Fallback SMS that came into a state, by state and provider',
      labelNames: ['state', 'provider'],
      registers: [registry],
    });
  }

  reported(state: string, provider: string): void {
    this.#fallbacks.inc({ state, provider });
  }
}
