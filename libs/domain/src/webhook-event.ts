/** The events that a webhook can report. */
export const WEBHOOK_EVENT_TYPES = [
  'message.done',
  'delivery.failed',
  'token.removed',
  'fallback.sent',
  'promo.low_stock',
  'vendor.credentials_failing',
  'vendor.breaker_opened',
  'tokens.quarantined',
] as const;

/** One of them. */
export type WebhookEventType = (typeof WEBHOOK_EVENT_TYPES)[number];
