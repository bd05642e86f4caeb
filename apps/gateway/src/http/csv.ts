import type { FastifyReply } from 'fastify';

const NEEDS_QUOTES = /[",\r\n]/;
/** What spreadsheets take for the beginning of a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/** One record of a CSV file (RFC 4180). Text that a spreadsheet would run as a formula gets a `'` in front. */
export function csvLine(fields: readonly string[]): string {
  return `${fields.map(csvField).join(',')}\r\n`;
}

function csvField(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Says that the answer is a CSV file with a head line, to be kept under this name. */
export function announceCsv(reply: FastifyReply, filename: string): FastifyReply {
  return reply
    .type('text/csv; charset=utf-8; header=present')
    .header('content-disposition', `attachment; filename="${filename}"`);
}

/** Whether a caller takes CSV rather than JSON: `format` says it, else the header `Accept`. */
export function wantsCsv(format: 'json' | 'csv' | undefined, accept: string | undefined): boolean {
  if (format !== undefined) return format === 'csv';
  return accept !== undefined && /(?:^|,)\s*text\/csv\b/i.test(accept) && !/application\/json/i.test(accept);
}
