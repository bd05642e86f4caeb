import { IMPORT_COLUMNS, isJsonObject, parseChannel, type PushVendor } from '@postrider/domain';
import {
  entryOf,
  type FieldColumns,
  type FormatReading,
  jsonOf,
  membersOf,
  saying,
  type SourceRecord,
  textOf,
  tokenFields,
  tokenIn,
  type UnreadValue,
  userIdOf,
} from './import-draft';

const PUSH_TYPES: Readonly<Record<string, PushVendor>> = {
  gcm: 'fcm',
  fcm: 'fcm',
  apn: 'apns',
  apns: 'apns',
  ios: 'apns',
  tvos: 'apns',
  osx: 'apns',
  macos: 'apns',
  android: 'fcm',
  hms: 'hms',
};

/** Fields that are read below, and Parse's own. The rest is stored as further fields. */
const READ: ReadonlySet<string> = new Set(IMPORT_COLUMNS.parse);

const CHANNELS = 'must be an array of channel names: 1 to 128 letters, digits, _, - and . each';

/** The names of Parse Server for fields that have another name in a registration. */
export const PARSE_COLUMNS: FieldColumns = {
  userId: ['_p_user', 'user', 'userId'],
  clientVersion: ['appVersion'],
  locale: ['localeIdentifier'],
  parseInstallationId: ['installationId'],
  subscriptions: ['channels'],
  launchTime: ['updatedAt', '_updated_at'],
  installDate: ['createdAt', '_created_at'],
};

/** An object of Parse Server's `_Installation`: from REST, the dashboard or mongoexport. */
export function readParse(sent: SourceRecord): FormatReading {
  const record = plainMembers(sent);
  const deviceType = lower(record.deviceType);
  const pushType = entryOf(PUSH_TYPES, lower(record.pushType)) ?? entryOf(PUSH_TYPES, deviceType);
  // As it was sent: `$numberLong` is a number too.
  const read = tokenIn('deviceToken', sent.deviceToken);
  if (!('token' in read)) return read;
  const { token } = read;
  if (pushType === undefined) return { skipped: `a device of type ${deviceType} cannot be reached` };
  const unread: UnreadValue[] = [];
  return {
    draft: {
      userId: userOf(record),
      fields: {
        // Lists that look like Parse's have some fields by their names of a registration.
        ...saying(furtherFields(record)),
        ...tokenFields(pushType, token, deviceType || undefined),
        ...saying({
          clientVersion: textOf(record.appVersion),
          locale: textOf(record.localeIdentifier),
          timeZone: textOf(record.timeZone),
          parseInstallationId: textOf(record.installationId),
          subscriptions: channelsOf(record.channels, unread),
          location: placeOf(record.location),
          launchTime: record.updatedAt ?? record._updated_at,
          installDate: record.createdAt ?? record._created_at,
        }),
      },
      tags: {},
      attributes: {},
      unread,
    },
  };
}

function lower(value: unknown): string {
  return (textOf(value) ?? '').toLowerCase();
}

/** The members that a mapping may name: a pointer `_p_owner` of MongoDB (`_User$abc`) is `owner` too, and is its id. */
export function mappableOfParse(record: SourceRecord): SourceRecord {
  const pointers = Object.entries(record).flatMap(([name, value]): [string, string][] =>
    name.startsWith('_p_') && typeof value === 'string' ? [[name, idIn(value)]] : [],
  );
  if (pointers.length === 0) return record;
  const named = pointers.map(([name, id]): [string, string] => [name.slice('_p_'.length), id]);
  return { ...Object.fromEntries(named), ...record, ...Object.fromEntries(pointers) };
}

/** The id in a pointer as MongoDB holds it. */
function idIn(pointer: string): string {
  return pointer.slice(pointer.indexOf('$') + 1);
}

/**
 * `_User$abc` of MongoDB, a pointer, its JSON text, or the bare id. Without any of them `userId`: so a class may call it
 * whose applications have users of their own, and so do lists of tokens that look like Parse's.
 */
function userOf({ user, _p_user: stored, userId }: SourceRecord): unknown {
  const pointer = userIdOf(stored);
  if (typeof pointer === 'string') return idIn(pointer) || null;
  return pointer ?? userIdOf(membersOf(user).objectId) ?? userIdOf(user) ?? userIdOf(userId);
}

/**
 * The public channels of a record. In Parse everybody is on the channel '', which is `default` here.
 *
 * @param unread is told if the list, or a name in it, cannot be read
 */
function channelsOf(value: unknown, unread: UnreadValue[]): string[] | null {
  if (textOf(value) === null && !Array.isArray(value)) return null;
  const list = jsonOf(value);
  const names = Array.isArray(list) ? list.filter((name) => name !== '') : [list];
  const channels = names.flatMap((name) => (typeof name === 'string' ? (parseChannel(`public/${name}`) ?? []) : []));
  if (channels.length < names.length) unread.push({ field: 'subscriptions', message: CHANNELS });
  return Array.isArray(list) ? channels : null;
}

/**
 * A place in the form of a registration: from a GeoPoint, or from the `[longitude, latitude]` that MongoDB holds for
 * one. Anything else is returned as it is, and is reported when it is checked.
 */
function placeOf(value: unknown): unknown {
  const read = jsonOf(value);
  if (Array.isArray(read) && read.length === 2) return { lat: plain(read[1]), lng: plain(read[0]) };
  const { latitude: lat, longitude: lng } = membersOf(read);
  return lat === undefined && lng === undefined ? value : { lat, lng };
}

function furtherFields(record: SourceRecord): Record<string, unknown> {
  const scalars = Object.entries(record).filter(([name, value]) => !READ.has(name) && typeof value !== 'object');
  return Object.fromEntries(scalars);
}

const NUMBERS = ['$numberInt', '$numberLong', '$numberDouble', '$numberDecimal'] as const;

/** Removes the wrappers of MongoDB's Extended JSON (relaxed and canonical) and of Parse. */
function plainMembers(record: SourceRecord): SourceRecord {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, plain(value)]));
}

function plain(value: unknown): unknown {
  if (!isJsonObject(value)) return value;
  const { $date, $oid, iso, __type: type, ...others } = value;
  if (type === 'Date') return iso;
  const digits = NUMBERS.map((name) => others[name]).find((text) => text !== undefined);
  if (digits !== undefined) return numberOf(digits);
  const wrapped = $date ?? $oid;
  return wrapped === undefined ? value : plain(wrapped);
}

/** The number in a wrapper. Digits that a number would change, and what is no number, stay text. */
function numberOf(digits: unknown): unknown {
  const number = typeof digits === 'string' && digits.trim() !== '' ? Number(digits) : NaN;
  return Number.isFinite(number) && Math.abs(number) <= Number.MAX_SAFE_INTEGER ? number : digits;
}
