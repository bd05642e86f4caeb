import type { JsonObject, JsonValue, WebPushPayload } from '@postrider/domain';
import { messageEnvelope } from '../envelope/message-envelope';
import { imageUrl, present } from '../fields/notification-fields';
import type { RenderingInput } from './rendering-input';

/**
 * Builds the plaintext of a Web Push message, flat as the service worker reads it: notification options under the
 * browser's names, the other fields under their own.
 */
export function webPushPayload(input: RenderingInput): WebPushPayload {
  const { message, application, silent } = input;
  const { id: messageId, notification, ...envelope } = messageEnvelope(message, application, 'web');
  const options = notification === undefined ? {} : browserOptions(input, notification as JsonObject);
  return {
    vendor: 'webpush',
    body: {
      ...envelope,
      ...options,
      ...extraOf(envelope.extra, options.extra),
      messageId: messageId as string,
      silent,
    },
    urgency: silent ? 'low' : 'high',
  };
}

/** The body is flat, so unknown fields of the message and of its notification are combined. */
function extraOf(ofMessage: JsonValue | undefined, ofNotification: JsonValue | undefined): JsonObject {
  if (ofMessage === undefined && ofNotification === undefined) return {};
  return { extra: { ...(ofMessage as JsonObject | undefined), ...(ofNotification as JsonObject | undefined) } };
}

function browserOptions({ message }: RenderingInput, notification: JsonObject): JsonObject {
  const fields = message.content.notification ?? {};
  const { actions, ...others } = notification;
  return present({
    ...others,
    badge: fields.smallIcon ?? others.badge,
    image: imageUrl(fields) ?? others.image,
    tag: fields.groupId ?? others.tag,
    actions: Array.isArray(actions) ? actions.map((action) => withBrowserName(action as JsonObject)) : undefined,
  });
}

/** The browser's name for an action's id is `action`. A caller's own `action` is kept. */
function withBrowserName(action: JsonObject): JsonObject {
  return action.id === undefined ? action : { action: action.id, ...action };
}
