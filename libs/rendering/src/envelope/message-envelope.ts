import type { JsonObject } from '@postrider/domain';
import { present } from '../fields/present';
import type { Platform, RenderableApplication, RenderableMessage } from '../renderable';
import { notificationJson } from './notification-json';
import { isSilent, visibleText } from './visible-text';

/**
 * The whole message as a client reads it: what goes over its own connection as it is,
 * and what every vendor's payload carries in its data. Unknown fields of the request travel under `extra`, apart for the message,
 * the notification and each action: they never pose as fields of ours.
 */
export function messageEnvelope(
  message: RenderableMessage,
  application: RenderableApplication,
  platform: Platform | null,
): JsonObject {
  const { content } = message;
  const silent = isSilent(content);
  const text = visibleText(content, application);
  return {
    ...present({
      id: message.id,
      content: content.content,
      data: content.data,
      channel: message.channel,
      trackId: content.trackId,
      clientId: content.clientId,
      alertText: content.alertText,
      createdAt: message.acceptedAt.getTime(),
      expireAt: message.expiresAt.getTime(),
      silent: flag(silent),
      useAsAlert: flag(content.useAsAlert),
      inApp: flag(content.inApp),
      live: flag(content.live),
      autoNotify: flag(content.autoNotify),
      contentAvailable: flag(silent && content.notification?.contentAvailable === true),
      // A silent message has nothing to show, hence no notification block: no client can show it by mistake.
      notification: silent ? undefined : notificationJson(content.notification, text, platform),
      extra: content.extra,
    }),
  };
}

/** Flags that are not set are left out: bytes are scarce in a push. */
function flag(value: boolean): true | undefined {
  return value ? true : undefined;
}
