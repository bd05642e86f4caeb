import { defineJob } from './job';

/** Work for the audience worker: turn one accepted message's audience into pages. */
export type ResolveMessagePayload = { appId: string; messageId: string };

/** One job a message: the worker goes on where the message's `resolved_through` says. */
export const resolveMessage = defineJob<ResolveMessagePayload>({
  queue: 'audience',
  name: 'resolve-message',
  id: ({ messageId }) => `resolve-${messageId}`,
});
