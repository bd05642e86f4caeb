import { Inject, Injectable } from '@nestjs/common';
import type { ClaimedWebhookEvent, WebhookKey } from '@postrider/persistence';
import { firstSpanOf, type Logger, LOGGER, Traces } from '@postrider/platform';
import type { WebhookStep } from './decide-webhook-step';
import { WebhookMetrics } from './webhook-metrics';

/**
 * Reports every attempt to send an event to the operator: one line (a warning if it failed), the counters, and a span
 * in the trace of the event's message, or of the event itself.
 */
@Injectable()
export class WebhookReport {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly metrics: WebhookMetrics,
    private readonly traces: Traces,
  ) {}

  /**
   * Reports that the receiver has answered, or not.
   * @param startedAt from `performance.now()`
   */
  attempted(webhook: WebhookKey, event: ClaimedWebhookEvent, step: WebhookStep, startedAt: number): void {
    const { appId, webhookId } = webhook;
    const { eventId, type, tries } = event;
    const { state, statusCode, error } = step;
    const durationMs = Math.round(performance.now() - startedAt);
    this.metrics.attempted(type, state, durationMs);
    this.logger[state === 'delivered' ? 'info' : 'warn'](
      { appId, webhookId, eventId, type, tries, state, statusCode, error, durationMs },
      'webhook.attempted',
    );
    if (this.traces.isOn) this.#trace(webhook, event, step, startedAt);
  }

  /** Reports that the webhook was switched off. */
  disabled({ appId, webhookId }: WebhookKey, { error }: WebhookStep): void {
    this.metrics.disabled();
    this.logger.error({ appId, webhookId, error }, 'webhook.disabled');
  }

  #trace(
    { appId, webhookId }: WebhookKey,
    { eventId, type, tries, data }: ClaimedWebhookEvent,
    { state, statusCode, error }: WebhookStep,
    startedAt: number,
  ): void {
    const message = typeof data.messageId === 'string' ? data.messageId : undefined;
    this.traces.record({
      name: 'send webhook event',
      kind: 'client',
      place: message === undefined ? { about: eventId } : { within: firstSpanOf(message) },
      startedAt,
      facts: {
        'http.response.status_code': statusCode,
        application: appId,
        message,
        webhook: webhookId,
        event: eventId,
        type,
        tries,
        state,
      },
      failure: state === 'delivered' ? undefined : (error ?? state),
    });
  }
}
