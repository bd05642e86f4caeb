import type { DeliveryState, MessageKind } from '@postrider/domain';
import type { DeliveryResponse } from '../../api/generated/document';

/** What a state of a delivery means, for a person. */
export const STATE_MEANING: Record<DeliveryState, string> = {
  pending: 'on its way, or waiting for its turn',
  sent: 'the vendor took it; no device has said yet that it arrived',
  delivered: 'arrived on the device',
  shown: 'the device showed it',
  dismissed: 'somebody swiped it away',
  opened: 'somebody opened it',
  failed: 'the vendor refused it',
  expired: 'its time was over before it could be sent',
  skipped: 'left out: no way to reach it, or not meant for it',
  cancelled: 'the message was cancelled first',
};

/** Where a message was sent to, in words. */
export const KIND_NAME: Record<MessageKind, string> = {
  users: 'To users',
  query: 'Campaign',
  notify: 'Notification',
};

const VENDOR_NAMES: Partial<Record<string, string>> = {
  fcm: 'Firebase (FCM)',
  apns: 'Apple (APNs)',
  hms: 'Huawei (HMS)',
  webpush: 'Web Push',
  sms: 'SMS',
  connection: 'Own connection',
};

/** A vendor's name. */
export function vendorName(vendor: string): string {
  return VENDOR_NAMES[vendor] ?? vendor;
}

/** What an error code means and what to do; codes that are not known stand for themselves. */
const ERRORS: Partial<Record<string, string>> = {
  UNREGISTERED: 'The app was uninstalled, or its token is out of date. The token was switched off.',
  Unregistered: 'The app was uninstalled. The token was switched off.',
  ExpiredToken: 'The device token has expired. The token was switched off.',
  BadDeviceToken: 'The token is none of Apple’s, or belongs to the other environment (sandbox, production).',
  DeviceTokenNotForTopic: 'The token belongs to another app: check the topic in the APNs settings.',
  TopicDisallowed: 'The APNs key may not send to this topic: check it in the APNs settings.',
  SENDER_ID_MISMATCH: 'The token belongs to another Firebase project: check the service account.',
  INVALID_ARGUMENT: 'Firebase did not accept what the message says: look at its fields.',
  THIRD_PARTY_AUTH_ERROR: 'Firebase could not sign in to Apple or the web push service: check its own settings.',
  QUOTA_EXCEEDED: 'More was sent than the vendor allows; what waits goes out later.',
  PAYLOAD_TOO_LARGE: 'With its personal text the message is larger than the vendor takes.',
  PayloadTooLarge: 'The message is larger than Apple takes.',
  BAD_SUBSCRIPTION: 'The browser’s subscription cannot be used.',
  UNAUTHENTICATED: 'The vendor did not accept the credentials: check them in the settings.',
  PERMISSION_DENIED: 'The credentials may not send: check them at the vendor.',
  InvalidProviderToken: 'Apple did not accept the key: check key, team and environment in the settings.',
  ExpiredProviderToken: 'Apple thinks that our clock is wrong.',
  invalid_grant: 'Google did not accept the service account: it may have been deleted.',
  '80300007': 'Huawei says that the token is not valid. It was switched off.',
  '80200001': 'Huawei did not accept the credentials.',
  '80200003': 'Huawei’s access token had expired.',
  user_not_proved: 'The device has not proved whose it is, and the application requires that.',
  no_token: 'The device has given no push token.',
  no_usable_token: 'The device has no token that can be used.',
  token_invalid:
    'Its token was switched off, because the vendor said that it is dead or the device forbade notifications.',
  vendor_not_configured:
    'The application has no credentials for this device’s vendor: connect it in the settings, under Vendors.',
  no_connection: 'The message is for the open app only, and the app on this device keeps no connection.',
  installation_removed: 'The device was removed before its turn came.',
  no_code: 'All promo codes were used up.',
  template_failed: 'The personal text could not be made for this person.',
  worker_lost: 'Three workers were lost while they had this device in hand. It is not tried again.',
  link_refused: 'The personal text made a link that is not allowed.',
  waits_for_app: 'Waits until the app is opened.',
};

/** A code in words; null when nobody wrote any for it. */
export function errorInWords(code: string): string | null {
  return ERRORS[code] ?? null;
}

/** Why a delivery is in its state, in words; '' when there is nothing to say. */
export function whyOf({ reason, error }: Pick<DeliveryResponse, 'reason' | 'error'>): string {
  const words = [reason, error].flatMap((code) => (code === null ? [] : [errorInWords(code) ?? code]));
  return [...new Set(words)].join(' · ');
}
