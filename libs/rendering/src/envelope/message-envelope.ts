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

/** An action with every field it came with. */
function actionJson(action: NotificationAction, platform: Platform | null): JsonObject {
  const { extra, ...fields } = platform === 'ios' ? withForegroundFlag(action) : action;
  return { ...present(fields), ...unnamed(extra, platform === 'web' ? BROWSER_ACTION_FIELDS : null) };
}

/** Fields that are not ours: the browser's among ours, the rest together under `extra`, where it replaces nothing. */
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
 * The contract's notification as the client reads it, with the text already decided and `notifDelivery`, which asks for a
 * SHOWN receipt.
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
 * The whole message as a client reads it: what goes over its own connection as it is,
 * and what every vendor's payload carries in its data. Unknown fields of the request go into `extra`, one for the
 * message, one for the notification and one for each action, so that they cannot replace known fields.
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
      // A silent message has nothing to show, hence no notification block: no client can show it by mistake.
      notification: silent ? undefined : notificationJson(fields.notification, text, platform),
      extra: fields.extra,
    }),
  };
}

/** Flags that are not set are left out: bytes are scarce in a push. */
function flag(value: boolean): true | undefined {
  return value ? true : undefined;
}
