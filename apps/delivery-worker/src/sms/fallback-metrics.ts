import { Inject, Injectable } from '@nestjs/common';
import type { FallbackState } from '@postrider/domain';
import { createFallbackCounter } from '@postrider/persistence';
import { METRICS } from '@postrider/platform';
import { Counter, type Registry } from 'prom-client';

/** Counts what workers do with fallback SMS. */
@Injectable()
export class FallbackMetrics {
  readonly #fallbacks: Counter;
  readonly #resent: Counter;

  constructor(@Inject(METRICS) registry: Registry) {
    this.#fallbacks = createFallbackCounter(registry);
    this.#resent = new Counter({
      name: 'postrider_fallbacks_resent_total',
      help: 'Fallback SMS that are sent again, by cause: never written, absent at the provider, or unknown and resent by choice',
      labelNames: ['why', 'provider'],
      registers: [registry],
    });
  }

  /** Counts SMS that are due again although a worker or an answer was lost. */
  countResent(why: 'unwritten' | 'absent' | 'chosen', provider: string, count = 1): void {
    if (count > 0) this.#resent.inc({ why, provider }, count);
  }

  /** @param provider empty if no provider was involved */
  countState(state: FallbackState, provider: string, count = 1): void {
    if (count > 0) this.#fallbacks.inc({ state, provider }, count);
  }
}
