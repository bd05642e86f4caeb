import type { FcmPayload, JsonObject } from '@postrider/domain';
import { analyticsLabel, imageUrl, lightSettings, present } from '../fields/notification-fields';
import { apnsPayload } from './apns-payload';
import { fcmData } from './fcm-data';
import type { RenderingInput } from './rendering-input';
import { webPushPayload } from './web-push-payload';

/**
 * Builds the `message` of FCM HTTP v1. By default it is a data message that the client shows; with `autoNotify`
 * Android's system shows it.
 */
export function fcmPayload(input: RenderingInput): FcmPayload {
  const { trackId } = input.message.content;
  const label = analyticsLabel(trackId);
  return {
    vendor: 'fcm',
    message: {
      ...platformBlocks(input),
      ...(label === undefined ? {} : { fcm_options: { analytics_label: label } }),
    },
  };
}

function platformBlocks(input: RenderingInput): JsonObject {
  if (input.platform === 'ios') return { apns: apnsBlock(input) };
  if (input.platform === 'web') {
    const webpush = webPushBlock(input);
    return { data: fcmData(input, webpush), webpush };
  }
  const android = androidBlock(input);
  return { data: fcmData(input, android), android };
}

function androidBlock(input: RenderingInput): JsonObject {
  const { message, silent } = input;
  // FCM's default for data messages is NORMAL, which a sleeping phone delays. A message that is shown must wake it.
  if (silent) return { priority: 'NORMAL' };
  return { priority: 'HIGH', ...(message.content.autoNotify ? { notification: androidNotification(input) } : {}) };
}

function androidNotification({ message, text }: RenderingInput): JsonObject {
  const { notification } = message.content;
  return present({
    title: text.title,
    body: text.body,
    icon: notification?.smallIcon,
    sound: notification?.sound,
    image: imageUrl(notification),
    light_settings: lightSettings(notification?.ledColor),
    // A send that is repeated after a lost answer replaces the first one instead of showing twice.
    tag: message.id,
  });
}

/** An iOS device whose token came from FCM gets the payload that APNs would get. */
function apnsBlock(input: RenderingInput): JsonObject {
  const { body, pushType, priority, collapseId } = apnsPayload(input);
  const headers = present({
    'apns-push-type': pushType,
    'apns-priority': String(priority),
    'apns-collapse-id': collapseId,
  });
  return { headers, payload: body };
}

function webPushBlock(input: RenderingInput): JsonObject {
  const { urgency, body } = webPushPayload(input);
  const { autoNotify, notification } = input.message.content;
  if (!autoNotify || input.silent) return { headers: { Urgency: urgency } };
  const link = notification?.clickUrl;
  return {
    headers: { Urgency: urgency },
    notification: body,
    ...(link?.startsWith('https://') ? { fcm_options: { link } } : {}),
  };
}
