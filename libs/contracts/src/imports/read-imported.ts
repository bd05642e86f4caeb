import { type JsonObject, type JsonValue, normaliseName, normaliseText } from '@postrider/domain';
import { readAttributeValue } from '../devices/attribute-value';
import { registrationOf, RegistrationRequest, type StoredRegistration } from '../devices/registration.request';
import { MOST_TAGS } from '../tags/tags.request';
import { readRequest } from '../validation/read-request';
import { type ImportDraft, type ListedPushType, membersOf, type SourceRecord } from './import-draft';
import { type ImportFormat, readerOf } from './import-formats';
import { applyMapping, type ImportMapping } from './import-mapping';

/** How the records of a file are read. */
export interface ImportOptions {
  format: ImportFormat;
  mapping: ImportMapping | null;
  pushType: ListedPushType | null;
}

/** A device that a file names, checked. */
export interface ImportedDevice {
  /** The user, or null: a guest. */
  userId: string | null;
  registration: StoredRegistration & { pushType: NonNullable<StoredRegistration['pushType']>; token: string };
  tags: string[];
  tagValues: Record<string, string>;
  attributes: JsonObject;
  /** When this was true; null: nobody says. */
  at: Date | null;
}

/** A device, or why a record is none: it cannot be pushed to (`skipped`), or it is wrong. */
export type ImportReading = { device: ImportedDevice } | { skipped: string } | { problem: string };

/** Stands for the user of a guest's device while it is read. */
const NOBODY = 'nobody';
const DEEPEST = 16;
const TOO_DEEP = `is nested deeper than ${DEEPEST} levels`;

/** Reads a record of a file. Never throws. */
export function readImported(record: SourceRecord, options: ImportOptions): ImportReading {
  try {
    return read(record, options);
  } catch (error) {
    // Whoever nests ten thousand levels finds the end of the stack.
    if (error instanceof RangeError) return { problem: TOO_DEEP };
    throw error;
  }
}

function read(record: SourceRecord, { format, mapping, pushType }: ImportOptions): ImportReading {
  const reading = readerOf(format)(record, pushType);
  if (!('draft' in reading)) return reading;
  const { draft } = reading;
  if (pushType !== null && draft.fields.pushType === undefined) draft.fields.pushType = pushType;
  return check(mapping === null ? draft : applyMapping(draft, mapping, mappableOf(format, record)));
}

/** What a mapping may name: an endpoint of SNS keeps its facts in `Attributes`, and callers know them by their own names. */
function mappableOf(format: ImportFormat, record: SourceRecord): SourceRecord {
  return format === 'sns' ? { ...membersOf(record.Attributes), ...record } : record;
}

function check({ userId, fields, tags, attributes, at }: ImportDraft): ImportReading {
  const unstorable = problemOfValue(fields, DEEPEST) ?? problemOfValue(attributes, DEEPEST - 1);
  if (unstorable !== null) return { problem: unstorable };
  fields.userId = (userId ?? NOBODY) as JsonValue;
  const checked = checkRegistration(fields);
  if ('problem' in checked) return checked;
  const carried = checkTags(tags);
  if ('problem' in carried) return carried;
  const values = checkAttributes(attributes);
  if ('problem' in values) return values;
  return {
    device: {
      userId: (userId ?? null) === null ? null : checked.registration.userId,
      registration: checked.registration,
      tags: carried.tags,
      tagValues: carried.tagValues,
      attributes: values.attributes,
      at,
    },
  };
}

function checkRegistration(fields: JsonObject): { registration: ImportedDevice['registration'] } | { problem: string } {
  const { request, problems } = readRequest(RegistrationRequest, fields);
  const [problem] = problems;
  if (problem !== undefined) return { problem: `${problem.path} ${problem.message}` };
  const registration = registrationOf(request);
  if (registration.token === null) return { problem: 'deviceToken is missing' };
  if (registration.pushType === null) return { problem: 'pushType is missing: fcm, apns, hms or webpush' };
  return { registration: registration as ImportedDevice['registration'] };
}

/** What a database cannot store: NUL and half a character in a text, and what is nested without end. */
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
): { tags: string[]; tagValues: Record<string, string> } | { problem: string } {
  const read: { tags: string[]; tagValues: [string, string][] } = { tags: [], tagValues: [] };
  for (const key of Object.keys(tags)) {
    const text = tags[key] as string;
    const name = normaliseName(key);
    const value = text === '' ? '' : normaliseName(text);
    if (name === null || value === null)
      return { problem: `tags.${key} must be 1 to 255 characters, and so its value` };
    read.tags.push(name);
    if (value !== '') read.tagValues.push([name, value]);
  }
  if (read.tags.length > MOST_TAGS) return { problem: `must have at most ${MOST_TAGS} tags` };
  return { tags: read.tags, tagValues: Object.fromEntries(read.tagValues) };
}

function checkAttributes(attributes: JsonObject): { attributes: JsonObject } | { problem: string } {
  const read: JsonObject = {};
  for (const [key, value] of Object.entries(attributes)) {
    const name = normaliseName(key);
    const reading = readAttributeValue(value);
    if (name === null) return { problem: `attributes.${key} must have a name of 1 to 255 characters` };
    if ('problem' in reading) return { problem: `attributes.${key} ${reading.problem}` };
    if (reading.value !== null) read[name] = reading.value;
  }
  return { attributes: read };
}
