import type { WebhookEventType } from '@postrider/domain';

/** A webhook. `secret` is there in the answer that made it, and never again. */
export interface WebhookResponse {
  id: string;
  url: string;
  events: WebhookEventType[];
  isEnabled: boolean;
  /** Why it was switched off when nobody asked for that. */
  disabledReason: string | null;
  /** How many attempts failed since the last that did not. */
  failures: number;
  failingSince: string | null;
  /** Nothing is sent before. */
  heldUntil: string | null;
  lastError: string | null;
  lastErrorAt: string | null;
  lastSuccessAt: string | null;
  createdAt: string;
  updatedAt: string;
  secret?: string;
}

/** What `POST /api/webhooks/:id/rotate-secret` answers: both secrets sign until then. */
export interface WebhookSecretResponse {
  id: string;
  secret: string;
  formerValidUntil: string;
}

/** One attempt at an event. */
export interface WebhookAttemptResponse {
  at: string;
  statusCode: number | null;
  durationMs: number;
  error: string | null;
}

/** One event in a webhook's log; the plain fields are those of its newest attempt. */
export interface WebhookDeliveryResponse {
  eventId: string;
  type: string;
  state: 'waiting' | 'sending' | 'delivered' | 'failed';
  attempt: number;
  statusCode: number | null;
  durationMs: number | null;
  error: string | null;
  nextTryAt: string | null;
  createdAt: string;
  endedAt: string | null;
  attempts: WebhookAttemptResponse[];
}
