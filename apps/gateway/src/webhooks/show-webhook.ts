import type { WebhookDeliveryResponse, WebhookResponse } from '@postrider/contracts';
import type { Webhook, WebhookEventRecord } from '@postrider/persistence';

/** A webhook as an answer, without its secret. */
export function showWebhook(webhook: Webhook): WebhookResponse {
  const { webhookId, url, events, isEnabled, disabledReason, failures, lastError } = webhook;
  return {
    id: webhookId,
    url,
    events,
    isEnabled,
    disabledReason,
    failures,
    failingSince: timeOf(webhook.failingSince),
    heldUntil: timeOf(webhook.heldUntil),
    lastError,
    lastErrorAt: timeOf(webhook.lastErrorAt),
    lastSuccessAt: timeOf(webhook.lastSuccessAt),
    createdAt: webhook.createdAt.toISOString(),
    updatedAt: webhook.updatedAt.toISOString(),
  };
}

/** One event of the log as an answer. */
export function showWebhookDelivery(event: WebhookEventRecord): WebhookDeliveryResponse {
  const { eventId, type, state, tries, attempts } = event;
  const last = attempts.at(-1);
  return {
    eventId,
    type,
    state,
    attempt: tries,
    statusCode: last?.statusCode ?? null,
    durationMs: last?.durationMs ?? null,
    error: last?.error ?? null,
    nextTryAt: state === 'waiting' ? timeOf(event.nextTryAt) : null,
    createdAt: event.createdAt.toISOString(),
    endedAt: timeOf(event.endedAt),
    attempts,
  };
}

function timeOf(time: Date | null): string | null {
  return time?.toISOString() ?? null;
}
