import type { Writable } from 'node:stream';
import { DEFAULT_MAX_FRAME_BYTES, FLAG, FRAME, FRAME_HEADER_BYTES, PREFACE } from './frame';

/** Frames of one burst leave in buffers of this size: one write, and few TLS records, for many requests. */
const BUFFER_BYTES = 32_768;

/** Writes frames. What is written in one turn of the event loop leaves together at its end. */
export class FrameWriter {
  #buffer: Buffer = Buffer.alloc(0);
  #length = 0;
  #isScheduled = false;
  #isOpen = true;

  /** @param onFlush called before bytes are handed to the socket */
  constructor(
    private readonly socket: Writable,
    private readonly onFlush: () => void,
  ) {}

  /** The first bytes of a client (RFC 9113 §3.4); SETTINGS have to follow. */
  preface(): void {
    this.#reserve(PREFACE.length);
    this.#length += PREFACE.copy(this.#buffer, this.#length);
    this.#schedule();
  }

  /** Writes one frame with its payload, which must fit into it (RFC 9113 §4.1). */
  frame(type: number, flags: number, streamId: number, payload: Buffer): void {
    this.#begin(type, flags, streamId, payload.length);
    this.#length += payload.copy(this.#buffer, this.#length);
  }

  /** A header block, in as many frames as it needs (RFC 9113 §4.3). */
  headers(streamId: number, block: Buffer, endsStream: boolean): void {
    const ends = endsStream ? FLAG.END_STREAM : 0;
    if (block.length <= DEFAULT_MAX_FRAME_BYTES) {
      this.frame(FRAME.HEADERS, ends | FLAG.END_HEADERS, streamId, block);
      return;
    }
    this.frame(FRAME.HEADERS, ends, streamId, block.subarray(0, DEFAULT_MAX_FRAME_BYTES));
    for (let at = DEFAULT_MAX_FRAME_BYTES; at < block.length; at += DEFAULT_MAX_FRAME_BYTES) {
      const piece = block.subarray(at, at + DEFAULT_MAX_FRAME_BYTES);
      const isLast = at + piece.length === block.length;
      this.frame(FRAME.CONTINUATION, isLast ? FLAG.END_HEADERS : 0, streamId, piece);
    }
  }

  /** A DATA frame that ends its stream. @param bytes the length of `text` in UTF-8 */
  lastData(streamId: number, text: string, bytes: number): void {
    this.#begin(FRAME.DATA, FLAG.END_STREAM, streamId, bytes);
    this.#length += this.#buffer.write(text, this.#length, 'utf8');
  }

  /** A frame without more payload than one 32-bit number. */
  number(type: number, streamId: number, value: number): void {
    this.#begin(type, 0, streamId, 4);
    this.#length = this.#buffer.writeUInt32BE(value >>> 0, this.#length);
  }

  /** A SETTINGS frame (RFC 9113 §6.5). */
  settings(values: readonly (readonly [setting: number, value: number])[]): void {
    this.#begin(FRAME.SETTINGS, 0, 0, values.length * 6);
    for (const [setting, value] of values) {
      this.#length = this.#buffer.writeUInt16BE(setting, this.#length);
      this.#length = this.#buffer.writeUInt32BE(value, this.#length);
    }
  }

  /** Says that the server's settings hold from here on (RFC 9113 §6.5.3). */
  settingsAck(): void {
    this.#begin(FRAME.SETTINGS, FLAG.ACK, 0, 0);
  }

  /** A GOAWAY frame (RFC 9113 §6.8). */
  goAway(errorCode: number): void {
    this.#begin(FRAME.GOAWAY, 0, 0, 8);
    // We take no streams of the server's: the last one is 0.
    this.#length = this.#buffer.writeUInt32BE(0, this.#length);
    this.#length = this.#buffer.writeUInt32BE(errorCode, this.#length);
  }

  /** Ends a stream with an error code, a RST_STREAM frame (RFC 9113 §6.4). */
  reset(streamId: number, errorCode: number): void {
    this.number(FRAME.RST_STREAM, streamId, errorCode);
  }

  /** Hands everything to the socket now. */
  flush(): void {
    this.#isScheduled = false;
    if (!this.#isOpen) this.#length = 0;
    if (this.#length === 0) return;
    const bytes = this.#buffer.subarray(0, this.#length);
    this.#buffer = this.#buffer.subarray(this.#length);
    this.#length = 0;
    this.onFlush();
    this.socket.write(bytes);
  }

  /** Stops writing. */
  close(): void {
    this.#isOpen = false;
    this.#buffer = Buffer.alloc(0);
    this.#length = 0;
  }

  #begin(type: number, flags: number, streamId: number, payloadBytes: number): void {
    this.#reserve(FRAME_HEADER_BYTES + payloadBytes);
    const buffer = this.#buffer;
    const at = this.#length;
    buffer.writeUIntBE(payloadBytes, at, 3);
    buffer[at + 3] = type;
    buffer[at + 4] = flags;
    buffer.writeUInt32BE(streamId, at + 5);
    this.#length = at + FRAME_HEADER_BYTES;
    this.#schedule();
  }

  /** Bytes that were handed over belong to the socket: they are never overwritten, a new buffer is taken instead. */
  #reserve(bytes: number): void {
    if (this.#buffer.length - this.#length >= bytes) return;
    this.flush();
    if (this.#buffer.length < bytes) this.#buffer = Buffer.allocUnsafeSlow(Math.max(BUFFER_BYTES, bytes));
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    process.nextTick(() => {
      if (this.#isScheduled) this.flush();
    });
  }
}
