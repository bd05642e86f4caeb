import type { NewFallbacks } from '@postrider/persistence';
import type { MessageDraft } from './draft-message';

/** The SMS that a message's named users get when nothing confirms it in time; null when it asks for none. */
export function fallbacksOf({ message, selection: { appId, who } }: MessageDraft): NewFallbacks | null {
  const { id: messageId, content, expiresAt } = message;
  // The delay counts from when the message is sent.
  const acceptedAt = message.schedule?.sendAt ?? message.acceptedAt;
  if (content.fallback === undefined || who.kind !== 'users') return null;
  return { appId, messageId, userIds: who.userIds, fallback: content.fallback, acceptedAt, expiresAt };
}
