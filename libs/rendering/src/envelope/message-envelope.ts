import type { JsonObject, Notification, NotificationAction } from '@postrider/domain';
import { present, withForegroundFlag } from '../fields/notification-fields';
import type { Platform, RenderableApplication, RenderableMessage } from '../renderable';
import { isSilent, visibleText, type VisibleText } from './visible-text';

/**
 * Unknown notification fields that browsers know: on the web they are merged into the notification, elsewhere they go
 * into `extra`.
 */
const BROWSER_FIELDS = new Set(['badge', 'image', 'tag', 'dir', 'vibrate', 'requireInteraction', 'renotify']);
const BROWSER_ACTION_FIELDS = new Set(['action']);

/** An action with all of its fields. */
function actionJson(action: NotificationAction, platform: Platform | null): JsonObject {
  const { extra, ...fields } = platform === 'ios' ? withForegroundFlag(action) : action;
  return { ...present(fields), ...unnamed(extra, platform === 'web' ? BROWSER_ACTION_FIELDS : null) };
}

/**
 * Unknown fields: on the web the browser's fields are among ours, and the rest is under `extra`, where it replaces
 * nothing.
 */
function unnamed(fields: JsonObject | undefined, browserFields: ReadonlySet<string> | null): JsonObject {
  if (fields === undefined) return {};
  if (browserFields === null) return { extra: fields };
  const entries = Object.entries(fields);
  const extra = entries.filter(([name]) => !browserFields.has(name));
  return {
    ...Object.fromEntries(entries.filter(([name]) => browserFields.has(name))),
    ...(extra.length > 0 ? { extra: Object.fromEntries(extra) } : {}),
  };
}

/**
 * The notification as the client reads it, with the text already decided and `notifDelivery`, which asks for a SHOWN
 * receipt.
 */
function notificationJson(
  notification: Notification | undefined,
  text: VisibleText,
  platform: Platform | null,
): JsonObject {
  const { extra, actions, ...fields } = notification ?? {};
  return {
    ...present(fields),
    ...unnamed(extra, platform === 'web' ? BROWSER_FIELDS : null),
    ...(actions ? { actions: actions.map((action) => actionJson(action, platform)) } : {}),
    ...text,
    notifDelivery: true,
  };
}

/**
 * The whole message as a client reads it: sent unchanged over its own connection, and carried in the data of every
 * vendor's payload. Unknown fields of the request go into `extra`, one for the message, one for the notification and
 * one for each action, so that they cannot replace known fields.
 */
export function messageEnvelope(
  message: RenderableMessage,
  application: RenderableApplication,
  platform: Platform | null,
): JsonObject {
  const { content: fields } = message;
  const silent = isSilent(fields);
  const text = visibleText(fields, application);
  return {
    ...present({
      id: message.id,
      content: fields.content,
      data: fields.data,
      channel: message.channel,
      trackId: fields.trackId,
      clientId: fields.clientId,
      alertText: fields.alertText,
      createdAt: message.acceptedAt.getTime(),
      expireAt: message.expiresAt.getTime(),
      silent: flag(silent),
      useAsAlert: flag(fields.useAsAlert),
      inApp: flag(fields.inApp),
      live: flag(fields.live),
      autoNotify: flag(fields.autoNotify),
      contentAvailable: flag(silent && fields.notification?.contentAvailable === true),
      // A silent message has nothing to show, so it has no notification, and no client can show it by mistake.
      notification: silent ? undefined : notificationJson(fields.notification, text, platform),
      extra: fields.extra,
    }),
  };
}

/** Flags that are not set are left out, because a push has few bytes. */
function flag(value: boolean): true | undefined {
  return value ? true : undefined;
}
