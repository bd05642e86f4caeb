import type { ImportFormat } from '@postrider/domain';
import type { SourceRecord, UnreadValue } from './import-draft';
import { fieldColumnsOf } from './import-formats';
import { type ImportMapping, valueAt } from './import-mapping';

/** Where a file has its fields, and what it calls its columns. */
export interface FileColumns {
  format: ImportFormat;
  mapping: ImportMapping | null;
  /** What the file calls a column; absent: as the format does. */
  nameOf?: (column: string) => string;
}

/** Says what is wrong with a column of the format, which is called as the file calls it. */
export function sayOfColumn({ nameOf = asItIs }: FileColumns, column: string, message: string): string {
  return `${nameOf(column)} ${message}`;
}

/**
 * Says what is wrong with a field by the column that it was read from, `Seen at (launchTime) must be …`: callers know their columns, and
 * not always our fields.
 */
export function sayOfField(columns: FileColumns, record: SourceRecord, { field, message }: UnreadValue): string {
  const column = columnOf(columns, record, field) ?? field;
  return `${column === field ? field : `${column} (${field})`} ${message}`;
}

/** @returns null: it is of no column */
function columnOf(
  { format, mapping, nameOf = asItIs }: FileColumns,
  record: SourceRecord,
  field: string,
): string | null {
  // `location.lat` has a column of its own, or stands within the column of `location`.
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
