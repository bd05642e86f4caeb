import type { DeliveryState, MessageKind } from '@postrider/domain';
import type { DeliveryResponse } from '@postrider/server/document';
import { formatMoment } from '../../components/format';

/** The meaning of each state of a delivery, for people. */
export const STATE_MEANING: Record<DeliveryState, string> = {
  pending: 'not sent yet',
  sent: 'the vendor accepted it; the device has not confirmed it yet',
  delivered: 'arrived on the device',
  shown: 'the device showed it',
  dismissed: 'the user dismissed it',
  opened: 'the user opened it',
  failed: 'it could not be sent: see the reason',
  expired: 'it expired before it could be sent',
  skipped: 'not sent: the device cannot be reached, or its user is left out',
  cancelled: 'the message was cancelled',
};

/** The button of a dialog on a message's page that changes nothing: “Cancel” there cancels the message. */
export const CHANGE_NOTHING = 'Close without changes';

/** The recipients of each kind of message, in words. */
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

/** The meaning of error codes, and what to do; unknown codes are shown as they are. */
const ERRORS: Partial<Record<string, string>> = {
  UNREGISTERED:
    'The app was uninstalled, or its token is out of date. Unless the device registers again, the token is switched off after a while.',
  Unregistered: 'The app was uninstalled. Unless the device registers again, the token is switched off after a while.',
  ExpiredToken:
    'The device token has expired. Unless the device registers again, the token is switched off after a while.',
  BadDeviceToken: 'The token is not an APNs token, or it belongs to the other environment (sandbox, production).',
  DeviceTokenNotForTopic: 'The token belongs to another app: check the topic in the APNs settings.',
  TopicDisallowed: 'The APNs key may not send to this topic: check it in the APNs settings.',
  SENDER_ID_MISMATCH: 'The token belongs to another Firebase project: check the service account.',
  INVALID_ARGUMENT: 'Firebase refused the content of the message: check its fields.',
  THIRD_PARTY_AUTH_ERROR:
    'Firebase could not sign in to Apple or the Web Push service: check the settings of the Firebase project.',
  QUOTA_EXCEEDED: 'The vendor’s rate limit was reached. The remaining messages are sent later.',
  PAYLOAD_TOO_LARGE: 'With its personal text the message is larger than the vendor allows.',
  PayloadTooLarge: 'The message is larger than Apple allows.',
  BAD_SUBSCRIPTION: 'The browser’s subscription cannot be used.',
  UNAUTHENTICATED: 'The vendor did not accept the credentials: check them in the settings.',
  PERMISSION_DENIED: 'The credentials may not send: check them at the vendor.',
  InvalidProviderToken: 'Apple did not accept the key: check key, team and environment in the settings.',
  ExpiredProviderToken: 'Apple refused the provider token because its time is wrong. Check the server’s clock.',
  invalid_grant: 'Google did not accept the service account: it may have been deleted.',
  '80300007':
    'Huawei says that the token is not valid. Unless the device registers again, the token is switched off after a while.',
  '80200001': 'Huawei did not accept the credentials.',
  '80200003': 'Huawei’s access token had expired.',
  user_not_proved: 'The device has not proved its user, and the application requires a proof.',
  no_token: 'The device has not registered a push token.',
  no_usable_token: 'The device has no usable token.',
  token_invalid: 'The token was switched off: the vendor called it dead, or the user does not allow notifications.',
  vendor_not_configured:
    'The application has no credentials for this device’s vendor: connect it in the settings, under Vendors.',
  no_connection: 'The message is for the open app only, and the app on this device keeps no connection.',
  installation_removed: 'The device was removed before the message was sent.',
  frequency_capped: 'The user has had as many campaigns as the frequency caps in the settings allow.',
  holdout: 'The user is in the holdout and gets nothing of this campaign.',
  quiet_hours: 'The quiet hours end after the message expires.',
  no_code: 'All promo codes were used up.',
  template_failed: 'The personal text could not be rendered for this user.',
  worker_lost: 'Three workers died while they processed this device. It is not tried again.',
  link_refused: 'The personal text contains a link that is not allowed.',
  cancelled: 'The message was cancelled before it was sent to the device.',
  expired: 'The message expired before it was sent to the device.',
  waits_for_app: 'Waits until the app is opened.',
};

/** Returns a code in words; null if there are none for it. */
export function errorInWords(code: string): string | null {
  return ERRORS[code] ?? null;
}

/** Codes whose reason is always the same sentence of the server, which says what the words for the code say. */
const SAID_BY_CODE: ReadonlySet<string> = new Set(['frequency_capped', 'user_not_proved', 'no_code', 'quiet_hours']);

/**
 * Returns why a delivery is in its state, in words, with its moments in the reader's time zone; '' if there is nothing to
 * say.
 */
export function whyOf({ reason, error }: Pick<DeliveryResponse, 'reason' | 'error'>): string {
  const codes = error !== null && SAID_BY_CODE.has(error) ? [error] : [reason, error];
  const words = codes.flatMap((code) => (code === null ? [] : [errorInWords(code) ?? withLocalMoments(code)]));
  return [...new Set(words)].join(' · ');
}

const MOMENT = /\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z/g;

/** The server writes moments as ISO 8601 in UTC. */
function withLocalMoments(reason: string): string {
  return reason.replace(MOMENT, (moment) => formatMoment(moment));
}
