/** What a double quote is in CSV. */
const QUOTE = '"';

/**
 * The cells of one CSV record (RFC 4180), without the line break behind it. A line break between quotes is text.
 *
 * @returns null when a quote stands where none may
 */
export function csvCells(record: string): string[] | null {
  if (!record.includes(QUOTE)) return record.split(',');
  const cells: string[] = [];
  for (let at = 0; at <= record.length;) {
    if (record[at] !== QUOTE) {
      const comma = record.indexOf(',', at);
      const end = comma === -1 ? record.length : comma;
      const cell = record.slice(at, end);
      if (cell.includes(QUOTE)) return null;
      cells.push(cell);
      at = end + 1;
      continue;
    }
    const end = endOfQuoted(record, at + 1);
    if (end === -1 || (end + 1 < record.length && record[end + 1] !== ',')) return null;
    cells.push(record.slice(at + 1, end).replaceAll('""', QUOTE));
    at = end + 2;
  }
  return cells;
}

/** Where the closing quote stands; two quotes are one of the text. */
function endOfQuoted(record: string, from: number): number {
  for (let at = record.indexOf(QUOTE, from); at !== -1; at = record.indexOf(QUOTE, at + 2)) {
    if (record[at + 1] !== QUOTE) return at;
  }
  return -1;
}
