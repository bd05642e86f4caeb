import { IMPORT_COLUMNS, parseChannel, type JsonObject } from '@postrider/domain';
import {
  type FieldColumns,
  type FormatReading,
  jsonOf,
  type ListedPushType,
  membersOf,
  saying,
  type SourceRecord,
  textOf,
  tokenFields,
  tokenIn,
} from './import-draft';

const PUSH_TYPES: Readonly<Record<string, ListedPushType>> = {
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

/** The names of Parse Server for fields that have another name in a registration. */
export const PARSE_COLUMNS: FieldColumns = {
  userId: ['_p_user', 'user'],
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
  const pushType = PUSH_TYPES[lower(record.pushType)] ?? PUSH_TYPES[deviceType];
  // As it was sent: `$numberLong` is a number too.
  const read = tokenIn('deviceToken', sent.deviceToken);
  if (!('token' in read)) return read;
  const { token } = read;
  if (pushType === undefined) return { skipped: `a device of type ${deviceType} cannot be reached` };
  return {
    draft: {
      userId: userOf(record),
      fields: saying({
        ...furtherFields(record),
        ...tokenFields(pushType, token, deviceType || undefined),
        clientVersion: textOf(record.appVersion),
        locale: textOf(record.localeIdentifier),
        timeZone: textOf(record.timeZone),
        parseInstallationId: textOf(record.installationId),
        subscriptions: channelsOf(record.channels),
        launchTime: record.updatedAt ?? record._updated_at,
        installDate: record.createdAt ?? record._created_at,
      }),
      tags: {},
      attributes: {},
    },
  };
}

function lower(value: unknown): string {
  return (textOf(value) ?? '').toLowerCase();
}

/** `_User$abc` of MongoDB, a pointer, its JSON text, or the bare id. */
function userOf({ user, _p_user: stored }: SourceRecord): string | null {
  const pointer = textOf(stored);
  if (pointer !== null) return pointer.slice(pointer.indexOf('$') + 1) || null;
  return textOf(membersOf(user).objectId) ?? textOf(user);
}

/** In Parse everybody is on the channel '', which is `default` here. */
function channelsOf(value: unknown): string[] | null {
  const list = jsonOf(value);
  if (!Array.isArray(list)) return null;
  return list.flatMap((name) => {
    const channel = typeof name === 'string' && name !== '' ? parseChannel(`public/${name}`) : null;
    return channel === null ? [] : [channel];
  });
}

function furtherFields(record: SourceRecord): Record<string, unknown> {
  const scalars = Object.entries(record).filter(([name, value]) => !READ.has(name) && typeof value !== 'object');
  return Object.fromEntries(scalars);
}

/** Removes the wrappers of MongoDB's Extended JSON (relaxed and canonical) and of Parse. */
function plainMembers(record: SourceRecord): SourceRecord {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, plain(value)]));
}

function plain(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const { $date, $numberInt, $numberLong, $numberDouble, $oid, iso, __type: type } = value as JsonObject;
  if (type === 'Date') return iso;
  const wrapped = $date ?? $numberInt ?? $numberLong ?? $numberDouble ?? $oid;
  return wrapped === undefined ? value : plain(wrapped);
}
