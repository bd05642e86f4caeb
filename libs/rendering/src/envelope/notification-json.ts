import type { JsonObject, Notification, NotificationAction } from '@postrider/domain';
import { withForegroundFlag } from '../fields/deep-link';
import { present } from '../fields/present';
import type { Platform } from '../renderable';
import type { VisibleText } from './visible-text';

/**
 * Fields that the contract does not name and browsers do: on the web they stand among
 * the notification's own, and everywhere else with what is unknown.
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
export function notificationJson(
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
