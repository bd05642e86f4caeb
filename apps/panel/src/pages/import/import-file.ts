import {
  csvCells,
  type ImportFormat,
  importSeparatorOf,
  looksLikeToken,
  namedSeparator,
  parseJsonObject,
  recogniseHeader,
  recogniseMembers,
} from '@postrider/domain';
import { jsonElements } from './json-elements';

/** The format and the encoding of a file. */
export interface FileKind {
  contentType: 'text/csv' | 'application/x-ndjson' | 'application/json';
  isPacked: boolean;
}

/** The beginning of a file. */
export interface FilePreview {
  kind: FileKind;
  /** The first records: of CSV their cells, of JSON one cell each. */
  records: string[][];
  /** The keys of the objects in them, if they are JSON: what a mapping calls columns. */
  keys: string[];
  /** The format that the columns of CSV, or the keys of the first object, show, as the gateway recognises it; null: none. */
  format: ImportFormat | null;
  /** True if it is a list of tokens whose first line is a token already. */
  isBareList: boolean;
}

/** Enough for a few records, one of which may be long. */
const LOOKED_AT_BYTES = 65_536;
const MOST_RECORDS = 6;

/** Returns the format of a file by its name: CSV, unless the name says JSON. */
export function kindOf(name: string): FileKind {
  const isPacked = /\.gz$/i.test(name);
  const ending = name.replace(/\.gz$/i, '').toLowerCase();
  if (/\.(?:ndjson|jsonl)$/.test(ending)) return { contentType: 'application/x-ndjson', isPacked };
  return { contentType: ending.endsWith('.json') ? 'application/json' : 'text/csv', isPacked };
}

/** Reads the beginning of a file, however large it is. */
export async function previewOf(file: File): Promise<FilePreview> {
  const kind = kindOf(file.name);
  const text = await beginningOf(file, kind);
  const isWhole = !kind.isPacked && file.size <= LOOKED_AT_BYTES;
  const records = recordsIn(text, kind, isWhole);
  const first = (kind.contentType === 'text/csv' ? (records[0] ?? []) : []).map((cell) => cell.trim());
  const isBareList = looksLikeToken(first);
  const keys = kind.contentType === 'text/csv' ? [] : keysIn(records);
  return { kind, records, keys, format: isBareList ? 'tokens' : formatOf(kind, first, records), isBareList };
}

function formatOf({ contentType }: FileKind, first: readonly string[], [record]: string[][]): ImportFormat | null {
  return contentType === 'text/csv' ? recogniseHeader(first) : recogniseMembers(keysOf(record?.[0] ?? ''));
}

/** Returns each key of the objects once, in the order of the file; a record that is no object has none. */
function keysIn(records: readonly string[][]): string[] {
  return [...new Set(records.flatMap(([line = '']) => keysOf(line)))];
}

function keysOf(record: string): string[] {
  return Object.keys(parseJsonObject(record) ?? {});
}

/** Returns the records in the beginning of a file; the last one is left out if it may continue. */
export function recordsIn(text: string, { contentType }: FileKind, isWhole: boolean): string[][] {
  const bare = text.replace(/^\uFEFF/, '');
  if (contentType === 'application/json') return documentIn(bare);
  const lines = bare.split(/\r?\n/);
  if (!isWhole) lines.pop();
  if (contentType !== 'text/csv')
    return filledOf(lines)
      .slice(0, MOST_RECORDS)
      .map((line) => [line]);
  return csvRecordsIn(filledOf(joinQuoted(lines)));
}

/** The elements of the document, or its text if none of them ends in it. */
function documentIn(text: string): string[][] {
  const elements = jsonElements(text, MOST_RECORDS);
  const isEmpty = text.trim() === '';
  return elements.length > 0 || isEmpty ? elements.map((element) => [element]) : [[text.slice(0, 2_000)]];
}

function filledOf(lines: readonly string[]): string[] {
  return lines.filter((line) => line.trim() !== '');
}

/** A line break between quotes is text; a quote that is not closed belongs to its line alone. */
function joinQuoted(lines: readonly string[]): string[] {
  const records: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    let end = at;
    let record = lines[at] ?? '';
    while (hasOpenQuote(record) && end + 1 < lines.length) record += `\n${lines[(end += 1)]}`;
    if (hasOpenQuote(record)) records.push(lines[at] ?? '');
    else {
      records.push(record);
      at = end;
    }
  }
  return records;
}

function hasOpenQuote(text: string): boolean {
  return text.split('"').length % 2 === 0;
}

/** Cuts the text as the gateway does without a mapping. */
function csvRecordsIn([first = '', ...others]: readonly string[]): string[][] {
  const named = namedSeparator(first);
  const records = named === null && first !== '' ? [first, ...others] : others;
  const separator = named ?? importSeparatorOf(first, [], true);
  return records.slice(0, MOST_RECORDS).map((line) => csvCells(line, separator) ?? [line]);
}

async function beginningOf(file: File, { isPacked }: FileKind): Promise<string> {
  if (!isPacked) return file.slice(0, LOOKED_AT_BYTES).text();
  const reader = file.stream().pipeThrough(new DecompressionStream('gzip')).getReader();
  const decoder = new TextDecoder();
  let text = '';
  while (text.length < LOOKED_AT_BYTES) {
    const { value, done } = await reader.read();
    if (done) return text;
    text += decoder.decode(value, { stream: true });
  }
  await reader.cancel();
  return text;
}

/** The chosen source of each field of a device: a column by its place, or nothing. */
export type ColumnChoice = Readonly<Record<string, string>>;

/** Returns the names of columns in a mapping: from the first line, or by their numbers. */
export function columnNames(first: readonly string[] | undefined, hasHeader: boolean): string[] {
  return (first ?? []).map((cell, place) => (hasHeader ? cell.trim() : String(place + 1)));
}

/** Returns the fields that two columns are chosen for; a tag or an attribute has the name of its column, so it is never one. */
export function twiceChosen(chosen: ColumnChoice): ReadonlySet<string> {
  const fields = Object.values(chosen).filter((field) => !['', 'tags', 'attributes'].includes(field));
  return new Set(fields.filter((field, place) => fields.indexOf(field) !== place));
}

/**
 * Returns the chosen mapping: the content of each column, by its name. A tag or an attribute has the name of its
 * column.
 * @returns null if nothing is chosen
 */
export function mappingOf(chosen: ColumnChoice): Record<string, string> | null {
  const fields = Object.entries(chosen).flatMap(([column, field]): [string, string][] => {
    if (field === '') return [];
    return [[field === 'tags' || field === 'attributes' ? `${field}.${column}` : field, column]];
  });
  return fields.length === 0 ? null : Object.fromEntries(fields);
}
