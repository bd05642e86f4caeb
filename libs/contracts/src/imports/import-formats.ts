import { type ImportFormat, isJsonObject, recogniseMembers } from '@postrider/domain';
import { PINPOINT_COLUMNS, readPinpoint, readSns, SNS_COLUMNS } from './aws.formats';
import { type FieldColumns, type FormatReading, type ReadFormat, type SourceRecord, textOf } from './import-draft';
import { readTokens, readWebPush, TOKEN_COLUMNS, WEB_PUSH_COLUMNS } from './list.formats';
import { ONESIGNAL_COLUMNS, readOneSignal } from './onesignal.format';
import { PARSE_COLUMNS, readParse } from './parse.format';

/** The form of a file: records of CSV, one JSON value per line, or one JSON document. */
export type ImportFileKind = 'csv' | 'ndjson' | 'json';

const READERS: Readonly<Record<ImportFormat, { read: ReadFormat; columns: FieldColumns }>> = {
  onesignal: { read: readOneSignal, columns: ONESIGNAL_COLUMNS },
  parse: { read: readParse, columns: PARSE_COLUMNS },
  sns: { read: readSns, columns: SNS_COLUMNS },
  pinpoint: { read: readPinpoint, columns: PINPOINT_COLUMNS },
  webpush: { read: readWebPush, columns: WEB_PUSH_COLUMNS },
  tokens: { read: readTokens, columns: TOKEN_COLUMNS },
  mapping: {
    read: (): FormatReading => ({ draft: { userId: null, fields: {}, tags: {}, attributes: {} } }),
    columns: {},
  },
};

/** The reader for the records of a format. */
export function readerOf(format: ImportFormat): ReadFormat {
  return READERS[format].read;
}

/** From which columns a format reads fields that have another name there. */
export function fieldColumnsOf(format: ImportFormat): FieldColumns {
  return READERS[format].columns;
}

/** The format of a JSON value: an object by its members, or a text with a subscription. Null: none. */
export function recogniseValue(value: unknown): ImportFormat | null {
  if (typeof value === 'string') return value.trimStart().startsWith('{') ? 'webpush' : null;
  return isJsonObject(value) ? recogniseMembers(Object.keys(value)) : null;
}

/** The record in a JSON value (an object, or a text with one), or null. */
export function recordOf(value: unknown): SourceRecord | null {
  if (typeof value === 'string') {
    const text = textOf(value);
    return text === null ? null : { subscription: text };
  }
  return isJsonObject(value) ? value : null;
}
