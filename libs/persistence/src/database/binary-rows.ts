/** COPY's binary format begins with these bytes: the signature, no flags, nothing more (PostgreSQL, COPY, Binary Format). */
const HEADER = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
/** Written instead of a row's number of cells: no further row follows. */
const NO_MORE_ROWS = -1;
/** Written instead of a cell's length. */
const NULL_CELL = -1;
const INT16_BYTES = 2;
const INT32_BYTES = 4;
const INT64_BYTES = 8;
const UUID_BYTES = 16;
const TWO_TO_32 = 2 ** 32;
/** PostgreSQL's number of the type `text` (`pg_type.oid`). */
const TEXT_TYPE = 25;
/** The first byte of a jsonb value: the version of its format, in which the JSON text follows. */
const JSONB_VERSION = 1;
/** PostgreSQL's time begins in the year 2000, and counts microseconds. */
const FIRST_MOMENT_MS = Date.UTC(2000, 0, 1);
const MICROSECONDS = 1_000;
/** A text of this length is written character by character, which takes less time than a call of Node.js's own code. */
const SHORT_TEXT = 24;
const FIRST_NOT_ASCII = 0x80;
/** The most bytes of a character of a JavaScript string in UTF-8. */
const MOST_BYTES_A_CHARACTER = 3;

/**
 * Writes rows in COPY's binary format: `header`, the rows, and `end`. A row is `begin`, and then a call for each column in
 * the order of the columns. PostgreSQL takes the values nearly as it stores them, and parses neither numbers nor times.
 */
export class BinaryRows {
  #bytes: Buffer;
  #at = 0;

  /** @param size of the piece of memory to begin with */
  constructor(private readonly size: number) {
    this.#bytes = Buffer.allocUnsafe(size);
  }

  /** Writes what stands before the first row. */
  header(): void {
    this.raw(HEADER);
  }

  /** How many bytes are written and not taken yet. */
  get length(): number {
    return this.#at;
  }

  /** Returns what is written since the last call, and goes on in new memory. */
  take(): Buffer {
    const taken = this.#bytes.subarray(0, this.#at);
    this.#bytes = Buffer.allocUnsafe(this.size);
    this.#at = 0;
    return taken;
  }

  /** Begins a row with this number of cells. */
  begin(cells: number): void {
    this.#reserve(INT16_BYTES);
    this.#at = this.#bytes.writeInt16BE(cells, this.#at);
  }

  /** Ends the rows. */
  end(): void {
    this.begin(NO_MORE_ROWS);
  }

  /** Writes cells that another `BinaryRows` wrote: the same ones of many rows are made once. */
  raw(cells: Buffer): void {
    this.#reserve(cells.length);
    this.#bytes.set(cells, this.#at);
    this.#at += cells.length;
  }

  /** Writes a cell of type text. */
  text(value: string | null | undefined): void {
    if (value === null || value === undefined) {
      this.null();
      return;
    }
    this.#reserve(INT32_BYTES + value.length * MOST_BYTES_A_CHARACTER);
    const begin = this.#at + INT32_BYTES;
    this.#endCell(this.#writeText(value, begin));
  }

  /** Writes a cell of type jsonb. */
  json(value: object): void {
    const text = JSON.stringify(value);
    this.#reserve(INT32_BYTES + 1 + text.length * MOST_BYTES_A_CHARACTER);
    const begin = this.#at + INT32_BYTES;
    this.#bytes[begin] = JSONB_VERSION;
    this.#endCell(this.#writeText(text, begin + 1));
  }

  /** Writes an array of texts, none of them null. */
  texts(values: readonly string[]): void {
    const begin = this.#at;
    const dimensions = values.length === 0 ? 0 : 1;
    for (const number of [0, dimensions, 0, TEXT_TYPE]) this.#int32(number);
    if (dimensions > 0) {
      this.#int32(values.length);
      // The number of the first element.
      this.#int32(1);
    }
    for (const value of values) this.text(value);
    this.#bytes.writeInt32BE(this.#at - begin - INT32_BYTES, begin);
  }

  /** Writes a cell of type smallint. */
  smallint(value: number): void {
    this.#int32(INT16_BYTES);
    this.#reserve(INT16_BYTES);
    this.#at = this.#bytes.writeInt16BE(value, this.#at);
  }

  /** Writes a whole number as `bigint`. */
  bigint(value: number | null): void {
    if (value === null) this.null();
    else this.#int64(value);
  }

  /** Writes a cell of type double precision. */
  float8(value: number | null | undefined): void {
    if (value === null || value === undefined) {
      this.null();
      return;
    }
    this.#int32(INT64_BYTES);
    this.#reserve(INT64_BYTES);
    this.#at = this.#bytes.writeDoubleBE(value, this.#at);
  }

  /** Writes a cell of type timestamptz, to the millisecond. */
  timestamptz(value: Date | null): void {
    if (value === null) {
      this.null();
      return;
    }
    const ms = value.getTime() - FIRST_MOMENT_MS;
    const microseconds = ms * MICROSECONDS;
    this.#int64(Number.isSafeInteger(microseconds) ? microseconds : BigInt(ms) * BigInt(MICROSECONDS));
  }

  /** @param value in the usual form, with hyphens */
  uuid(value: string): void {
    this.#int32(UUID_BYTES);
    this.#reserve(UUID_BYTES);
    this.#at += this.#bytes.write(value.replaceAll('-', ''), this.#at, 'hex');
  }

  /** Writes a cell that is NULL. */
  null(): void {
    this.#int32(NULL_CELL);
  }

  #int32(value: number): void {
    this.#reserve(INT32_BYTES);
    this.#at = this.#bytes.writeInt32BE(value, this.#at);
  }

  #int64(value: number | bigint): void {
    this.#int32(INT64_BYTES);
    this.#reserve(INT64_BYTES);
    if (typeof value === 'bigint') {
      this.#at = this.#bytes.writeBigInt64BE(value, this.#at);
      return;
    }
    const high = Math.floor(value / TWO_TO_32);
    this.#at = this.#bytes.writeInt32BE(high, this.#at);
    this.#at = this.#bytes.writeUInt32BE(value - high * TWO_TO_32, this.#at);
  }

  /** Writes the length of the cell, whose content ends at `end`. */
  #endCell(end: number): void {
    this.#bytes.writeInt32BE(end - this.#at - INT32_BYTES, this.#at);
    this.#at = end;
  }

  /** @returns where the text ends */
  #writeText(text: string, begin: number): number {
    if (text.length > SHORT_TEXT) return begin + this.#bytes.write(text, begin, 'utf8');
    for (let place = 0; place < text.length; place++) {
      const code = text.charCodeAt(place);
      if (code >= FIRST_NOT_ASCII) return begin + this.#bytes.write(text, begin, 'utf8');
      this.#bytes[begin + place] = code;
    }
    return begin + text.length;
  }

  /** Makes room for this number of bytes more. */
  #reserve(bytes: number): void {
    if (this.#at + bytes <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#at + bytes));
    this.#bytes.copy(larger, 0, 0, this.#at);
    this.#bytes = larger;
  }
}
