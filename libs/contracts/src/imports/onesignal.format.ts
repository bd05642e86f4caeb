import type { PushVendor } from '@postrider/domain';
import {
  apnsToken,
  DENIED,
  entryOf,
  type FieldColumns,
  type FormatReading,
  isFalse,
  isTrue,
  jsonOf,
  membersOf,
  PLACE,
  placeOf,
  saying,
  type SourceRecord,
  subscriptionOf,
  tagsOf,
  tokenIn,
  textOf,
  type UnreadValue,
} from './import-draft';

/** The meaning of `device_type`: the push service and the kind of device, or the reason why it cannot be pushed to. */
type DeviceKind = { pushType: PushVendor; deviceType: string } | { skipped: string };

const WEB: DeviceKind = { pushType: 'webpush', deviceType: 'web' };
const IOS: DeviceKind = { pushType: 'apns', deviceType: 'ios' };
const ANDROID: DeviceKind = { pushType: 'fcm', deviceType: 'android' };
const MAC: DeviceKind = { pushType: 'apns', deviceType: 'macos' };
const HUAWEI: DeviceKind = { pushType: 'hms', deviceType: 'android' };
const AMAZON: DeviceKind = { skipped: 'Amazon devices cannot be reached' };
const WINDOWS: DeviceKind = { skipped: 'Windows devices cannot be reached' };
const CHROME_APP: DeviceKind = { skipped: 'Chrome apps cannot be reached' };
const ALEXA: DeviceKind = { skipped: 'Alexa devices cannot be reached' };
const EMAIL: DeviceKind = { skipped: 'is an e-mail address' };
const SMS: DeviceKind = { skipped: 'is a phone number' };

/** By the numbers of the export, and by the newer names. */
const KINDS: Readonly<Record<string, DeviceKind>> = {
  0: IOS,
  1: ANDROID,
  2: AMAZON,
  3: WINDOWS,
  4: CHROME_APP,
  5: WEB,
  6: WINDOWS,
  7: WEB,
  8: WEB,
  9: MAC,
  10: ALEXA,
  11: EMAIL,
  13: HUAWEI,
  14: SMS,
  17: WEB,
  iospush: IOS,
  androidpush: ANDROID,
  fireospush: AMAZON,
  chromepush: WEB,
  safaripush: WEB,
  safarilegacypush: WEB,
  firefoxpush: WEB,
  macospush: MAC,
  huaweipush: HUAWEI,
  windowspush: WINDOWS,
  email: EMAIL,
  sms: SMS,
};

/** The names of OneSignal for fields that have another name in a registration. */
export const ONESIGNAL_COLUMNS: FieldColumns = {
  deviceToken: ['identifier'],
  deviceType: ['device_type'],
  pushType: ['device_type'],
  userId: ['external_user_id', 'external_id'],
  osVersion: ['device_os'],
  deviceModel: ['device_model'],
  clientVersion: ['app_version', 'game_version'],
  launchCount: ['session_count'],
  launchTime: ['last_active'],
  installDate: ['created_at'],
  locale: ['language'],
  timeZone: ['timezone_id', 'timezone'],
  adId: ['ad_id'],
  amountSpent: ['amount_spent'],
  badgeCount: ['badge_count'],
};

/** A row of OneSignal's CSV export. */
export function readOneSignal(record: SourceRecord): FormatReading {
  const type = textOf(record.device_type);
  if (type === null) return { problem: 'is missing', column: 'device_type' };
  const kind = entryOf(KINDS, type.toLowerCase());
  if (kind === undefined) return { problem: `${type} is not known`, column: 'device_type' };
  if ('skipped' in kind) return kind;
  const read = tokenIn('identifier', record.identifier);
  if (!('token' in read)) return read;
  const identifier = read.token;
  if (kind.pushType === 'webpush' && !/^https?:/i.test(identifier)) return { skipped: "is Safari's own push" };
  const token = kind.pushType === 'webpush' ? subscriptionOf(identifier, record.web_p256, record.web_auth) : identifier;
  if (token === null) return { problem: 'a browser needs web_p256 and web_auth, which OneSignal exports on request' };
  return { draft: draftOf(record, kind, token) };
}

function draftOf(
  record: SourceRecord,
  { pushType, deviceType }: { pushType: PushVendor; deviceType: string },
  token: string | ReturnType<typeof subscriptionOf>,
): Extract<FormatReading, { draft: unknown }>['draft'] {
  const location = placeOf(record.location);
  const unread: UnreadValue[] = [];
  const tags = readTags(record.tags, unread);
  if (location === null && textOf(record.location) !== null) unread.push({ field: 'location', message: PLACE });
  const deviceToken = typeof token === 'string' && pushType === 'apns' ? apnsToken(token) : token;
  return {
    userId: textOf(record.external_user_id) ?? textOf(record.external_id),
    fields: saying({
      deviceType,
      pushType,
      deviceToken,
      tokenStatus: isUnsubscribed(record) ? DENIED.tokenStatus : null,
      osVersion: textOf(record.device_os),
      deviceModel: textOf(record.device_model),
      clientVersion: textOf(record.app_version) ?? textOf(record.game_version),
      launchCount: textOf(record.session_count),
      launchTime: record.last_active,
      installDate: record.created_at,
      locale: textOf(record.language),
      timeZone: textOf(record.timezone_id) ?? zoneOf(record.timezone),
      location,
      country: textOf(record.country),
      adId: textOf(record.ad_id),
      playtime: numberOf(record.playtime),
      amountSpent: numberOf(record.amount_spent),
      badgeCount: numberOf(record.badge_count),
    }),
    tags,
    attributes: {},
    unread,
  };
}

/** A number of a CSV file, as which segments compare it. What is none, or would lose digits, stays text. */
function numberOf(value: unknown): string | number | null {
  const text = textOf(value);
  if (text === null || !/^-?\d+(?:\.\d+)?$/.test(text)) return text;
  return Math.abs(Number(text)) <= Number.MAX_SAFE_INTEGER ? Number(text) : text;
}

/** The tags of a record. @param unread is told of those that cannot be read */
function readTags(value: unknown, unread: UnreadValue[]): Record<string, string> {
  const read = textOf(value) === null ? membersOf(value) : jsonOf(value);
  if (typeof read !== 'object' || (Array.isArray(read) && read.length > 0)) {
    unread.push({ field: 'tags', message: 'must be a JSON object' });
    return {};
  }
  for (const [key, member] of Object.entries(read ?? {})) {
    if (typeof member === 'object' && member !== null) unread.push({ field: `tags.${key}`, message: SCALAR });
  }
  return tagsOf(read);
}

const SCALAR = 'must be text, a number or true or false';

function isUnsubscribed({ invalid_identifier: invalid, notification_types: types, subscribed }: SourceRecord): boolean {
  return isTrue(invalid) || isFalse(subscribed) || Number(textOf(types) ?? 0) < 0;
}

/** Seconds from UTC: whole hours have a zone name, others have none that is valid throughout the year. */
function zoneOf(seconds: unknown): string | null {
  const text = textOf(seconds);
  const hours = text === null ? NaN : Number(text) / 3_600;
  if (!Number.isInteger(hours) || hours < -12 || hours > 14) return null;
  return hours === 0 ? 'Etc/GMT' : `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`;
}
