import { defineJob } from './job';

/** Work for the delivery worker: send those of a webhook's events that are due. */
export type SendWebhookEventsPayload = { appId: string; webhookId: string };

/** One job a webhook: which of its events are due stands in the ledger. */
export const sendWebhookEvents = defineJob<SendWebhookEventsPayload>({
  queue: 'webhook',
  name: 'send-webhook-events',
  id: ({ webhookId }) => `webhook-${webhookId}`,
});
