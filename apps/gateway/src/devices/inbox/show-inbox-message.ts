import type { InboxMessageResponse } from '@postrider/contracts';
import type { MessageContent } from '@postrider/domain';
import type { InboxMessage, InboxOwner } from '@postrider/persistence';
import {
  createPersonalMessage,
  createRenderer,
  type LinkTracker,
  type PersonFacts,
  type RenderableApplication,
  TemplateFailure,
} from '@postrider/rendering';

/** A message as its device gets it over its own connection, and whether it was read. */
export async function showInboxMessage(
  message: InboxMessage,
  owner: InboxOwner,
  shown: { person: PersonFacts | null; links: LinkTracker; now: Date },
): Promise<InboxMessageResponse[]> {
  const { id, readAt, state } = message;
  const content = await contentOf(message, owner, shown);
  // What cannot be made for this person was never sent to them either.
  if (content instanceof TemplateFailure) return [];
  const { deviceType } = owner;
  const payload = createRenderer({ ...message, content }, applicationOf(owner)).connectionPayload({ deviceType });
  return [{ ...payload, id, read: readAt !== null, readAt: readAt?.toISOString() ?? null, state }];
}

async function contentOf(
  message: InboxMessage,
  owner: InboxOwner,
  { person, links, now }: { person: PersonFacts | null; links: LinkTracker; now: Date },
): Promise<MessageContent | TemplateFailure> {
  const personal = createPersonalMessage(message, applicationOf(owner), links.trackingOf(owner.appId, message));
  if (personal === null || person === null) return message.content;
  const [content] = await personal.contentsFor([{ ...person, promoCode: message.promoCode }], now);
  return content as MessageContent | TemplateFailure;
}

function applicationOf({ applicationName: name, defaultAlertText }: InboxOwner): RenderableApplication {
  return { name, defaultAlertText };
}
