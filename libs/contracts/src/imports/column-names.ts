import { IMPORT_COLUMNS, IMPORT_PREFIXES, type ImportFormat } from '@postrider/domain';

/**
 * The columns of a CSV file in the spelling of the format: `Device_Type` is `device_type`. Other columns do not change.
 * Neither does a column if another one already has the spelling of the format.
 *
 * @param columns their names in the header, in order
 */
export function columnsAsSpelled(format: ImportFormat, columns: readonly string[]): string[] {
  const spelled = new Map(IMPORT_COLUMNS[format].map((name) => [name.toLowerCase(), name]));
  const prefixes = IMPORT_PREFIXES[format] ?? [];
  const taken = new Set(columns);
  return columns.map((column) => {
    const name = spelled.get(column.toLowerCase()) ?? withPrefix(column, prefixes);
    if (taken.has(name)) return column;
    taken.add(name);
    return name;
  });
}

function withPrefix(column: string, prefixes: readonly string[]): string {
  const name = column.toLowerCase();
  const prefix = prefixes.find((one) => name.startsWith(one.toLowerCase())) ?? '';
  return prefix + column.slice(prefix.length);
}
