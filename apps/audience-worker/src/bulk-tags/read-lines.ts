import { isUtf8 } from 'node:buffer';
import { isJsonObject, normaliseName } from '@postrider/domain';
import type { TagOperation } from '@postrider/persistence';
import type { RawRecord } from '@postrider/platform';
import { parse } from 'csv-parse/sync';
import { MOST_TAGS } from '@postrider/contracts';

/** The content of one line of a file. A line that cannot be read has a `problem`. */
export type TagLine = { line: number; userId: string; edit: LineEdit } | { line: number; problem: string };

/** First tags are removed, then tags are added. A tag with a value gets it; a tag without one keeps its value. */
export interface LineEdit {
  removed: string[];
  added: { tag: string; value: string | null }[];
}

/** What a column may hold. */
const COLUMNS = ['userId', 'tag', 'value', 'operation'] as const;
type Column = (typeof COLUMNS)[number];

const COLUMN_NAMES = new Map<string, Column>([
  ['userid', 'userId'],
  ['user_id', 'userId'],
  ['user', 'userId'],
  ['tag', 'tag'],
  ['value', 'value'],
  ['operation', 'operation'],
]);

const NAME = '1 to 255 characters';

/** The columns of a file without a header. */
const DEFAULT_COLUMNS: readonly Column[] = COLUMNS;

/** The first record of a file: the names of the columns, an ordinary line, or names that make no sense. */
export type Header = { kind: 'header' | 'none'; columns: readonly string[] } | { kind: 'bad'; problem: string };

/** Reads the first record of a file. */
export function readHeader(record: RawRecord): Header {
  const [cells] = cellsOf([record]);
  const names = (cells ?? []).map((cell) => cell.trim().toLowerCase());
  const columns = names.map((name) => COLUMN_NAMES.get(name));
  if (columns[0] !== 'userId' && !(columns.includes('userId') && columns.includes('tag'))) {
    return { kind: 'none', columns: DEFAULT_COLUMNS };
  }
  const known = columns.filter((column) => column !== undefined);
  if (known.length < columns.length)
    return { kind: 'bad', problem: `line 1 names a column other than ${COLUMNS.join(', ')}` };
  if (new Set(known).size < known.length) return { kind: 'bad', problem: 'line 1 names a column twice' };
  if (!known.includes('tag')) return { kind: 'bad', problem: 'line 1 names no column tag' };
  return { kind: 'header', columns: known };
}

/** Reads records of a CSV file, each with a tag of a user. Blank ones are skipped. */
export function readCsv(records: readonly RawRecord[], columns: readonly string[], operation: TagOperation): TagLine[] {
  const cells = cellsOf(records);
  return records.flatMap((record, index) => {
    const { line, bytes, problem } = record;
    if (problem !== null || bytes === null) return { line, problem: problem ?? 'cannot be read' };
    if (bytes.length === 0) return [];
    const fields = cells[index];
    if (!isUtf8(bytes)) return { line, problem: 'is not UTF-8' };
    return fields
      ? readFields(line, fields, columns, operation)
      : { line, problem: 'is not CSV: a quote stands where none may' };
  });
}

function readFields(
  line: number,
  fields: readonly string[],
  columns: readonly string[],
  operation: TagOperation,
): TagLine {
  if (fields.length > columns.length) return { line, problem: `has more than ${columns.length} fields` };
  const field = (column: Column): string => fields[columns.indexOf(column)] ?? '';
  const [userId, tag] = [normaliseName(field('userId')), normaliseName(field('tag'))];
  const value = normaliseName(field('value'));
  const does = field('operation').trim().toLowerCase() || operation;
  if (userId === null || tag === null)
    return { line, problem: `${userId === null ? 'userId' : 'tag'} must be ${NAME}` };
  if (value === null && field('value') !== '') return { line, problem: `value must be ${NAME}` };
  if (does !== 'add' && does !== 'remove') return { line, problem: 'operation must be add or remove' };
  return { line, userId, edit: editOf(does, tag, value) };
}

function editOf(does: TagOperation, tag: string, value: string | null): LineEdit {
  return does === 'add' ? { removed: [], added: [{ tag, value }] } : { removed: [tag], added: [] };
}

/**
 * The fields of each record. Undefined for a record without fields or with bad CSV. Many records are parsed at once,
 * and one by one only if one of them is bad.
 */
function cellsOf(records: readonly RawRecord[]): (string[] | undefined)[] {
  const texts = records.map(({ bytes }) =>
    bytes !== null && bytes.length > 0 && isUtf8(bytes) ? bytes.toString('utf8') : null,
  );
  const filled = texts.filter((text) => text !== null);
  const joined = parseTexts(filled);
  let next = 0;
  return texts.map((text) => {
    if (text === null) return undefined;
    return joined ? joined[next++] : parseTexts([text])?.[0];
  });
}

/** @returns null unless every text is exactly one record */
function parseTexts(texts: readonly string[]): string[][] | null {
  if (texts.length === 0) return [];
  try {
    const parsed: string[][] = parse(texts.join('\n'), { record_delimiter: '\n', relax_column_count: true });
    return parsed.length === texts.length ? parsed : null;
  } catch {
    return null;
  }
}

const KEYS = ['userId', 'tags', 'remove', 'values'];

/** Why a line is refused. */
class BadLine extends Error {}

/** Reads one line of an NDJSON file: `{ "userId", "tags": […], "remove": […], "values": { tag: value } }`. */
export function readNdjson({ line, bytes, problem }: RawRecord, operation: TagOperation): TagLine | null {
  if (problem !== null || bytes === null) return { line, problem: problem ?? 'cannot be read' };
  if (bytes.length === 0) return null;
  try {
    if (!isUtf8(bytes)) throw new BadLine('is not UTF-8');
    return readObject(line, parseObject(bytes.toString('utf8')), operation);
  } catch (error) {
    if (error instanceof BadLine) return { line, problem: error.message };
    throw error;
  }
}

function parseObject(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new BadLine('is not JSON');
  }
  if (!isJsonObject(value)) throw new BadLine('must be a JSON object');
  const unknown = Object.keys(value).some((key) => !KEYS.includes(key));
  if (unknown) throw new BadLine(`knows ${KEYS.join(', ')} only`);
  return value;
}

function readObject(line: number, object: Record<string, unknown>, operation: TagOperation): TagLine {
  const userId = nameOf(object.userId, 'userId');
  const tags = namesOf(object.tags, 'tags');
  const removed = namesOf(object.remove, 'remove');
  const values = valuesOf(object.values);
  if (tags.length + removed.length + values.length === 0) throw new BadLine('names no tag');
  if (operation === 'remove') return { line, userId, edit: { removed: [...removed, ...tags], added: [] } };
  return { line, userId, edit: { removed, added: [...tags.map((tag) => ({ tag, value: null })), ...values] } };
}

function namesOf(value: unknown, field: string): string[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value) || value.length > MOST_TAGS)
    throw new BadLine(`${field} must be an array of at most ${MOST_TAGS} tags`);
  return value.map((name) => nameOf(name, field));
}

function valuesOf(value: unknown): { tag: string; value: string }[] {
  if (value === undefined || value === null) return [];
  if (typeof value !== 'object' || Array.isArray(value)) throw new BadLine('values must be an object');
  const entries = Object.entries(value);
  if (entries.length > MOST_TAGS) throw new BadLine(`values must name at most ${MOST_TAGS} tags`);
  return entries.map(([tag, text]) => ({ tag: nameOf(tag, 'values'), value: nameOf(text, 'values') }));
}

function nameOf(value: unknown, field: string): string {
  const name = typeof value === 'string' ? normaliseName(value) : null;
  if (name === null) throw new BadLine(`${field} must be text of 1 to 255 characters`);
  return name;
}
