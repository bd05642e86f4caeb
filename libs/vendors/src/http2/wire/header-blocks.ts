import { ERROR, FLAG, FRAME, Http2ProtocolError } from './frame';
import { HpackDecoder } from './hpack-decoder';
import { ResponseFields, type ResponseHead } from './response-fields';

/** A header block, and a header list, may weigh this much. */
export const MAX_HEADER_BYTES = 65_536;
/** A block may come in this many pieces: more is a flood. */
const MAX_PIECES = 32;

/** A block that was decoded, the version of the table that it refers to, and the fields that it means. */
interface DecodedBlock {
  readonly block: Buffer;
  readonly version: number;
  readonly fields: ResponseFields;
}

/** Puts header blocks together from HEADERS and CONTINUATION frames and decodes them, in order. */
export class HeaderBlocks {
  readonly #decoder = new HpackDecoder(MAX_HEADER_BYTES);
  #pieces: Buffer[] = [];
  #bytes = 0;
  #streamId = 0;
  #endsStream = false;
  #decoded: DecodedBlock | null = null;

  /** The stream whose block is unfinished: nothing but its CONTINUATION may come (RFC 9113 §6.10). 0 when none is. */
  get unfinished(): number {
    return this.#streamId;
  }

  /** @param fragment of HEADERS, without padding and priority @returns the list, once it is whole */
  begin(streamId: number, flags: number, fragment: Buffer): ResponseHead | null {
    const endsStream = (flags & FLAG.END_STREAM) !== 0;
    if ((flags & FLAG.END_HEADERS) !== 0) return this.#decode(streamId, fragment, endsStream);
    this.#streamId = streamId;
    this.#endsStream = endsStream;
    this.#keep(fragment);
    return null;
  }

  /** Takes a CONTINUATION frame. @returns the list when it is complete */
  proceed(flags: number, fragment: Buffer): ResponseHead | null {
    this.#keep(fragment);
    if ((flags & FLAG.END_HEADERS) === 0) return null;
    const block = Buffer.concat(this.#pieces);
    const streamId = this.#streamId;
    this.#pieces = [];
    this.#bytes = this.#streamId = 0;
    return this.#decode(streamId, block, this.#endsStream);
  }

  #keep(fragment: Buffer): void {
    this.#bytes += fragment.length;
    if (this.#bytes > MAX_HEADER_BYTES || this.#pieces.length >= MAX_PIECES) {
      throw new Http2ProtocolError(ERROR.ENHANCE_YOUR_CALM, 'A header block is too long');
    }
    this.#pieces.push(Buffer.from(fragment));
  }

  #decode(streamId: number, block: Buffer, endsStream: boolean): ResponseHead {
    const { status, headers, fault, bytes } = this.#fieldsOf(block);
    return { streamId, status, headers, endsStream, fault, bytes: block.length + bytes };
  }

  /** Answers to the devices of a campaign are the same for a second, but for their bodies: so is their block, and is read once. */
  #fieldsOf(block: Buffer): ResponseFields {
    const { version } = this.#decoder;
    const last = this.#decoded;
    if (last !== null && last.version === version && last.block.equals(block)) return last.fields;
    const fields = new ResponseFields();
    this.#decoder.decode(block, (name, value) => fields.add(name, value));
    const isRepeatable = this.#decoder.version === version;
    this.#decoded = isRepeatable ? { block: Buffer.from(block), version, fields } : null;
    return fields;
  }
}

/**
 * Returns a payload without padding, and without the priority that HEADERS may carry (RFC 9113 §6.1, §6.2).
 *
 * @throws Http2ProtocolError PROTOCOL_ERROR if the padding is longer than the payload
 */
export function withoutPadding(type: number, flags: number, payload: Buffer): Buffer {
  let begin = 0;
  let end = payload.length;
  if ((flags & FLAG.PADDED) !== 0) {
    begin = 1;
    end -= payload[0] ?? 0;
  }
  if (type === FRAME.HEADERS && (flags & FLAG.PRIORITY) !== 0) begin += 5;
  if (begin > end) throw new Http2ProtocolError(ERROR.PROTOCOL_ERROR, 'A frame is all padding');
  return begin === 0 && end === payload.length ? payload : payload.subarray(begin, end);
}
