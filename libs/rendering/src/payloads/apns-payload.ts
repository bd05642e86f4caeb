import type { ApnsPayload, JsonObject, Notification } from '@postrider/domain';
import { messageEnvelope } from '../envelope/message-envelope';
import { present } from '../fields/notification-fields';
import type { RenderingInput } from './rendering-input';

/**
 * Builds the APNs payload: `aps` for the system, and beside it, never inside, everything that the client reads. The
 * collapse id is the message's, so that a send that is repeated after a lost answer replaces the first one instead of
 * showing twice.
 */
export function apnsPayload(input: RenderingInput): ApnsPayload {
  const { message, application, silent } = input;
  const { notification, ...envelope } = messageEnvelope(message, application, 'ios');
  return {
    vendor: 'apns',
    body: {
      ...envelope,
      mid: message.id,
      ...(notification === undefined ? {} : customKeys(notification as JsonObject)),
      aps: silent ? { 'content-available': 1 } : aps(input),
    },
    pushType: silent ? 'background' : 'alert',
    // Apple refuses 10 for background pushes.
    priority: silent ? 5 : 10,
    collapseId: message.id,
  };
}

function aps({ message, text }: RenderingInput): JsonObject {
  const notification: Notification = message.content.notification ?? {};
  return present({
    alert: { title: text.title, body: text.body },
    sound: notification.sound,
    'thread-id': notification.groupId,
    category: notification.category,
    'content-available': notification.contentAvailable ? 1 : undefined,
    // The application's service extension loads a medium. It runs only for mutable content.
    'mutable-content': notification.mutableContent || notification.mediaUrl !== undefined ? 1 : undefined,
  });
}

/**
 * Everything that is not in `aps`: the links, buttons and media at the top, where clients expect them, and the rest
 * together.
 */
function customKeys(notification: JsonObject): JsonObject {
  const { clickUrl, actions, mediaType, mediaUrl, ...rest } = notification;
  delete rest.title;
  delete rest.body;
  return present({ clickUrl, actions, mediaType, mediaUrl, notification: rest });
}
