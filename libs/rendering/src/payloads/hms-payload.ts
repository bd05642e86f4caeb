import type { HmsPayload, JsonObject, NotificationAction } from '@postrider/domain';
import { messageEnvelope } from '../envelope/message-envelope';
import { analyticsLabel, isDeepLink, imageUrl, lightSettings, present } from '../fields/notification-fields';
import type { RenderingInput } from './rendering-input';

const MAX_BUTTONS = 3;
const MAX_BUTTON_NAME = 40;
/** Huawei's codes for what a click opens. */
const CLICK = { intent: 1, url: 2, application: 3 } as const;
const BUTTON = { application: 0, intent: 1, url: 2 } as const;

/**
 * Builds the `message` of Huawei Push Kit. By default it is a data message that the client shows; with `autoNotify` the
 * system shows it. The caller's fields are in the one string `data`.
 */
export function hmsPayload(input: RenderingInput): HmsPayload {
  const { message, application, silent } = input;
  const { autoNotify, trackId } = message.content;
  const showsItself = autoNotify && !silent;
  return {
    vendor: 'hms',
    message: {
      data: JSON.stringify(messageEnvelope(message, application, 'android')),
      android: present({
        urgency: silent ? 'NORMAL' : 'HIGH',
        bi_tag: analyticsLabel(trackId),
        notification: showsItself ? systemNotification(input) : undefined,
      }),
    },
  };
}

function systemNotification({ message, text }: RenderingInput): JsonObject {
  const notification = message.content.notification ?? {};
  const image = imageUrl(notification);
  return present({
    title: text.title,
    body: text.body,
    click_action: clickAction(notification.clickUrl),
    icon: rawName(notification.smallIcon),
    ...soundOf(notification.sound),
    group: notification.groupId || undefined,
    image: image?.startsWith('https://') ? image : undefined,
    light_settings: lightSettings(notification.ledColor),
    buttons: buttonsOf(notification.actions),
    tag: message.id,
  });
}

function clickAction(url: string | undefined): JsonObject {
  if (url?.startsWith('https://')) return { type: CLICK.url, url };
  if (url !== undefined && isDeepLink(url)) return { type: CLICK.intent, intent: url };
  return { type: CLICK.application };
}

/** Huawei refuses the whole message if a button has no name. */
function buttonsOf(actions: readonly NotificationAction[] = []): JsonObject[] | undefined {
  const named = actions.filter((action) => nameOf(action) !== '');
  return named.length > 0 ? named.slice(0, MAX_BUTTONS).map(button) : undefined;
}

function nameOf({ title, id }: NotificationAction): string {
  return title || id || '';
}

function button(action: NotificationAction): JsonObject {
  const { url } = action;
  const name = Array.from(nameOf(action)).slice(0, MAX_BUTTON_NAME).join('');
  if (!url) return { name, action_type: BUTTON.application };
  const isWeb = url.startsWith('https://');
  return { name, action_type: isWeb ? BUTTON.url : BUTTON.intent, intent_type: 0, intent: url };
}

/** `default` is the device's own sound, as with FCM and APNs. It is no file of the application. */
function soundOf(sound: string | undefined): JsonObject {
  if (sound === 'default') return { default_sound: true };
  return present({ sound: rawName(sound), default_sound: sound ? false : undefined });
}

/** Icons and sounds are in the application's `res/raw`. */
function rawName(name: string | undefined): string | undefined {
  if (!name) return undefined;
  return name.startsWith('/') ? name : `/raw/${name.replace(/\.[A-Za-z0-9]+$/, '')}`;
}
