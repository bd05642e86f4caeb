import {
  DAY_MS,
  EXPO_TOKEN,
  type ImportFormat,
  isExpoToken,
  type JsonObject,
  type JsonValue,
  normaliseName,
  normaliseText,
  type PushVendor,
} from '@postrider/domain';
import { readAttributeValue } from '../devices/attribute-value';
import { registrationOf, RegistrationRequest, type StoredRegistration } from '../devices/registration.request';
import { MOST_TAGS } from '../tags/tags.request';
import { readRequest } from '../validation/read-request';
import {
  type ImportDraft,
  laterOf,
  membersOf,
  momentOf,
  PLACE,
  type SourceRecord,
  TIME_FORMS,
  type UnreadValue,
  withDeviceType,
} from './import-draft';
import { readerOf } from './import-formats';
import { applyMapping, valueAt } from './import-mapping';
import { type FileColumns, sayOfColumn, sayOfField } from './name-column';
import { mappableOfParse } from './parse.format';

/** How the records of a file are read. */
export interface ImportOptions extends FileColumns {
  /** The vendor of tokens in lists that do not name it. */
  pushType: PushVendor | null;
  /** When the file was uploaded, in ms since 1970: later times in it are wrong. Absent: unknown. */
  cameAt?: number;
}

/** A device that a file names, checked. */
export interface ImportedDevice {
  /** The user, or null: a guest. */
  userId: string | null;
  registration: StoredRegistration & { pushType: NonNullable<StoredRegistration['pushType']>; token: string };
  tags: string[];
  tagValues: Record<string, string>;
  attributes: JsonObject;
  /** The time of this data. Null: unknown. */
  at: Date | null;
}

/**
 * A device, and the wrong values of its record that were left out (null: none); or the reason why a record is not a
 * device: it cannot be pushed to (`skipped`), or it is wrong.
 */
export type ImportReading =
  { device: ImportedDevice; notice: string | null } | { skipped: string } | { problem: string };

/** A placeholder for the user of a guest's device while it is read. */
const NOBODY = 'nobody';
const DEEPEST = 16;
const TOO_DEEP = `is nested deeper than ${DEEPEST} levels`;
const NO_TOKEN = { skipped: 'has no token' };
/** Without these the device cannot be pushed to, or belongs to somebody else. Everything else may be left out. */
const NEEDED: ReadonlySet<string> = new Set(['deviceToken', 'pushType', 'userId']);
const TIMES = ['launchTime', 'installDate'] as const;
/** The unknown time zone of a system can make a difference of a day. */
const LATER = 'must be a time in the past: it is more than a day after the upload of the file';
/** The most characters of a record's problems in a message. */
const MOST_TOLD = 1_000;

/** Reads a record of a file. Never throws. */
export function readImported(record: SourceRecord, options: ImportOptions): ImportReading {
  try {
    return read(record, options);
  } catch (error) {
    // A record with ten thousand levels exceeds the stack.
    if (error instanceof RangeError) return { problem: TOO_DEEP };
    throw error;
  }
}

function read(record: SourceRecord, options: ImportOptions): ImportReading {
  const { format, mapping, pushType } = options;
  const reading = readerOf(format)(record, pushType);
  if ('skipped' in reading) return reading;
  if ('problem' in reading) {
    const { problem, column } = reading;
    return { problem: column === undefined ? problem : sayOfColumn(options, column, problem) };
  }
  const { draft } = reading;
  const unread: UnreadValue[] = (draft.unread ?? []).filter(({ field }) => mapping?.[field] === undefined);
  const checked = check(withOptions(draft, options, record), options, unread);
  const say = (value: UnreadValue): string => sayOfField(options, mappableOf(format, record), value);
  if ('problem' in checked) return { problem: say(checked.problem) };
  return 'skipped' in checked ? checked : { device: checked, notice: noticeOf(unread.map(say)) };
}

/** Adds to what a format read what its upload says: the push type, and the mapping. */
function withOptions(
  draft: ImportDraft,
  { format, mapping, pushType }: ImportOptions,
  record: SourceRecord,
): ImportDraft {
  if (pushType !== null && draft.fields.pushType === undefined) draft.fields.pushType = pushType;
  const mapped = mapping === null ? draft : applyMapping(draft, mapping, mappableOf(format, record));
  return format === 'tokens' ? { ...mapped, fields: withDeviceType(mapped.fields) } : mapped;
}

function noticeOf(unread: readonly string[]): string | null {
  if (unread.length === 0) return null;
  const told = unread.join('; ').slice(0, MOST_TOLD);
  return `${told}; the device is imported without ${unread.length === 1 ? 'it' : 'them'}`;
}

/** True if a record of a file has a column that a mapping names, whatever its value. */
export function hasMappedColumn(format: ImportFormat, record: SourceRecord, column: string): boolean {
  return valueAt(mappableOf(format, record), column) !== undefined;
}

/**
 * The members that a mapping may name: an endpoint of SNS has its data in `Attributes`, whose names callers know, and
 * Parse has pointers.
 */
function mappableOf(format: ImportFormat, record: SourceRecord): SourceRecord {
  if (format === 'parse') return mappableOfParse(record);
  return format === 'sns' ? { ...membersOf(record.Attributes), ...record } : record;
}

/** @param unread collects what is left out of the device */
function check(
  { userId, fields, tags, attributes }: ImportDraft,
  { cameAt = Infinity }: ImportOptions,
  unread: UnreadValue[],
): ImportedDevice | { skipped: string } | { problem: UnreadValue } {
  fields.userId = (userId ?? NOBODY) as JsonValue;
  const unstorable = leaveOutUnstorable(fields, unread);
  if (unstorable !== null) return { problem: unstorable };
  readTimes(fields, cameAt + DAY_MS, unread);
  const checked = checkRegistration(fields, unread);
  if (!('registration' in checked)) return checked;
  const { registration } = checked;
  return {
    userId: (userId ?? null) === null ? null : registration.userId,
    registration,
    ...checkTags(tags, unread),
    attributes: checkAttributes(attributes, unread),
    at: laterOf(registration.launchTime, registration.installDate),
  };
}

/** @returns the problem, if the device is useless without the value */
function leaveOutUnstorable(fields: JsonObject, unread: UnreadValue[]): UnreadValue | null {
  if (problemOfValue(fields, DEEPEST) === null) return null;
  for (const field of Object.keys(fields)) {
    const message = problemOfValue(field, DEEPEST) ?? problemOfValue(fields[field], DEEPEST - 1);
    if (message === null) continue;
    if (NEEDED.has(field)) return { field, message };
    unread.push({ field, message });
    Reflect.deleteProperty(fields, field);
  }
  return null;
}

/** A time that cannot be read is left out, and never replaced by now. */
function readTimes(fields: JsonObject, latest: number, unread: UnreadValue[]): void {
  for (const field of TIMES) {
    if (fields[field] === undefined) continue;
    const moment = momentOf(fields[field]);
    const isRead = moment instanceof Date && moment.getTime() <= latest;
    fields[field] = isRead ? moment.getTime() : null;
    if (moment !== null && !isRead) unread.push({ field, message: moment === 'unreadable' ? TIME_FORMS : LATER });
  }
}

function checkRegistration(
  fields: JsonObject,
  unread: UnreadValue[],
): { registration: ImportedDevice['registration'] } | { skipped: string } | { problem: UnreadValue } {
  const { request, problems } = readRequest(RegistrationRequest, fields);
  for (const { path, message } of problems) {
    const [field = ''] = path.split(/[.[]/, 1);
    const value = unreadValue({ path, field, message }, fields);
    if (NEEDED.has(field)) return { problem: value };
    unread.push(value);
    // An incomplete place is left out.
    if (field === 'location') delete request.location;
  }
  const registration = registrationOf(request);
  const { token, pushType } = registration;
  if (token === null) return NO_TOKEN;
  const wrong = problemOfToken(token, pushType);
  if (wrong !== null) return { problem: wrong };
  // Absent if there were too many.
  registration.registration ??= {};
  return { registration: registration as ImportedDevice['registration'] };
}

function unreadValue(
  { path, field, message }: { path: string; field: string; message: string },
  { location }: JsonObject,
): UnreadValue {
  if (path === 'location' && typeof location === 'string') return { field, message: PLACE };
  return { field: path === '' || field === 'rest' ? 'the further fields' : path, message };
}

function problemOfToken(token: string, pushType: StoredRegistration['pushType']): UnreadValue | null {
  if (isExpoToken(token)) return { field: 'deviceToken', message: EXPO_TOKEN };
  // Tokens of APNs are hexadecimal; FCM gives such tokens to iPhones too.
  if (pushType === 'apns' && token.includes(':APA91b'))
    return { field: 'deviceToken', message: 'is a token of FCM; import it with the push type fcm' };
  return pushType === null ? { field: 'pushType', message: 'is missing: fcm, apns, hms or webpush' } : null;
}

/** Finds values that a database cannot store: NUL and half a character in a text, and very deep nesting. */
function problemOfValue(value: unknown, levels: number): string | null {
  if (typeof value === 'string') return normaliseText(value) === null ? 'holds NUL or half a character' : null;
  if (typeof value !== 'object' || value === null) return null;
  if (levels === 0) return TOO_DEEP;
  for (const name of Object.keys(value)) {
    const problem = problemOfValue(name, levels) ?? problemOfValue((value as JsonObject)[name], levels - 1);
    if (problem !== null) return problem;
  }
  return null;
}

function checkTags(
  tags: Readonly<Record<string, string>>,
  unread: UnreadValue[],
): { tags: string[]; tagValues: Record<string, string> } {
  const read: { tags: string[]; tagValues: [string, string][] } = { tags: [], tagValues: [] };
  for (const key of Object.keys(tags)) {
    const text = tags[key] as string;
    const name = normaliseName(key);
    const value = text === '' ? '' : normaliseName(text);
    if (name === null || value === null) {
      unread.push({ field: `tags.${key}`, message: 'must be 1 to 255 characters, and so its value' });
      continue;
    }
    read.tags.push(name);
    if (value !== '') read.tagValues.push([name, value]);
  }
  if (read.tags.length <= MOST_TAGS) return { tags: read.tags, tagValues: Object.fromEntries(read.tagValues) };
  unread.push({ field: 'tags', message: `must be at most ${MOST_TAGS}` });
  return { tags: [], tagValues: {} };
}

function checkAttributes(attributes: JsonObject, unread: UnreadValue[]): JsonObject {
  const read: [string, JsonValue][] = [];
  for (const [key, value] of Object.entries(attributes)) {
    const name = normaliseName(key);
    const reading = readAttributeValue(value);
    const unstorable = problemOfValue(value, DEEPEST);
    if (name === null) unread.push({ field: `attributes.${key}`, message: 'must have a name of 1 to 255 characters' });
    else if (unstorable !== null) unread.push({ field: `attributes.${key}`, message: unstorable });
    else if ('problem' in reading) unread.push({ field: `attributes.${key}`, message: reading.problem });
    else if (reading.value !== null) read.push([name, reading.value]);
  }
  return Object.fromEntries(read);
}
