import { CsvError, parse } from 'csv-parse/sync';

/** A file that becomes no set, because of one of its lines. */
export class BadPromoFile extends Error {
  /** @param line counted from 1 */
  constructor(
    readonly line: number,
    problem: string,
  ) {
    super(`line ${line}: ${problem}`);
    this.name = 'BadPromoFile';
  }
}

/** Characters of a code, at most. */
const MOST_CHARACTERS = 255;

const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;
const SECOND_COLUMN = 'has a second column; a line must contain one code';
/** The error text for a carriage return that does not end a line. */
export const LINE_ENDS = 'contains a carriage return; lines end in LF or CRLF';
const BLANK = /[\t\p{Zs}\ufeff]/u;

/**
 * Returns a text without the blanks around it: spaces of every kind, tabs, and a byte order mark from the joint of two
 * files.
 */
export function trimBlanks(text: string): string {
  const first = text.charCodeAt(0);
  const last = text.charCodeAt(text.length - 1);
  if (first > 0x20 && first < 0x7f && last > 0x20 && last < 0x7f) return text;
  // Not by one expression for the blanks at the end: its time grows with the square of the blanks before another character.
  let [start, end] = [0, text.length];
  while (start < end && BLANK.test(text.charAt(start))) start += 1;
  while (start < end && BLANK.test(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

/**
 * Returns the problem of a line that is trimmed and does not begin with a quote; a quote further on is part of its
 * code.
 */
export function problemOf(text: string, line: number): BadPromoFile | null {
  if (text.includes(',')) return new BadPromoFile(line, SECOND_COLUMN);
  return problemOfCode(text, line);
}

/**
 * Unquotes lines that are trimmed and begin with a quote. A line that unquotes to nothing is blank.
 *
 * @param lines with their numbers
 * @throws BadPromoFile for the first bad one
 */
export function unquoteLines(lines: readonly { text: string; line: number }[]): string[] {
  const records = tryParse(lines.map(({ text }) => text).join('\n'));
  if (records?.length === lines.length) {
    return records.map((record, index) => checkRecord(record, lines[index]?.line ?? 0));
  }
  // Some line is bad, or a quote continues over the end of its line: the first such line is found one by one.
  return lines.map(({ text, line }) => {
    const alone = tryParse(text);
    if (alone?.length !== 1) throw new BadPromoFile(line, 'has an unclosed quote, or text after the closing quote');
    return checkRecord(alone[0] ?? [], line);
  });
}

/** A quote that is not closed would swallow lines. */
function tryParse(text: string): string[][] | null {
  try {
    return parse(text, { relax_column_count: true, record_delimiter: '\n' });
  } catch (error) {
    if (error instanceof CsvError) return null;
    throw error;
  }
}

function checkRecord(record: readonly string[], line: number): string {
  const code = trimBlanks(record[0] ?? '');
  const problem = record.length > 1 ? new BadPromoFile(line, SECOND_COLUMN) : problemOfCode(code, line);
  if (problem) throw problem;
  return code;
}

function problemOfCode(code: string, line: number): BadPromoFile | null {
  const control = CONTROL.exec(code)?.[0];
  if (control !== undefined) return new BadPromoFile(line, describeControl(control));
  if (code.length > MOST_CHARACTERS && Array.from(code).length > MOST_CHARACTERS) {
    return new BadPromoFile(line, `is longer than ${MOST_CHARACTERS} characters`);
  }
  return null;
}

function describeControl(character: string): string {
  if (character === '\u0000') return 'holds a NUL byte';
  if (character === '\r') return LINE_ENDS;
  const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  return `holds a control character (U+${code})`;
}
