import { createHash } from 'node:crypto';
import { defineJob } from './job';

/**
 * Work for the audience worker: turn an accepted message's audience into pages, and those of `further` messages of the
 * application, which name few users and are due at about the same time.
 */
export type ResolveMessagePayload = { appId: string; messageId: string; further?: string[] };

/** One job a message, or a set of messages: the worker goes on where the ledger says. */
export const resolveMessage = defineJob<ResolveMessagePayload>({
  queue: 'audience',
  name: 'resolve-message',
  id: ({ messageId, further = [] }) => `resolve-${messageId}${further.length === 0 ? '' : `-${digestOf(further)}`}`,
});

function digestOf(ids: readonly string[]): string {
  return createHash('sha256').update(ids.join()).digest('base64url');
}
