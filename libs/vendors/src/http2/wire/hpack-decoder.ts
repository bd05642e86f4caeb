import { ERROR, Http2ProtocolError } from './frame';
import { decodeHuffman, STATIC_TABLE } from './hpack-tables';

/** The size of the table that a decoder keeps, unless it said otherwise in SETTINGS, and we do not (RFC 9113 §6.5.2). */
const TABLE_BYTES = 4_096;
/** The weight of an entry beyond its text (RFC 7541 §4.1). */
const ENTRY_BYTES = 32;

type Field = readonly [name: string, value: string];

/** Receives one field of a header list. */
type OnField = (name: string, value: string) => void;

/**
 * Decodes the header blocks of one connection, in the order in which they came (RFC 7541). Every block must be decoded,
 * wanted or not, because it changes the table that the next ones refer to.
 */
export class HpackDecoder {
  /** Newest last. */
  #table: Field[] = [];
  #tableBytes = 0;
  #capacity = TABLE_BYTES;
  #block: Buffer = Buffer.alloc(0);
  #at = 0;
  #version = 0;

  /** @param maxListBytes the weight (RFC 7541 §4.1) that a header list may have */
  constructor(private readonly maxListBytes: number) {}

  /** Counts what changes the table. While it stays the same, the same block means the same fields. */
  get version(): number {
    return this.#version;
  }

  /**
   * Decodes a whole header block.
   *
   * @throws Http2ProtocolError when it is not one, or its list weighs too much
   */
  decode(block: Buffer, onField: OnField): void {
    this.#block = block;
    this.#at = 0;
    let listBytes = 0;
    while (this.#at < block.length) {
      const field = this.#next(listBytes === 0);
      if (field === null) continue;
      listBytes += weightOf(field);
      if (listBytes > this.maxListBytes)
        throw new Http2ProtocolError(ERROR.ENHANCE_YOUR_CALM, 'The headers are too long');
      onField(field[0], field[1]);
    }
  }

  /** @returns a field, or null for an instruction that changes the table (only allowed in front, RFC 7541 §4.2) */
  #next(isInFront: boolean): Field | null {
    const first = this.#block[this.#at] as number;
    if (first >= 0x80) return this.#fieldAt(this.#integer(7));
    if (first >= 0x40) {
      const field = this.#literal(6);
      this.#insert(field);
      return field;
    }
    if (first < 0x20) return this.#literal(4);
    if (!isInFront) throw badBlock('The table changes in the middle of a header block');
    this.#resize(this.#integer(5));
    return null;
  }

  #literal(prefixBits: number): Field {
    const index = this.#integer(prefixBits);
    const name = index === 0 ? this.#string() : this.#fieldAt(index)[0];
    return [name, this.#string()];
  }

  /** RFC 7541 §2.3.3: the static table, then the dynamic one, newest first. */
  #fieldAt(index: number): Field {
    const field = index <= STATIC_TABLE.length ? STATIC_TABLE[index - 1] : this.#table.at(STATIC_TABLE.length - index);
    if (field === undefined || index - STATIC_TABLE.length > this.#table.length) {
      throw badBlock('A header block refers to a field that does not exist');
    }
    return field;
  }

  #insert(field: Field): void {
    this.#version += 1;
    const bytes = weightOf(field);
    this.#evict(this.#capacity - bytes);
    if (bytes > this.#capacity) return;
    this.#table.push(field);
    this.#tableBytes += bytes;
  }

  #resize(capacity: number): void {
    if (capacity > TABLE_BYTES) throw badBlock('The header table is made larger than allowed');
    this.#version += 1;
    this.#capacity = capacity;
    this.#evict(capacity);
  }

  #evict(room: number): void {
    let gone = 0;
    while (this.#tableBytes > Math.max(0, room) && gone < this.#table.length) {
      this.#tableBytes -= weightOf(this.#table[gone++] as Field);
    }
    if (gone > 0) this.#table = this.#table.slice(gone);
  }

  /** RFC 7541 §5.1. */
  #integer(prefixBits: number): number {
    const mask = (1 << prefixBits) - 1;
    let value = this.#octet() & mask;
    if (value < mask) return value;
    for (let shift = 0; shift <= 21; shift += 7) {
      const octet = this.#octet();
      value += (octet & 0x7f) << shift;
      if (octet < 0x80) return value;
    }
    throw badBlock('A number in a header block is too large');
  }

  #string(): string {
    const isHuffman = ((this.#block[this.#at] as number) & 0x80) !== 0;
    const length = this.#integer(7);
    const end = this.#at + length;
    if (end > this.#block.length) throw badBlock('A header block ends in the middle of a field');
    const text = isHuffman
      ? decodeHuffman(this.#block.subarray(this.#at, end))
      : this.#block.toString('latin1', this.#at, end);
    this.#at = end;
    return text;
  }

  #octet(): number {
    const octet = this.#block[this.#at++];
    if (octet === undefined) throw badBlock('A header block ends in the middle of a field');
    return octet;
  }
}

function weightOf([name, value]: Field): number {
  return name.length + value.length + ENTRY_BYTES;
}

function badBlock(message: string): Http2ProtocolError {
  return new Http2ProtocolError(ERROR.COMPRESSION_ERROR, message);
}
