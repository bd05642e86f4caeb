const NEWLINE = 0x0a;
const RETURN = 0x0d;
const QUOTE = 0x22;
/** The bytes beside which a quoted cell begins or ends: the separators of CSV, and those of line breaks. */
const EDGES: ReadonlySet<number | undefined> = new Set([...Buffer.from(',;\t'), RETURN, NEWLINE]);
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** One record of a file, as cut from it. */
export interface RawRecord {
  /** The number of its first line. */
  line: number;
  /** The line behind it. */
  nextLine: number;
  /** The byte at which the next record begins. */
  endsAt: number;
  /** Without the line break; null if its end is unknown, or it is too long. */
  bytes: Buffer | null;
  problem: string | null;
}

/** The point at which reading of a file begins, and the form of its records. */
interface SplitterOptions {
  /** The byte and the line at which a record begins. */
  offset: number;
  line: number;
  /** True if a line break between double quotes is text (RFC 4180 §2.6). */
  isQuoted: boolean;
  /** No record is longer; one that is counts as refused. */
  maxBytes: number;
}

/** The end of the record that begins at the start of some bytes. */
type Ending =
  | { kind: 'ends'; length: number; lines: number }
  /** A quote was opened and not closed within the limit: only the first line is given up. */
  | { kind: 'unclosed'; length: number }
  | { kind: 'too-long' }
  | { kind: 'unknown' };

/**
 * Cuts a file into records, in whatever pieces it comes. Holds no more than one record and one piece. After a bad
 * record, the next one begins on the next line, so that one stray quote does not swallow the rest of the file.
 */
export class RecordSplitter {
  #pending: Buffer = Buffer.alloc(0);
  #offset: number;
  #line: number;
  #isSkipping = false;
  /** The last search for a quote, as places in the file: where it began, and what it found (infinity: nothing yet). */
  #lastSearch = { from: Infinity, found: Infinity };

  constructor(private readonly options: SplitterOptions) {
    this.#offset = options.offset;
    this.#line = options.line;
  }

  /** The records that end within `bytes`, which follow what was given before. */
  *push(bytes: Buffer): Generator<RawRecord> {
    this.#pending = this.#pending.length === 0 ? bytes : Buffer.concat([this.#pending, bytes]);
    if (this.#lastSearch.found === Infinity) this.#lastSearch.from = Infinity;
    yield* this.#take(false);
  }

  /** Returns the last record when there are no more bytes. */
  *end(): Generator<RawRecord> {
    yield* this.#take(true);
  }

  *#take(isEnd: boolean): Generator<RawRecord> {
    for (;;) {
      const record = this.#isSkipping ? this.#skip(isEnd) : this.#next(isEnd);
      if (!record) return;
      yield record;
    }
  }

  #next(isEnd: boolean): RawRecord | null {
    if (this.#pending.length === 0) return null;
    const ending = this.#ending(isEnd);
    switch (ending.kind) {
      case 'ends':
        return this.#cut(ending.length, ending.lines, null);
      case 'unclosed':
        return this.#cut(ending.length, 1, 'a quote is opened and not closed');
      case 'too-long':
        this.#isSkipping = true;
        return this.#skip(isEnd);
      case 'unknown':
        return null;
    }
  }

  /** A record ends at a line break outside quotes, within the limit. */
  #ending(isEnd: boolean): Ending {
    const { isQuoted, maxBytes } = this.options;
    let isInQuotes = false;
    let lines = 0;
    let from = 0;
    let firstLine: number | null = null;
    const passQuotes = (to: number): void => {
      if (isQuoted && this.#countQuotes(from, to) % 2 === 1) isInQuotes = !isInQuotes;
    };
    for (
      let at = this.#pending.indexOf(NEWLINE);
      at !== -1 && at <= maxBytes;
      at = this.#pending.indexOf(NEWLINE, from)
    ) {
      passQuotes(at);
      from = at + 1;
      lines += 1;
      firstLine ??= from;
      if (!isInQuotes) return this.#endOf(firstLine, from, lines);
    }
    if (this.#pending.length > maxBytes) {
      return firstLine === null ? { kind: 'too-long' } : { kind: 'unclosed', length: firstLine };
    }
    if (!isEnd) return { kind: 'unknown' };
    passQuotes(this.#pending.length);
    const length = firstLine ?? this.#pending.length;
    return isInQuotes ? { kind: 'unclosed', length } : this.#endOf(length, this.#pending.length, lines + 1);
  }

  #countQuotes(from: number, to: number): number {
    let count = 0;
    for (let at = this.#nextQuote(from); at < to; at = this.#nextQuote(at + 1)) count += 1;
    return count;
  }

  /**
   * The place of the first quote from here on; infinity: there is none. It is often far behind the line that is read, so
   * it is looked for again only behind it.
   */
  #nextQuote(from: number): number {
    const begin = this.#offset + from;
    const last = this.#lastSearch;
    if (begin < last.from || begin > last.found) {
      const at = this.#pending.indexOf(QUOTE, from);
      this.#lastSearch = { from: begin, found: at === -1 ? Infinity : this.#offset + at };
    }
    return this.#lastSearch.found - this.#offset;
  }

  /**
   * The end of a record of several lines. If its quotes fit together by their number only (`12" tablet` in two rows),
   * the record is its first line, and the lines behind it may be good.
   */
  #endOf(firstLine: number, length: number, lines: number): Ending {
    if (lines === 1 || isWellQuoted(this.#withoutMark(this.#pending.subarray(0, length)))) {
      return { kind: 'ends', length, lines };
    }
    return { kind: 'ends', length: firstLine, lines: 1 };
  }

  /** A byte order mark at the beginning of a file says nothing. */
  #withoutMark(bytes: Buffer): Buffer {
    const isMarked = this.#offset === 0 && bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
    return isMarked ? bytes.subarray(BYTE_ORDER_MARK.length) : bytes;
  }

  /** Drops the rest of a line that is too long. */
  #skip(isEnd: boolean): RawRecord | null {
    const at = this.#pending.indexOf(NEWLINE);
    if (at === -1 && !isEnd) {
      this.#offset += this.#pending.length;
      this.#pending = Buffer.alloc(0);
      return null;
    }
    this.#isSkipping = false;
    return this.#cut(at === -1 ? this.#pending.length : at + 1, 1, `is longer than ${this.options.maxBytes} bytes`);
  }

  #cut(length: number, lines: number, problem: string | null): RawRecord {
    const line = this.#line;
    const bytes = this.#withoutMark(this.#pending.subarray(0, length));
    this.#pending = this.#pending.subarray(length);
    this.#offset += length;
    this.#line += lines;
    return { line, nextLine: this.#line, endsAt: this.#offset, bytes: problem === null ? chomp(bytes) : null, problem };
  }
}

/** True if quotes only stand around whole cells, and doubled within them (RFC 4180 §2.5 to §2.7). */
function isWellQuoted(record: Buffer): boolean {
  let opened = -1;
  for (let at = record.indexOf(QUOTE); at !== -1; at = record.indexOf(QUOTE, at + 1)) {
    if (opened === -1) {
      if (at > 0 && !EDGES.has(record[at - 1])) return false;
      opened = at;
    } else if (record[at + 1] === QUOTE) at += 1;
    else if (at + 1 < record.length && !EDGES.has(record[at + 1])) return false;
    else opened = -1;
  }
  return opened === -1;
}

function chomp(bytes: Buffer): Buffer {
  let end = bytes.length;
  if (bytes[end - 1] === NEWLINE) end -= 1;
  if (bytes[end - 1] === RETURN) end -= 1;
  return bytes.subarray(0, end);
}
