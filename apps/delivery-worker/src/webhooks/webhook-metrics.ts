import { Inject, Injectable } from '@nestjs/common';
import { METRICS } from '@postrider/platform';
import { Counter, Histogram, type Registry } from 'prom-client';
import type { WebhookStep } from './decide-webhook-step';

/** Attempts to send events, by result. Applications are not told apart: there may be thousands. */
@Injectable()
export class WebhookMetrics {
  readonly #attempts: Counter;
  readonly #duration: Histogram;
  readonly #disabled: Counter;

  constructor(@Inject(METRICS) registry: Registry) {
    const registers = [registry];
    this.#attempts = new Counter({
      name: 'postrider_webhook_attempts_total',
      help: 'Attempts to send an event to a webhook: delivered, waiting (tried again later), failed (given up)',
      labelNames: ['type', 'outcome'],
      registers,
    });
    this.#duration = new Histogram({
      name: 'postrider_webhook_duration_seconds',
      help: 'Time from the start of a webhook call to its outcome',
      buckets: [0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    });
    this.#disabled = new Counter({
      name: 'postrider_webhooks_disabled_total',
      help: 'Webhooks switched off because they failed for days, or because the receiver refused further events',
      registers,
    });
  }

  /** Counts an attempt, and its duration. */
  attempted(type: string, outcome: WebhookStep['state'], durationMs: number): void {
    this.#attempts.inc({ type, outcome });
    this.#duration.observe(durationMs / 1_000);
  }

  /** Counts a webhook that was switched off. */
  disabled(): void {
    this.#disabled.inc();
  }
}
