import { isUtf8 } from 'node:buffer';
import {
  columnsAsSpelled,
  columnsOf,
  IMPORT_LISTS,
  type ImportedDevice,
  type ImportFileKind,
  type ImportOptions,
  readImported,
  recordOf,
  type SourceRecord,
} from '@postrider/contracts';
import { csvCells, type CsvSeparator, namedSeparator } from '@postrider/domain';
import type { LineError } from '@postrider/persistence';
import { JsonSplitter, type RawRecord, RecordSplitter } from '@postrider/platform';

/** How the records of a file are read, as it is stored with the file. */
export interface StoredImportOptions extends ImportOptions {
  /** Whether the first record of a CSV file names its columns; otherwise they are numbered from 1. */
  hasHeader: boolean;
  /** What stands between the cells; null: it is no CSV. Absent in files of before: a comma. */
  separator?: CsvSeparator | null;
  /** How many tokens FCM is asked about in a second; null: it is not asked. Absent in files of before. */
  validationRate?: number | null;
}

/** How far a file is read. */
export interface ReadingPlace {
  kind: ImportFileKind;
  options: StoredImportOptions;
  /** CSV only: the column names as the file spells them, from the first record on. Of files of before, as the format does. */
  columns: string[] | null;
  position: number;
  lines: number;
  /** What follows from the columns, as soon as it was needed. */
  spelling?: Spelling;
}

/** The columns as they are read. */
interface Spelling {
  /** The columns as the format or the mapping spells them, in the order of the file. */
  keys: readonly string[];
  /** How records are read whose members are called so. */
  options: ImportOptions;
}

/** What records of a file say, in their order. */
export interface ReadRecords {
  devices: { line: number; device: ImportedDevice }[];
  skipped: number;
  errors: LineError[];
  /** What of devices is left out because it is wrong. */
  notices: LineError[];
  /** Why the file cannot be read on; the records before stand. */
  failure: string | null;
}

/** A device has few fields. */
const MOST_RECORD_BYTES = 1_048_576;
const MOST_COLUMNS = 1_000;
const NUL = 0;

/** What cuts the file into records, from where it was left. */
export function splitterOf({ kind, position, lines }: ReadingPlace): RecordSplitter | JsonSplitter {
  const maxBytes = MOST_RECORD_BYTES;
  if (kind === 'json') return new JsonSplitter({ offset: position, index: lines, maxBytes, listNames: IMPORT_LISTS });
  return new RecordSplitter({ offset: position, line: lines + 1, isQuoted: kind === 'csv', maxBytes });
}

/** What no records say. */
export function nothingRead(): ReadRecords {
  return { devices: [], skipped: 0, errors: [], notices: [], failure: null };
}

/**
 * Reads the next record, and notes in `result` what it says. The first record of a CSV file says the columns, which are noted in
 * `place`. After one that is a `failure` nothing can be read.
 */
export function readImportRecord(place: ReadingPlace, record: RawRecord, result: ReadRecords): void {
  result.failure = readRecord(place, record, result);
}

/** @returns why nothing can be read from here on; null: go on */
function readRecord(place: ReadingPlace, record: RawRecord, result: ReadRecords): string | null {
  const { line, bytes, problem } = record;
  const name = place.kind === 'json' ? `element ${line}` : `line ${line}`;
  const refuse = (message: string, isFatal: boolean): string | null => {
    if (!isFatal) result.errors.push({ line, message });
    return isFatal ? `${name} ${message}` : null;
  };
  // After an unterminated value nothing further can be read.
  if (bytes === null) return refuse(problem ?? 'cannot be read', place.kind === 'json');
  if (bytes.includes(NUL)) return refuse('holds NUL', true);
  if (!isUtf8(bytes)) return refuse('is not UTF-8', true);
  const source = sourceOf(place, bytes.toString('utf8'));
  if (typeof source === 'string') return refuse(source, makesNoSense(place, record));
  if (source !== null) note(readImported(source, spellingOf(place).options), line, result);
  return null;
}

/** @returns a record; what is wrong with it; null: it says nothing of a device */
function sourceOf(place: ReadingPlace, text: string): SourceRecord | string | null {
  if (text.trim() === '') return null;
  return place.kind === 'csv' ? csvRecord(place, text) : jsonRecord(text);
}

/** A file whose first record makes no sense is of no format. */
function makesNoSense({ position, kind, columns }: ReadingPlace, { line }: RawRecord): boolean {
  return position === 0 && (kind === 'csv' ? columns === null : kind === 'json' && line === 0);
}

function note(reading: ReturnType<typeof readImported>, line: number, result: ReadRecords): void {
  if ('device' in reading) {
    result.devices.push({ line, device: reading.device });
    if (reading.notice !== null) result.notices.push({ line, message: reading.notice });
  } else if ('skipped' in reading) result.skipped += 1;
  else result.errors.push({ line, message: reading.problem });
}

/** @returns a record by its columns; what is wrong with it; null: it names the columns, or their separator */
function csvRecord(place: ReadingPlace, text: string): SourceRecord | string | null {
  const { hasHeader, separator } = place.options;
  if (place.columns === null && namedSeparator(text) !== null) return null;
  const cells = csvCells(text, separator ?? ',');
  if (cells === null) return 'is not CSV: a quote stands where none may';
  if (place.columns === null && hasHeader) return readHeader(place, cells);
  place.columns ??= cells.map((_cell, index) => String(index + 1));
  const mostCells = hasHeader ? place.columns.length : MOST_COLUMNS;
  if (isFilledBehind(cells, mostCells)) return `has more than ${mostCells} fields`;
  return recordByColumns(spellingOf(place).keys, cells);
}

/** Spreadsheets write cells without a text behind the others, which say nothing. */
function isFilledBehind(cells: readonly string[], most: number): boolean {
  return cells.length > most && cells.slice(most).some((cell) => cell !== '');
}

/** Cells without a text say nothing, and neither do those of a column without a name. */
function recordByColumns(columns: readonly string[], cells: readonly string[]): SourceRecord {
  const record: Record<string, string> = {};
  for (let at = 0; at < cells.length; at++) {
    const cell = cells[at] as string;
    const column = columns[at] ?? String(at + 1);
    if (cell !== '' && column !== '') record[column] = cell;
  }
  return record;
}

/** @returns what is wrong with the names of the columns; null: nothing, and they are noted */
function readHeader(place: ReadingPlace, cells: readonly string[]): string | null {
  const { mapping, format } = place.options;
  const names = cells.map((cell) => cell.trim());
  // Spreadsheets write columns without a name behind the others.
  const named = names.slice(0, names.findLastIndex((name) => name !== '') + 1);
  const known = new Set(named);
  if (known.size < named.length) return 'names a column twice';
  const spelled = columnsAsSpelled(format, names);
  const mapped = mapping === null ? [] : columnsOf(mapping);
  const missing = mapped.find((column) => !known.has(column) && !spelled.includes(column));
  if (missing !== undefined) return `names no column ${missing}`;
  place.columns = names;
  return null;
}

/** How the records of a file are read whose columns are known; of JSON there are none. */
function spellingOf(place: ReadingPlace): Spelling {
  const { columns, options } = place;
  return (place.spelling ??=
    columns === null || !options.hasHeader
      ? { keys: columns ?? [], options: { ...options, nameOf: nameOfNumber } }
      : spellingOfHeader(columns, options));
}

function spellingOfHeader(columns: readonly string[], options: StoredImportOptions): Spelling {
  const mapped = options.mapping === null ? [] : columnsOf(options.mapping);
  const spelled = columnsAsSpelled(options.format, columns);
  // A mapping may name a column as the file spells it.
  const keys = columns.map((name, at) => (mapped.includes(name) ? name : (spelled[at] as string)));
  const names = new Map(keys.map((key, at) => [key, columns[at] as string]));
  return { keys, options: { ...options, nameOf: (key) => names.get(key) ?? key } };
}

/** A file without a header has numbered columns; JSON has members, whose names stand in it. */
function nameOfNumber(column: string): string {
  return /^\d+$/.test(column) ? `column ${column}` : column;
}

function jsonRecord(text: string): SourceRecord | string {
  try {
    return recordOf(JSON.parse(text)) ?? 'must be a JSON object';
  } catch {
    return 'is not JSON';
  }
}
