import { PacketRefused } from './reason-codes';

/** A remaining length takes at most four bytes (MQTT 3.1.1 §2.2.3, MQTT 5 §1.5.5). */
const LENGTH_BYTES = 4;
const EMPTY = Buffer.alloc(0);

/**
 * Splits a byte stream into complete packets, each in its own buffer, so that a parser cannot read into the next one.
 * It holds one packet and the last piece of input, in at most twice their size.
 */
export class FrameReader {
  #bytes: Buffer = EMPTY;
  /** How many bytes behind `#bytes`, in the same memory, are free. */
  #freeBytes = 0;

  /** @param maxBytes the largest accepted packet, with its fixed header (MQTT 5 §3.2.2.3.6) */
  constructor(private maxBytes: number) {}

  /** Changes the size of the largest accepted packet. */
  allow(maxBytes: number): void {
    this.maxBytes = maxBytes;
  }

  /** True if bytes have come that were not read. */
  get hasBytes(): boolean {
    return this.#bytes.length > 0;
  }

  /** Takes bytes as they came. A packet in many small pieces is copied only when the memory for it doubles. */
  push(piece: Buffer): void {
    const { length } = this.#bytes;
    if (length === 0) {
      this.#bytes = piece;
      this.#freeBytes = 0;
      return;
    }
    if (this.#freeBytes < piece.length) this.#move(2 * (length + piece.length));
    const { buffer, byteOffset } = this.#bytes;
    this.#bytes = Buffer.from(buffer, byteOffset, length + piece.length);
    piece.copy(this.#bytes, length);
    this.#freeBytes -= piece.length;
  }

  /**
   * The next whole packet with its fixed header. Null if more bytes must come.
   *
   * @throws PacketRefused if it is too large, or its length is malformed
   */
  next(): Buffer | null {
    const header = this.#readLength();
    if (header === null) return this.#wait();
    const { length, headerBytes } = header;
    const end = headerBytes + length;
    if (end > this.maxBytes) throw new PacketRefused('packet_too_large', `A packet of ${end} bytes`);
    if (this.#bytes.length < end) return this.#wait();
    const frame = this.#bytes.subarray(0, end);
    this.#bytes = this.#bytes.length === end ? EMPTY : this.#bytes.subarray(end);
    return frame;
  }

  /** The remaining length. Null if its last byte has not come. */
  #readLength(): { length: number; headerBytes: number } | null {
    let length = 0;
    for (let place = 0; place < LENGTH_BYTES; place++) {
      const byte = this.#bytes[1 + place];
      if (byte === undefined) return null;
      length += (byte & 0x7f) * 128 ** place;
      if ((byte & 0x80) === 0) return { length, headerBytes: 2 + place };
    }
    throw new PacketRefused('malformed', 'A remaining length of more than four bytes');
  }

  /** Moves what waits out of memory that is mostly used up: a small rest would keep a large block. */
  #wait(): null {
    const { length, buffer } = this.#bytes;
    if (length > 0 && buffer.byteLength > 2 * length) this.#move(length);
    return null;
  }

  /** Moves the bytes into memory of their own. */
  #move(capacity: number): void {
    // Not from the pool, whose blocks are larger and belong to others too.
    const block = Buffer.allocUnsafeSlow(capacity);
    this.#bytes.copy(block);
    this.#bytes = block.subarray(0, this.#bytes.length);
    this.#freeBytes = capacity - this.#bytes.length;
  }
}
