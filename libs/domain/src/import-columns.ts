import { type CsvSeparator, csvSeparatorOf } from './csv-cells';

/** The known formats of files of devices, which need no mapping. */
export const IMPORT_FORMATS = ['onesignal', 'parse', 'sns', 'pinpoint', 'webpush', 'tokens'] as const;

/** The members that hold the list in a JSON document of one of the formats. */
export const IMPORT_LISTS = ['results', 'Endpoints'] as const;

/** One of them; `mapping`: the caller says what each column contains. */
export type ImportFormat = (typeof IMPORT_FORMATS)[number] | 'mapping';

/**
 * The names by which a format is recognised: of columns, or of an object's members. The first format with all its names
 * present counts.
 */
const MARKS: readonly [ImportFormat, readonly string[]][] = [
  ['onesignal', ['identifier', 'device_type']],
  ['sns', ['EndpointArn']],
  ['sns', ['token', 'user data']],
  ['pinpoint', ['ChannelType', 'Address']],
  ['webpush', ['endpoint']],
  ['webpush', ['subscription']],
  ['parse', ['deviceToken', 'deviceType']],
  ['parse', ['installationId', 'deviceType']],
  ['tokens', ['token']],
];

/** The format whose objects have these members, or null. */
export function recogniseMembers(members: readonly string[]): ImportFormat | null {
  const present = new Set(members);
  return MARKS.find(([, names]) => names.every((name) => present.has(name)))?.[0] ?? null;
}

/** The format with these columns of CSV, in upper or lower case, or null. */
export function recogniseHeader(columns: readonly string[]): ImportFormat | null {
  const present = new Set(columns.map((column) => column.toLowerCase()));
  return MARKS.find(([, names]) => names.every((name) => present.has(name.toLowerCase())))?.[0] ?? null;
}

/**
 * True if a CSV record can be the first line of a list without a header: a token, which has digits, and possibly a
 * user.
 */
export function looksLikeToken(cells: readonly string[]): boolean {
  const [token, userId] = cells;
  if (token === undefined || cells.length > 2 || recogniseHeader(cells.map((cell) => cell.trim())) !== null)
    return false;
  return /^(?=.*\d)<?[\w:.=/+ -]{20,}>?$/.test(token.trim()) && (userId?.length ?? 0) <= 255;
}

/**
 * The separator of a CSV file of devices by its first record, unless a line before it names one.
 *
 * @param mapped the columns that a mapping names
 * @param hasHeader true if the first record names the columns; otherwise they are numbered from 1
 */
export function importSeparatorOf(record: string, mapped: readonly string[], hasHeader: boolean): CsvSeparator {
  return csvSeparatorOf(record, (cells) => {
    const isThere = (column: string): boolean => (hasHeader ? cells.includes(column) : Number(column) <= cells.length);
    if (mapped.length > 0 && mapped.every(isThere)) return true;
    return recogniseHeader(cells) !== null || looksLikeToken(cells);
  });
}
