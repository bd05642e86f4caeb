/** The double quote of CSV. */
const QUOTE = '"';

/** The possible separators of the cells of a CSV record. Spreadsheets choose by the country. */
const CSV_SEPARATORS = [',', ';', '\t'] as const;

/** One of them. */
export type CsvSeparator = (typeof CSV_SEPARATORS)[number];

/** The separator in a line `sep=;`, which spreadsheets write before the header. Null: it is not such a line. */
export function namedSeparator(record: string): CsvSeparator | null {
  const name = /^"?sep=([,;\t])"?\s*$/i.exec(record)?.[1];
  return CSV_SEPARATORS.find((separator) => separator === name) ?? null;
}

/**
 * The separator of a file by its first record: the one that gives known cells, or else one that occurs outside of
 * quotes. The comma has priority, then the most frequent one.
 *
 * @param isKnown true if a known file begins with these cells, which have no blanks around them
 */
export function csvSeparatorOf(record: string, isKnown: (cells: readonly string[]) => boolean): CsvSeparator {
  const cut = CSV_SEPARATORS.flatMap((separator) => {
    const cells = csvCells(record, separator)?.map((cell) => cell.trim());
    return cells === undefined ? [] : [{ separator, cells, rank: separator === ',' ? Infinity : cells.length }];
  }).sort((one, other) => other.rank - one.rank);
  const chosen = cut.find(({ cells }) => isKnown(cells)) ?? cut.find(({ cells }) => cells.length > 1);
  return chosen?.separator ?? ',';
}

/**
 * The cells of one CSV record (RFC 4180), without the line break behind it. A line break between quotes is text.
 *
 * @returns null if a quote is where none may be
 */
export function csvCells(record: string, separator: CsvSeparator = ','): string[] | null {
  if (!record.includes(QUOTE)) return record.split(separator);
  const cells: string[] = [];
  for (let at = 0; at <= record.length;) {
    if (record[at] !== QUOTE) {
      const next = record.indexOf(separator, at);
      const end = next === -1 ? record.length : next;
      const cell = record.slice(at, end);
      if (cell.includes(QUOTE)) return null;
      cells.push(cell);
      at = end + 1;
      continue;
    }
    const end = endOfQuoted(record, at + 1);
    if (end === -1 || (end + 1 < record.length && record[end + 1] !== separator)) return null;
    cells.push(record.slice(at + 1, end).replaceAll('""', QUOTE));
    at = end + 2;
  }
  return cells;
}

/** The position of the closing quote. Two quotes are one quote of the text. */
function endOfQuoted(record: string, from: number): number {
  for (let at = record.indexOf(QUOTE, from); at !== -1; at = record.indexOf(QUOTE, at + 2)) {
    if (record[at + 1] !== QUOTE) return at;
  }
  return -1;
}
