import { BadPromoFile, LINE_ENDS, problemOf, trimBlanks, unquoteLines } from './read-line';

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;
/** Bytes of a line, at most: a code of the greatest length and a good many blanks. */
const LONGEST_LINE = 65_536;

/** Files of other kinds, by their first bytes. */
const SIGNATURES: readonly { bytes: readonly number[]; problem: string }[] = [
  { bytes: [0x1f, 0x8b], problem: 'the file is compressed (gzip); upload it as plain text' },
  { bytes: [0x50, 0x4b, 0x03, 0x04], problem: 'the file is a ZIP archive or a spreadsheet; upload it as plain text' },
  { bytes: [0xff, 0xfe], problem: 'the file is UTF-16; upload it as UTF-8' },
  { bytes: [0xfe, 0xff], problem: 'the file is UTF-16; upload it as UTF-8' },
];
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/**
 * Reads a file of promo codes as its bytes come: UTF-8, one code a line, LF or CRLF, blank lines
 * skipped, a quoted field unquoted. Holds no more than one unfinished line between two calls. Can begin in the middle of
 * a file, at the beginning of a line.
 */
export class PromoFileReader {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  #rest: Buffer = Buffer.alloc(0);
  #position: number;
  #lines: number;

  /** @param at where to begin: bytes and lines that were read before */
  constructor(at: { position: number; lines: number } = { position: 0, lines: 0 }) {
    this.#position = at.position;
    this.#lines = at.lines;
  }

  /** Bytes up to the end of the last whole line that was read. */
  get position(): number {
    return this.#position;
  }

  /** Lines read, blank ones included. */
  get lines(): number {
    return this.#lines;
  }

  /**
   * Takes the next bytes.
   * @returns the codes of the lines that ended with them
   * @throws BadPromoFile for the first bad line; the reader cannot be used after it
   */
  push(bytes: Buffer): string[] {
    const all = this.#rest.length > 0 ? Buffer.concat([this.#rest, bytes]) : bytes;
    const end = all.lastIndexOf(NEWLINE) + 1;
    this.#rest = all.subarray(end);
    const codes = this.#read(all.subarray(0, end));
    if (this.#rest.length > LONGEST_LINE) throw this.#tooLong();
    return codes;
  }

  /** Takes the end of the file. @returns the code of a last line that has no line end */
  end(): string[] {
    const last = this.#rest;
    this.#rest = Buffer.alloc(0);
    return last.length > 0 ? this.#read(last) : [];
  }

  #read(whole: Buffer): string[] {
    if (whole.length === 0) return [];
    const start = this.#position === 0 ? skipMark(whole) : 0;
    const text = this.#decode(whole.subarray(start));
    const lines = (text.includes('\r') ? text.replaceAll('\r\n', '\n') : text).split('\n');
    if (lines.at(-1) === '') lines.pop();
    const codes = readLines(lines, this.#lines + 1);
    this.#position += whole.length;
    this.#lines += lines.length;
    return codes;
  }

  #decode(whole: Buffer): string {
    try {
      return this.#decoder.decode(whole);
    } catch {
      throw this.#badEncoding(whole);
    }
  }

  /** The first bad line of a stretch that is not UTF-8: the one that is not, unless one before it is bad otherwise. */
  #badEncoding(whole: Buffer): Error {
    let line = this.#lines;
    for (let start = 0; start < whole.length;) {
      const newline = whole.indexOf(NEWLINE, start);
      const end = newline < 0 ? whole.length : newline;
      line += 1;
      try {
        readLines([this.#decoder.decode(whole.subarray(start, end)).replace(/\r$/, '')], line);
      } catch (error) {
        return error instanceof BadPromoFile ? error : new BadPromoFile(line, 'is not UTF-8');
      }
      start = end + 1;
    }
    return new BadPromoFile(line, 'is not UTF-8');
  }

  /** A line that does not end: often because the file is none, or knows other line ends. */
  #tooLong(): BadPromoFile {
    if (this.#position === 0) skipMark(this.#rest);
    if (this.#rest.includes(CARRIAGE_RETURN)) return new BadPromoFile(this.#lines + 1, LINE_ENDS);
    return tooLong(this.#lines + 1);
  }
}

function tooLong(line: number): BadPromoFile {
  return new BadPromoFile(line, `is longer than ${LONGEST_LINE} bytes`);
}

/** @returns how many bytes of a byte order mark to skip @throws BadPromoFile for a file of another kind */
function skipMark(start: Buffer): number {
  const begins = (bytes: readonly number[]): boolean => bytes.every((byte, index) => start[index] === byte);
  const other = SIGNATURES.find(({ bytes }) => begins(bytes));
  if (other) throw new BadPromoFile(1, other.problem);
  return begins(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0;
}

function readLines(lines: readonly string[], firstLine: number): string[] {
  const codes: string[] = [];
  const quoted: { text: string; line: number; at: number }[] = [];
  let failure: BadPromoFile | null = null;
  for (let index = 0; index < lines.length; index++) {
    const raw = lines[index] ?? '';
    const text = trimBlanks(raw);
    const line = firstLine + index;
    if (raw.length > LONGEST_LINE) failure = tooLong(line);
    if (failure) break;
    if (text === '') continue;
    if (text.startsWith('"')) {
      quoted.push({ text, line, at: codes.length });
      codes.push('');
      continue;
    }
    failure = problemOf(text, line);
    codes.push(text);
  }
  if (quoted.length > 0) {
    const unquoted = unquoteLines(quoted);
    quoted.forEach(({ at }, index) => (codes[at] = unquoted[index] ?? ''));
  }
  // A bad quoted line comes before it: only the lines before that were read.
  if (failure) throw failure;
  return quoted.length > 0 ? codes.filter((code) => code !== '') : codes;
}
