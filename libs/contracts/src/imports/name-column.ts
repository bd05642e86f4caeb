import type { ImportFormat } from '@postrider/domain';
import type { SourceRecord, UnreadValue } from './import-draft';
import { fieldColumnsOf } from './import-formats';
import { type ImportMapping, valueAt } from './import-mapping';

/** Where a file has its fields, and the names of its columns. */
export interface FileColumns {
  format: ImportFormat;
  mapping: ImportMapping | null;
  /** The name of a column in the file. Absent: the same as in the format. */
  nameOf?: (column: string) => string;
}

/** Describes a problem of a column, by its name in the file. */
export function sayOfColumn({ nameOf = asItIs }: FileColumns, column: string, message: string): string {
  return `${nameOf(column)} ${message}`;
}

/**
 * Describes a problem of a field by the column that it was read from, `Seen at (launchTime) must be …`: callers know
 * their columns, and not always our fields.
 */
export function sayOfField(columns: FileColumns, record: SourceRecord, { field, message }: UnreadValue): string {
  const column = columnOf(columns, record, field) ?? field;
  return `${column === field ? field : `${column} (${field})`} ${message}`;
}

/** @returns null if it comes from no column */
function columnOf(
  { format, mapping, nameOf = asItIs }: FileColumns,
  record: SourceRecord,
  field: string,
): string | null {
  // `location.lat` has a column of its own, or is inside the column of `location`.
  const [root = ''] = field.split(/[.[]/, 1);
  for (const [name, within] of [
    [field, ''],
    [root, field.slice(root.length)],
  ] as const) {
    const source = mapping?.[name];
    if (source !== undefined) return 'column' in source ? nameOf(source.column) : null;
    const isThere = (column: string): boolean => valueAt(record, column) !== undefined;
    const known = fieldColumnsOf(format)[name] ?? [name];
    const exact = known.map((column) => `${column}${within}`).find(isThere);
    if (exact !== undefined) return nameOf(exact);
    const around = known.find(isThere);
    if (around !== undefined) return `${nameOf(around)}${within}`;
  }
  return null;
}

function asItIs(column: string): string {
  return column;
}
