import { isJsonObject, type JsonObject, type JsonValue, PUSH_VENDORS, type PushVendor } from '@postrider/domain';

/** A record of a file: a column of CSV by its name or number, a member of a JSON object by its name. */
export type SourceRecord = Readonly<Record<string, unknown>>;

/** The data about one device in a file, before it is checked. */
export interface ImportDraft {
  /** Null: nobody is named, so the device is a guest's. */
  userId: unknown;
  /** Fields of a registration, as a device would send them. Empty ones are absent. */
  fields: JsonObject;
  /** By key. A tag without a value has ''. */
  tags: Readonly<Record<string, string>>;
  /** Attributes of the user. */
  attributes: JsonObject;
  /** Values that were left out because the format cannot read them. */
  unread?: readonly UnreadValue[];
}

/** A value of a record that cannot be read: its field, and what it must be. */
export interface UnreadValue {
  field: string;
  message: string;
}

/**
 * A format's reading of a record: a device, the reason why it cannot be pushed to (`skipped`), or what is wrong with
 * it, and in which column.
 */
export type FormatReading = { draft: ImportDraft } | { skipped: string } | { problem: string; column?: string };

/** Reads a record of one format. `pushType` is the vendor of tokens in lists that do not name it. */
export type ReadFormat = (record: SourceRecord, pushType: PushVendor | null) => FormatReading;

/**
 * From which columns or members a format reads a field, if their names differ; the first one that a record has counts.
 * `attributes`: from whose members.
 */
export type FieldColumns = Readonly<Record<string, readonly string[]>>;

const DEVICE_TYPE_OF: Record<PushVendor, string> = { fcm: 'android', hms: 'android', apns: 'ios', webpush: 'web' };

/** Gives the device of a listed token the kind of device that its vendor is for, unless the file or a mapping has one. */
export function withDeviceType(fields: JsonObject): JsonObject {
  const vendor = PUSH_VENDORS.find((one) => one === fields.pushType);
  return vendor === undefined ? fields : { deviceType: DEVICE_TYPE_OF[vendor], ...fields };
}

/** The fields of a token in a list. */
export function tokenFields(pushType: PushVendor, token: string, deviceType = DEVICE_TYPE_OF[pushType]): JsonObject {
  return { deviceType, ...pushFields(pushType, token) };
}

/** The same without the kind of device. */
export function pushFields(pushType: PushVendor, token: string): JsonObject {
  return { pushType, deviceToken: pushType === 'apns' ? apnsToken(token) : token };
}

/** An APNs token in the form that apps register: `<0A1B …>` is the same as `0a1b…`. */
export function apnsToken(token: string): string {
  const bare = token.replace(/[<>\s]/g, '');
  return /^[0-9a-f]+$/i.test(bare) ? bare.toLowerCase() : token;
}

/** Says that the user does not want pushes. */
export const DENIED = { tokenStatus: 'DENIED' } as const;

/** The text of a value, without blanks around it. Null if there is none. Numbers and booleans are text too. */
export function textOf(value: unknown): string | null {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = typeof value === 'string' ? value.trim() : '';
  return text === '' ? null : text;
}

/**
 * The id of a user as text. A number whose digits JSON may have changed stays a number, which is refused when the record
 * is checked: two users must never become one.
 */
export function userIdOf(value: unknown): unknown {
  return typeof value === 'number' && !Number.isSafeInteger(value) ? value : textOf(value);
}

/**
 * The id in a reference to a user: a pointer of Parse or its JSON text, or an ObjectId of MongoDB. Anything else is
 * returned as it is.
 */
export function referredId(value: unknown): unknown {
  const mayRefer = typeof value === 'object' || (typeof value === 'string' && value.startsWith('{'));
  if (!mayRefer) return value;
  const { __type: type, objectId, $oid } = membersOf(value);
  return (type === 'Pointer' || type === 'Object' ? objectId : $oid) ?? value;
}

/**
 * The id of a user in a list, as text. An object or an array stays, and is refused when the record is checked: the
 * device must not become a guest's.
 */
export function listedUserOf(value: unknown): unknown {
  const id = referredId(value);
  return typeof id === 'object' && id !== null ? id : userIdOf(id);
}

/**
 * The token in a column, or the reason why there is none. Only a text is a token: JSON may have changed the digits of a
 * number.
 */
export function tokenIn(
  column: string,
  value: unknown,
): { token: string } | { skipped: string } | { problem: string; column: string } {
  if (value === undefined || value === null) return { skipped: 'has no token' };
  if (typeof value !== 'string') return { problem: 'must be text', column };
  const token = value.trim();
  return token === '' ? { skipped: 'has no token' } : { token };
}

/** Without the members that have no value. */
export function saying(fields: Record<string, unknown>): JsonObject {
  const said: Record<string, unknown> = {};
  for (const name of Object.keys(fields)) {
    const value = fields[name];
    if (value === undefined || value === null || value === '') continue;
    // Assigned, it would become the prototype.
    if (name === '__proto__') Object.defineProperty(said, name, { value, enumerable: true });
    else said[name] = value;
  }
  return said as JsonObject;
}

/** The entry of a table by a name from a file. What every object has (`constructor`) is no entry. */
export function entryOf<Entry>(table: Readonly<Record<string, Entry>>, name: string): Entry | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** True for `true`, `t`, `yes`, 1. */
export function isTrue(value: unknown): boolean {
  return /^(?:true|t|yes|y|1)$/i.test(textOf(value) ?? '');
}

/** True for `false`, `f`, `no`, 0. */
export function isFalse(value: unknown): boolean {
  return /^(?:false|f|no|n|0)$/i.test(textOf(value) ?? '');
}

/** Texts that systems write if there is no time. */
const NO_TIME = /^(?:0+|0000-00-00(?:[ T]00:00:00)?|null|\\N)$/i;
const NUMBER = /^\d+(?:\.\d+)?$/;
/** Spreadsheets write long numbers like this. With five digits it is a day, with fewer it may be a year. */
const SCIENTIFIC = /^\d\.\d{4,}E\+?\d{1,2}$/i;
/** The year comes first: in `02/11/2025` nobody knows which number is the month. */
const TEXT =
  /^(\d{4})([-/])(\d\d)\2(\d\d)(?:[ T](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?) ?(?:UTC|Z|GMT|([+-]\d\d):?(\d\d)?)?(?: UTC)?)?$/;
/** Numbers below are seconds, others are milliseconds: the year 1973, or 5138. */
const FIRST_MILLISECONDS = 1e11;

/** What a time must be, for error messages. */
export const TIME_FORMS =
  'must be a time: seconds or milliseconds since 1970 (in digits, or as 1.7305E+09 with five digits or more), or text such as 2026-05-01T09:00:00Z';

/**
 * A moment in the forms of other systems: seconds or milliseconds since 1970, ISO 8601, `2024-05-01 09:00:00 UTC`.
 *
 * @returns null if there is none; 'unreadable' for a text that is ambiguous or not a time
 */
export function momentOf(value: unknown): Date | null | 'unreadable' {
  const text = textOf(value);
  if (text === null) return (value ?? '') === '' || typeof value === 'string' ? null : 'unreadable';
  if (NO_TIME.test(text)) return null;
  if (!NUMBER.test(text) && !SCIENTIFIC.test(text)) return momentOfText(text);
  const number = Number(text);
  return validDate(number < FIRST_MILLISECONDS ? number * 1_000 : number);
}

function momentOfText(text: string): Date | 'unreadable' {
  const [, year, , month, day, time = '00:00', hours, minutes = '00'] = TEXT.exec(text) ?? [];
  if (year === undefined || !isDay(Number(year), Number(month), Number(day))) return 'unreadable';
  const offset = hours === undefined ? 'Z' : `${hours}:${minutes}`;
  return validDate(Date.parse(`${year}-${month}-${day}T${time}${offset}`));
}

const DAYS_OF_MONTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** True if this day exists: otherwise 30 February would be read as 2 March. */
function isDay(year: number, month: number, day: number): boolean {
  const isLeapDay = month === 2 && day === 29 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return isLeapDay || (day >= 1 && day <= (DAYS_OF_MONTHS[month - 1] ?? 0));
}

/** Nothing was installed before 1970, and nothing is after the year 9999. */
function validDate(ms: number): Date | 'unreadable' {
  return ms > 0 && ms < 253_402_300_800_000 ? new Date(Math.round(ms)) : 'unreadable';
}

/** What a place must be, for error messages. */
export const PLACE = 'must be a place: latitude and longitude such as 52.1,5.1, or JSON with lat and long';

/** `52.1,5.1`, also in parentheses (as PostgreSQL writes a point), or the same as JSON. Null for anything else. */
export function placeOf(value: unknown): { lat: number; lng: number } | null {
  const { lat: north, lng: east, lon = east, long = lon } = membersOf(value);
  if (north !== undefined) return placeOf(`${textOf(north)},${textOf(long)}`);
  const pair = (textOf(value) ?? '').replace(/^\((.*)\)$/, '$1');
  const [lat, lng, ...more] = pair.split(',').map((part) => Number(part.trim() || NaN));
  if (lat === undefined || lng === undefined || more.length > 0) return null;
  return Math.abs(lat) <= 90 && Math.abs(lng) <= 180 ? { lat, lng } : null;
}

/** The later of two moments, either of which may be unknown. */
export function laterOf(one: Date | null, other: Date | null): Date | null {
  if (one === null || other === null) return one ?? other;
  return one > other ? one : other;
}

/** The value of a JSON text; a value that is not a text is returned unchanged. Undefined for text that is not JSON. */
export function jsonOf(value: unknown): JsonValue | undefined {
  if (typeof value !== 'string') return value as JsonValue | undefined;
  try {
    return JSON.parse(value) as JsonValue;
  } catch {
    return undefined;
  }
}

/** The members of an object, or of its JSON text. None for anything else. */
export function membersOf(value: unknown): Record<string, unknown> {
  const read = jsonOf(value);
  return isJsonObject(read) ? read : {};
}

/** A subscription of Web Push, in the form of a registration, which takes any form of base64. Null: a part is missing. */
export function subscriptionOf(endpoint: unknown, p256dh: unknown, auth: unknown): JsonObject | null {
  const parts = { endpoint: textOf(endpoint), p256dh: textOf(p256dh), auth: textOf(auth) };
  if (parts.endpoint === null || parts.p256dh === null || parts.auth === null) return null;
  return { endpoint: parts.endpoint, expirationTime: null, keys: { p256dh: parts.p256dh, auth: parts.auth } };
}

/** A tag for each member with a scalar value. '' is a tag without a value. */
export function tagsOf(value: unknown): Record<string, string> {
  const members = membersOf(value);
  const tags: [string, string][] = [];
  for (const key of Object.keys(members)) {
    const member = members[key];
    if (member !== null && typeof member !== 'object') tags.push([key, textOf(member) ?? '']);
  }
  // A tag may have the name `__proto__`.
  return Object.fromEntries(tags);
}
