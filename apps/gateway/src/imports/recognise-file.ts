import {
  columnsAsSpelled,
  columnsOf,
  IMPORT_LISTS,
  type ImportFileKind,
  type ImportMapping,
  type ImportQuery,
  recogniseValue,
  recordOf,
  VALIDATIONS_A_SECOND,
} from '@postrider/contracts';
import {
  csvCells,
  type CsvSeparator,
  EXPO_TOKEN,
  hasTokenSecond,
  IMPORT_FORMATS,
  type ImportFormat,
  importSeparatorOf,
  InvalidRequest,
  isExpoToken,
  looksLikeToken,
  namedSeparator,
  recogniseHeader,
} from '@postrider/domain';
import { JsonSplitter, type RawRecord, RecordSplitter } from '@postrider/platform';
import { joined } from './open-file';

/** The first record of a file must be within this many bytes. */
const FIRST_BYTES = 1_048_576;
const RETURN = 0x0d;
const LINE_FEED = 0x0a;

/** How a file is read. Stored with it. */
export interface FileOptions {
  format: ImportFormat;
  mapping: ImportMapping | null;
  pushType: ImportQuery['pushType'] | null;
  hasHeader: boolean;
  /** The character between the cells. Null: it is not CSV. */
  separator: CsvSeparator | null;
  /** The number of tokens that FCM is asked about per second. Null: it is not asked. */
  validationRate: number | null;
}

/**
 * Reads as much of a file as is needed to recognise its format.
 *
 * @returns how it is read, and the whole file again
 * @throws InvalidRequest if its lines end with CR only; if it is JSON of another content type; if it has none of the
 * formats; if a list does not say which vendor its tokens belong to
 */
export async function recogniseFile(
  kind: ImportFileKind,
  query: ImportQuery,
  content: AsyncIterable<Buffer>,
): Promise<{ options: FileOptions; content: AsyncIterable<Buffer> }> {
  const pieces = content[Symbol.asyncIterator]();
  const { read, ...beginning } = await readBeginning(kind, pieces);
  if (kind !== 'json') refuseBareReturns(read);
  refuseOtherJson(kind, textOf(beginning.first).trim());
  const options = optionsOf(kind, query, beginning);
  return { options, content: joined(read, pieces) };
}

/** The beginning of a file. */
interface Beginning {
  /** The first record that is not blank and names no separator. */
  first: RawRecord | undefined;
  /** CSV only: the separator that an earlier line declares. */
  named: CsvSeparator | null;
}

async function readBeginning(
  kind: ImportFileKind,
  pieces: AsyncIterator<Buffer>,
): Promise<Beginning & { read: Buffer[] }> {
  const read: Buffer[] = [];
  const splitter = splitterOf(kind);
  let named: CsvSeparator | null = null;
  const firstOf = (records: Iterable<RawRecord>): RawRecord | undefined => {
    for (const record of records) {
      const separator = kind === 'csv' && named === null ? namedSeparator(textOf(record)) : null;
      if (separator !== null) named = separator;
      else if (isFilled(record)) return record;
    }
    return undefined;
  };
  let first: RawRecord | undefined;
  for (let bytes = 0; first === undefined && bytes < FIRST_BYTES;) {
    const next = await pieces.next();
    if (next.done === true) {
      first = firstOf(splitter.end());
      break;
    }
    read.push(next.value);
    bytes += next.value.length;
    first = firstOf(splitter.push(next.value));
  }
  return { first, named, read };
}

/** A file whose lines end with CR only would be one line. */
function refuseBareReturns(read: readonly Buffer[]): void {
  const beginning = Buffer.concat(read);
  const at = beginning.indexOf(RETURN);
  if (at === -1 || at === beginning.length - 1 || beginning.includes(LINE_FEED)) return;
  throw new InvalidRequest([{ path: '', message: 'ends its lines with CR alone; save it with LF or CRLF' }]);
}

/** Refuses JSON whose upload has the content type of another kind. @param first its first record, or line */
function refuseOtherJson(kind: ImportFileKind, first: string): void {
  if (kind === 'json') return;
  const wrong = (what: string, type: string): InvalidRequest =>
    new InvalidRequest([{ path: '', message: `is ${what}; send it with the content type ${type}` }]);
  if (isDocument(first)) throw wrong('a JSON document', 'application/json');
  if (kind === 'csv' && recordOf(parsed(first)) !== null && first.startsWith('{')) {
    throw wrong('JSON lines', 'application/x-ndjson');
  }
}

/** True for the first line of a JSON document: a list, an object of several lines, or an object with a list of devices. */
function isDocument(first: string): boolean {
  if (first.startsWith('[') || first === '{') return true;
  if (!first.startsWith('{')) return false;
  const value = parsed(first);
  return (
    recogniseValue(value) === null && IMPORT_LISTS.listNames.some((name) => Array.isArray(recordOf(value)?.[name]))
  );
}

function splitterOf(kind: ImportFileKind): RecordSplitter | JsonSplitter {
  if (kind === 'json') return new JsonSplitter({ offset: 0, index: 0, maxBytes: FIRST_BYTES, ...IMPORT_LISTS });
  return new RecordSplitter({ offset: 0, line: 1, isQuoted: kind === 'csv', maxBytes: FIRST_BYTES });
}

function isFilled({ bytes }: RawRecord): boolean {
  return bytes === null || bytes.toString('latin1').trim() !== '';
}

function optionsOf(kind: ImportFileKind, query: ImportQuery, beginning: Beginning): FileOptions {
  const { pushType = null } = query;
  const separator = kind === 'csv' ? separatorOf(query, beginning) : null;
  const cells = cellsOf(beginning.first, separator);
  refuseUsersFirst(query, cells);
  const format = query.format ?? formatOf(kind, query, cells, beginning.first);
  const hasHeader = query.header ?? !isBareList(query, format, cells);
  const header = hasHeader ? cells : null;
  const mapping = isListOfTokens(kind, format) ? withPushType(query, header) : (query.mapping ?? null);
  if (kind === 'csv') checkHeader(format, mapping ?? {}, header);
  const spelled = asSpelled(mapping, format, header);
  return { format, mapping: spelled, pushType, hasHeader, separator, validationRate: validationRateOf(query) };
}

/** Refuses a list whose users would be taken for tokens. */
function refuseUsersFirst({ format = 'tokens', mapping }: ImportQuery, cells: readonly string[]): void {
  if (format !== 'tokens' || mapping?.deviceToken !== undefined || !hasTokenSecond(cells)) return;
  const message =
    'is required: each line has a user before its token; send header=false and the mapping {"deviceToken":"2","userId":"1"}';
  throw new InvalidRequest([{ path: 'mapping', message }]);
}

function separatorOf({ mapping = {}, header = true }: ImportQuery, { first, named }: Beginning): CsvSeparator {
  return named ?? importSeparatorOf(textOf(first), columnsOf(mapping), header);
}

/**
 * Returns the mapping of a list of tokens, which takes the vendor of each token from the column `pushType` if nothing else says it.
 *
 * @param header null: the file has none
 * @throws InvalidRequest if nothing says which vendor the tokens belong to
 */
function withPushType({ pushType, mapping }: ImportQuery, header: readonly string[] | null): ImportMapping | null {
  if (pushType !== undefined || mapping?.pushType !== undefined) return mapping ?? null;
  const column = header?.find((name) => name.toLowerCase() === 'pushtype');
  if (column !== undefined) return { ...mapping, pushType: { column } };
  throw new InvalidRequest([{ path: 'pushType', message: 'is required: the file does not say whose tokens it holds' }]);
}

/** Refuses CSV whose header lacks a column. @param header null: the file has none, and its columns have numbers */
function checkHeader(
  format: ImportFormat,
  mapping: NonNullable<FileOptions['mapping']>,
  header: readonly string[] | null,
): void {
  checkColumns(mapping, header);
  if (format === 'tokens' && header !== null && mapping.deviceToken === undefined) checkTokenColumn(header);
}

/** Refuses a list of tokens whose header names no tokens: the first line is a device, or none of the lines has a token. */
function checkTokenColumn(header: readonly string[]): void {
  if (header.some((name) => name.toLowerCase() === 'token' || name === '1')) return;
  const message =
    'needs a first line with the column token; send header=false if the file has none, or a mapping if it has another name';
  throw new InvalidRequest([{ path: 'format', message }]);
}

/** Refuses a mapping of columns that are not in the header. Without a header (null) columns have numbers. */
function checkColumns(mapping: NonNullable<FileOptions['mapping']>, header: readonly string[] | null): void {
  const problems = Object.entries(mapping).flatMap(([field, source]) => {
    if (!('column' in source) || (header === null ? isNumber(source.column) : header.includes(source.column)))
      return [];
    const message =
      header === null
        ? 'must be the number of a column: the file has no header'
        : `names the column ${source.column}, which the file does not have`;
    return [{ path: `mapping.${field}`, message }];
  });
  if (problems.length > 0) throw new InvalidRequest(problems);
}

/** The mapping, with the names of the header's columns in the spelling of the format, as in the worker. */
function asSpelled(
  mapping: ImportMapping | null,
  format: ImportFormat,
  header: readonly string[] | null,
): ImportMapping | null {
  if (mapping === null || header === null) return mapping;
  const spelled = columnsAsSpelled(format, header);
  const fields = Object.entries(mapping).map(([field, source]) => {
    const at = 'column' in source ? header.indexOf(source.column) : -1;
    return [field, at === -1 ? source : { column: spelled[at] as string }] as const;
  });
  return Object.fromEntries(fields);
}

function isNumber(column: string): boolean {
  return /^[1-9]\d*$/.test(column);
}

function validationRateOf({ validate, validationRate }: ImportQuery): number | null {
  return validate === true ? (validationRate ?? VALIDATIONS_A_SECOND) : null;
}

/** The format of the first record; a format that needs a mapping if the mapping says which tokens there are. */
function formatOf(
  kind: ImportFileKind,
  { mapping }: ImportQuery,
  cells: readonly string[],
  first: RawRecord | undefined,
): ImportFormat {
  if (mapping?.deviceToken !== undefined) return 'mapping';
  const recognised = kind === 'csv' ? recogniseHeader(cells) : recogniseValue(valueOf(first));
  if (recognised !== null) return recognised;
  if (looksLikeToken(cells)) return 'tokens';
  // An empty document imports nothing.
  if (kind === 'json' && first === undefined) return 'mapping';
  refuseExpoTokens(textOf(first));
  throw unrecognised(mapping);
}

/** @param first the first record: a text of JSON, or a line */
function refuseExpoTokens(first: string): void {
  if (isExpoToken(first.replace(/^"/, ''))) throw new InvalidRequest([{ path: '', message: EXPO_TOKEN }]);
}

/** In a file that its sender calls a list of tokens also short texts with a digit are tokens, such as those of a test. */
const SHORT_TOKEN_LENGTH = 4;

/** A list of tokens has a header only if its first line looks like one. */
function isBareList(query: ImportQuery, format: ImportFormat, cells: readonly string[]): boolean {
  if (format !== 'tokens') return false;
  const isCalledList = query.format !== undefined && query.mapping === undefined;
  return looksLikeToken(cells, isCalledList ? SHORT_TOKEN_LENGTH : undefined);
}

/** True if a file of this format does not say which vendor its tokens belong to. */
function isListOfTokens(kind: ImportFileKind, format: ImportFormat): boolean {
  return format === 'tokens' || (format === 'sns' && kind === 'csv');
}

function cellsOf(first: RawRecord | undefined, separator: CsvSeparator | null): string[] {
  if (separator === null) return [];
  return (csvCells(textOf(first), separator) ?? []).map((cell) => cell.trim());
}

function textOf(record: RawRecord | undefined): string {
  return record?.bytes?.toString('utf8') ?? '';
}

function valueOf(first: RawRecord | undefined): unknown {
  return parsed(textOf(first));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function unrecognised(mapping: ImportQuery['mapping']): InvalidRequest {
  const formats = IMPORT_FORMATS.join(', ');
  if (mapping !== undefined) {
    const message = `must name deviceToken: the file is in none of the formats that are recognised (${formats})`;
    return new InvalidRequest([{ path: 'mapping', message }]);
  }
  const message = `or a mapping is required: the file is in none of the formats that are recognised (${formats})`;
  return new InvalidRequest([{ path: 'format', message }]);
}
