import { isUtf8 } from 'node:buffer';
import {
  columnsAsSpelled,
  columnsOf,
  hasMappedColumn,
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

/** How the records of a file are read; it is stored with the file. */
export interface StoredImportOptions extends ImportOptions {
  /** True if the first record of a CSV file names its columns; otherwise they are numbered from 1. */
  hasHeader: boolean;
  /** The separator between the cells; null: the file is not CSV. Absent in older files: a comma. */
  separator?: CsvSeparator | null;
  /** How many tokens a second FCM is asked about; null, or absent in older files: FCM is not asked. */
  validationRate?: number | null;
}

/** The progress of reading a file. */
export interface ReadingPlace {
  kind: ImportFileKind;
  options: StoredImportOptions;
  /**
   * CSV: the column names as the file spells them, once the first record is read; their numbers if it has no header. In
   * older files: as the format spells them. JSON with a mapping: the columns that the mapping names and that a record
   * has; null if an older version read records without noting them. An array is replaced, never changed: a stretch
   * keeps the one that it ends with.
   */
  columns: string[] | null;
  position: number;
  lines: number;
  /** The columns of the mapping that no record of JSON has so far. Computed when it is first needed. */
  unseen?: readonly string[];
  /** Computed from the columns when it is first needed. */
  spelling?: Spelling;
}

/** How the columns are read. */
interface Spelling {
  /** The columns as the format or the mapping spells them, in the order of the file. */
  keys: readonly string[];
  /** The options for reading records with these keys. */
  options: ImportOptions;
}

/** The results of reading records of a file, in their order. */
export interface ReadRecords {
  devices: { line: number; device: ImportedDevice }[];
  skipped: number;
  errors: LineError[];
  /** Values of devices that were left out because they are wrong. */
  notices: LineError[];
  /** Why the file cannot be read further; the records before stay valid. Null: it can. */
  failure: string | null;
}

/** A device has few fields. */
const MOST_RECORD_BYTES = 1_048_576;
const MOST_COLUMNS = 1_000;
const NUL = 0;

/** Returns a splitter that cuts the file into records, from the place where reading stopped. */
export function splitterOf({ kind, position, lines }: ReadingPlace): RecordSplitter | JsonSplitter {
  const maxBytes = MOST_RECORD_BYTES;
  if (kind === 'json') return new JsonSplitter({ offset: position, index: lines, maxBytes, ...IMPORT_LISTS });
  return new RecordSplitter({ offset: position, line: lines + 1, isQuoted: kind === 'csv', maxBytes });
}

/** Returns an empty result. */
export function nothingRead(): ReadRecords {
  return { devices: [], skipped: 0, errors: [], notices: [], failure: null };
}

/**
 * Reads the next record, and adds its result to `result`. The first record of a CSV file sets the columns in `place`.
 * After a `failure` nothing more can be read.
 */
export function readImportRecord(place: ReadingPlace, record: RawRecord, result: ReadRecords): void {
  result.failure = readRecord(place, record, result);
}

/** @returns why nothing more can be read; null: reading can continue */
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
  if (source !== null && place.kind !== 'csv') noteColumns(place, source);
  if (source !== null) note(readImported(source, spellingOf(place).options), line, result);
  return null;
}

/** @returns the record; or a text that says what is wrong; or null: the text holds no record */
function sourceOf(place: ReadingPlace, text: string): SourceRecord | string | null {
  if (text.trim() === '') return null;
  return place.kind === 'csv' ? csvRecord(place, text) : jsonRecord(place, text);
}

/** Notes which columns of the mapping a record of JSON has. */
function noteColumns(place: ReadingPlace, source: SourceRecord): void {
  const { mapping, format } = place.options;
  if (mapping === null) return;
  if (place.columns === null && place.position > 0) return;
  const seen = (place.columns ??= []);
  const unseen = (place.unseen ??= columnsOf(mapping).filter((column) => !seen.includes(column)));
  const found = unseen.filter((column) => hasMappedColumn(format, source, column));
  if (found.length === 0) return;
  place.columns = [...new Set([...seen, ...found])];
  place.unseen = unseen.filter((column) => !found.includes(column));
}

/** True if a bad record means that the file has no known format: it is the first record of a CSV or JSON file. */
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

/**
 * @returns the record by its columns; or a text that says what is wrong; or null: the line names the columns or their
 *   separator
 */
function csvRecord(place: ReadingPlace, text: string): SourceRecord | string | null {
  const { hasHeader, separator } = place.options;
  if (place.columns === null && namedSeparator(text) !== null) return null;
  const cells = csvCells(text, separator ?? ',');
  if (cells === null) return 'is not CSV: a quote stands where none may';
  if (place.columns === null && hasHeader) return readHeader(place, cells);
  const mostCells = mostCellsOf(place, cells);
  if (isFilledBehind(cells, mostCells)) return `has more than ${mostCells} fields`;
  return recordByColumns(spellingOf(place).keys, cells);
}

/** Returns how many filled cells a line may have. A file without a header has as many columns as its longest line. */
function mostCellsOf(place: ReadingPlace, cells: readonly string[]): number {
  const known = place.columns?.length ?? 0;
  if (place.options.hasHeader) return known;
  const count = Math.min(cells.length, MOST_COLUMNS);
  if (count > known) place.columns = Array.from({ length: count }, (_column, index) => String(index + 1));
  return MOST_COLUMNS;
}

/** True if a cell after the first `most` has a text. Spreadsheets add empty cells at the end. */
function isFilledBehind(cells: readonly string[], most: number): boolean {
  return cells.length > most && cells.slice(most).some((cell) => cell !== '');
}

/** What databases write in a text file where there is no value: MySQL and PostgreSQL `\N`, others their word for it. */
const NO_VALUE: ReadonlySet<string> = new Set(['', '\\N', 'NULL', 'null']);

/** Returns the record, without cells that hold no value and without columns that have no name. */
function recordByColumns(columns: readonly string[], cells: readonly string[]): SourceRecord {
  const record: Record<string, string> = {};
  for (let at = 0; at < cells.length; at++) {
    const cell = cells[at] as string;
    const column = columns[at] ?? String(at + 1);
    if (NO_VALUE.has(cell) || column === '') continue;
    // Assigned, it would be lost: a text is no prototype.
    if (column === '__proto__') Object.defineProperty(record, column, { value: cell, enumerable: true });
    else record[column] = cell;
  }
  return record;
}

/** @returns what is wrong with the names of the columns; null: nothing, and they are stored in `place` */
function readHeader(place: ReadingPlace, cells: readonly string[]): string | null {
  const { mapping, format } = place.options;
  const names = cells.map((cell) => cell.trim());
  // Spreadsheets add columns without a name at the end.
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

/** Returns how the columns are read. The members of JSON are read by their own names. */
function spellingOf(place: ReadingPlace): Spelling {
  const { columns, options, kind } = place;
  return (place.spelling ??=
    columns === null || kind !== 'csv' || !options.hasHeader
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

/** Returns the name of a column in messages. A file without a header has numbered columns; JSON has named members. */
function nameOfNumber(column: string): string {
  return /^\d+$/.test(column) ? `column ${column}` : column;
}

/** Only a push subscription may be a text. A text in another format has no members that could be read. */
function jsonRecord({ options }: ReadingPlace, text: string): SourceRecord | string {
  try {
    const value: unknown = JSON.parse(withLargeIntegersAsText(text));
    const mayBeText = options.format === 'webpush' || options.format === 'mapping';
    return (typeof value === 'string' && !mayBeText ? null : recordOf(value)) ?? 'must be a JSON object';
  } catch {
    return 'is not JSON';
  }
}

/** True for most texts that have an integer beyond 2^53. */
const MANY_DIGITS = /\d{16}/;
/** A text that does not end reaches to the end of the record: otherwise each escaped quote in it would be tried as a beginning. */
const TEXT_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"?|-?\d[\d.eE+-]*/gs;
const INTEGER = /^-?[1-9]\d{15,}$/;

/** Puts integers beyond 2^53 in quotes: JavaScript would round them, and ids of two users or accounts would become one. */
function withLargeIntegersAsText(json: string): string {
  if (!MANY_DIGITS.test(json)) return json;
  return json.replace(TEXT_OR_NUMBER, (token) =>
    INTEGER.test(token) && !Number.isSafeInteger(Number(token)) ? `"${token}"` : token,
  );
}
