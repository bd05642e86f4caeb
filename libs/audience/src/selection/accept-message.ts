import type { Executor } from '@postrider/persistence';
import { acceptForNamedUsers } from './accept-for-named-users.query';
import type { AcceptanceOptions, AcceptedMessage } from './accepted-message';
import type { AudienceSelection } from './audience-selection';
import { insertUnresolvedMessage } from './insert-unresolved-message.query';
import { measureAudience } from './measure-audience.query';
import type { NewMessage } from './new-message';

/**
 * Accepts a message: when this returns (and the caller's transaction, if there is one, is committed) it will be sent,
 * whatever becomes of Redis or of this process. For named users the pages are written as well, all in one statement; any
 * other audience is counted here and resolved by the audience worker.
 */
export async function acceptMessage(
  executor: Executor,
  message: NewMessage,
  selection: AudienceSelection,
  { pageSize }: AcceptanceOptions,
): Promise<AcceptedMessage> {
  const { who } = selection;
  if (who.kind === 'users') return acceptForNamedUsers(executor, message, { ...selection, who }, pageSize);
  // Counted on its own: PostgreSQL runs no statement that writes on several cores.
  const { count, ceiling } = await measureAudience(executor, selection);
  await insertUnresolvedMessage(executor, message, selection, { count, ceiling });
  return { count, byVendor: null, pages: [], needsResolving: true };
}
