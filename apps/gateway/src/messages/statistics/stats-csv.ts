import type { MessageCount } from '@postrider/persistence';
import { csvLine } from '../../segments/csv-line';

const COLUMNS = ['at', 'platform', 'kind', 'name', 'count', 'revenue'];

/** The first line. */
export const STATS_CSV_HEAD = csvLine(COLUMNS);

/** Counts as lines of CSV text (RFC 4180), one for each hour or day, platform and thing counted. */
export function statsCsv(counts: readonly MessageCount[]): string {
  const lines = counts.map(({ from, platform, kind, name, count, amount }) =>
    csvLine([
      from.toISOString(),
      platform,
      kind,
      name ?? '',
      String(count),
      kind === 'conversion' ? String(amount) : '',
    ]),
  );
  return lines.join('');
}

/** Whether a caller takes CSV rather than JSON: `format` says it, else the header `Accept`. */
export function wantsCsv(format: 'json' | 'csv' | undefined, accept: string | undefined): boolean {
  if (format !== undefined) return format === 'csv';
  return accept !== undefined && /(?:^|,)\s*text\/csv\b/i.test(accept) && !/application\/json/i.test(accept);
}
