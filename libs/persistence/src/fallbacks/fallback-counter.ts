import { Counter, type Registry } from 'prom-client';

/** Counts fallbacks by the state that they reached. Workers and gateways count: a provider's report comes to a gateway. */
export function createFallbackCounter(registry: Registry): Counter<'state' | 'provider'> {
  return new Counter({
    name: 'postrider_fallbacks_total',
    help: 'Fallback SMS that reached a state, by state and provider',
    labelNames: ['state', 'provider'],
    registers: [registry],
  });
}
