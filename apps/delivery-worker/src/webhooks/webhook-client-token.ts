/** Nest injection token of the `WebhookClient`. */
export const WEBHOOK_CLIENT = Symbol('WebhookClient');
