import { defineJob } from './job';

/** Work for the delivery worker: see to those of a message's fallback SMS that are due. */
export type SendFallbacksPayload = { appId: string; messageId: string };

/** One job a message: which of its users are due stands in the ledger. */
export const sendFallbacks = defineJob<SendFallbacksPayload>({
  queue: 'fallback',
  name: 'send-fallbacks',
  id: ({ messageId }) => `fallbacks-${messageId}`,
});
