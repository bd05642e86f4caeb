import type { InboxMessageResponse } from '@postrider/contracts';
import type { JsonObject } from '@postrider/domain';
import type { InboxMessage, InboxOwner } from '@postrider/persistence';
import {
  createPersonalMessage,
  createRenderer,
  type LinkTracker,
  type PersonFacts,
  TemplateFailure,
} from '@postrider/rendering';

/** A message as its device gets it over its own connection, and whether it was read. */
export function showInboxMessage(
  message: InboxMessage,
  owner: InboxOwner,
  { person, links, now }: { person: PersonFacts | null; links: LinkTracker; now: Date },
): InboxMessageResponse[] {
  const { id, readAt, state } = message;
  try {
    const shown = payloadOf(message, owner, { person, links, now });
    return [{ ...shown, id, read: readAt !== null, readAt: readAt?.toISOString() ?? null, state }];
  } catch (error) {
    // What cannot be made for this person was never sent to him either.
    if (error instanceof TemplateFailure) return [];
    throw error;
  }
}

function payloadOf(
  message: InboxMessage,
  { appId, deviceType, applicationName, defaultAlertText }: InboxOwner,
  { person, links, now }: { person: PersonFacts | null; links: LinkTracker; now: Date },
): JsonObject {
  const application = { name: applicationName, defaultAlertText };
  const personal = createPersonalMessage(message, application, links.trackingOf(appId, message));
  const facts = person && { ...person, promoCode: message.promoCode };
  const content = personal && facts ? personal.contentFor(facts, now) : message.content;
  return createRenderer({ ...message, content }, application).connectionPayload({ deviceType });
}
