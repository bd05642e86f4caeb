import type { JsonObject, Notification, NotificationAction } from '@postrider/domain';
import { withForegroundFlag } from '../fields/deep-link';
import { present } from '../fields/present';
import type { Platform } from '../renderable';
import type { VisibleText } from './visible-text';

/** An action with every field it came with; named fields win over unknown ones of the same name. */
function actionJson(action: NotificationAction, platform: Platform | null): JsonObject {
  const { extra, ...fields } = platform === 'ios' ? withForegroundFlag(action) : action;
  return { ...extra, ...present(fields) };
}

/**
 * The contract's notification as the client reads it, with the text already decided and `notifDelivery`, which asks for a
 * SHOWN receipt (device-protocol).
 */
export function notificationJson(
  notification: Notification | undefined,
  text: VisibleText,
  platform: Platform | null,
): JsonObject {
  const { extra, actions, ...fields } = notification ?? {};
  return {
    ...extra,
    ...present(fields),
    ...(actions ? { actions: actions.map((action) => actionJson(action, platform)) } : {}),
    ...text,
    notifDelivery: true,
  };
}
