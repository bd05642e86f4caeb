import { DEFAULT_MAX_FRAME_BYTES, ERROR, FRAME_HEADER_BYTES, Http2ProtocolError } from './frame';

/** Receives one frame. The payload is only valid during the call. */
type OnFrame = (type: number, flags: number, streamId: number, payload: Buffer) => void;

/** Cuts the bytes that a socket reads into frames, in whatever pieces they come. */
export class FrameReader {
  #rest: Buffer | null = null;

  constructor(private readonly onFrame: OnFrame) {}

  /** @throws Http2ProtocolError FRAME_SIZE_ERROR when a frame is larger than we allow */
  read(chunk: Buffer): void {
    const bytes = this.#rest === null ? chunk : Buffer.concat([this.#rest, chunk]);
    this.#rest = null;
    let at = 0;
    while (bytes.length - at >= FRAME_HEADER_BYTES) {
      const length = bytes.readUIntBE(at, 3);
      if (length > DEFAULT_MAX_FRAME_BYTES)
        throw new Http2ProtocolError(ERROR.FRAME_SIZE_ERROR, 'A frame is too large');
      const begin = at + FRAME_HEADER_BYTES;
      if (bytes.length < begin + length) break;
      at = begin + length;
      this.onFrame(
        bytes[begin - 6] as number,
        bytes[begin - 5] as number,
        bytes.readUInt32BE(begin - 4) & 0x7fffffff,
        bytes.subarray(begin, at),
      );
    }
    if (at < bytes.length) this.#rest = bytes.subarray(at);
  }
}
