import { DEFAULT_MAX_FRAME_BYTES, DEFAULT_WINDOW, ERROR, FLAG, FRAME, Http2ProtocolError, MAX_WINDOW } from './frame';
import type { FrameWriter } from './frame-writer';
import type { OpenStream } from '../client-connection';

/** Sends bodies within the server's windows (RFC 9113 §5.2); the rest waits, in order. */
export class OutgoingBodies {
  initialWindow = DEFAULT_WINDOW;
  #window = DEFAULT_WINDOW;
  readonly #waiting = new Set<OpenStream>();

  constructor(private readonly writer: FrameWriter) {}

  /** Sends the whole body of a stream, now or as the windows open. @param bytes its length in UTF-8 */
  send(stream: OpenStream, body: string | Buffer, bytes: number): void {
    if (typeof body === 'string') {
      if (bytes <= Math.min(this.#window, stream.window, DEFAULT_MAX_FRAME_BYTES)) {
        this.#window -= bytes;
        stream.window -= bytes;
        this.writer.lastData(stream.id, body, bytes);
        return;
      }
    }
    stream.unsent = Buffer.from(body as string);
    this.#advance(stream);
  }

  /** A stream ended: nothing more of it is sent. */
  forget(stream: OpenStream): void {
    if (stream.unsent !== null) this.#waiting.delete(stream);
  }

  /** WINDOW_UPDATE of the connection. @throws Http2ProtocolError when it is too wide then, or no wider */
  grant(octets: number): void {
    if (octets === 0) throw new Http2ProtocolError(ERROR.PROTOCOL_ERROR, 'A WINDOW_UPDATE of nothing');
    this.#window = widened(this.#window, octets);
    for (const stream of this.#waiting) {
      if (this.#window <= 0) return;
      this.#advance(stream);
    }
  }

  /**
   * Takes a WINDOW_UPDATE of a stream. @returns the error code if the stream was given nothing or too much, else null
   */
  grantStream(stream: OpenStream, octets: number): number | null {
    if (octets === 0) return ERROR.PROTOCOL_ERROR;
    if (stream.window + octets > MAX_WINDOW) return ERROR.FLOW_CONTROL_ERROR;
    stream.window += octets;
    if (stream.unsent !== null) this.#advance(stream);
    return null;
  }

  /** SETTINGS_INITIAL_WINDOW_SIZE changes the windows of open streams by the difference (RFC 9113 §6.9.2). */
  setInitialWindow(octets: number, open: Iterable<OpenStream>): void {
    const difference = octets - this.initialWindow;
    this.initialWindow = octets;
    for (const stream of open) {
      stream.window = widened(stream.window, difference);
      if (stream.unsent !== null) this.#advance(stream);
    }
  }

  #advance(stream: OpenStream): void {
    for (let body = stream.unsent; body !== null; body = stream.unsent) {
      const octets = Math.min(body.length, this.#window, stream.window, DEFAULT_MAX_FRAME_BYTES);
      if (octets <= 0 && body.length > 0) {
        this.#waiting.add(stream);
        return;
      }
      const isLast = octets === body.length;
      this.writer.frame(FRAME.DATA, isLast ? FLAG.END_STREAM : 0, stream.id, body.subarray(0, octets));
      this.#window -= octets;
      stream.window -= octets;
      stream.unsent = isLast ? null : body.subarray(octets);
    }
    this.#waiting.delete(stream);
  }
}

function widened(window: number, octets: number): number {
  if (window + octets > MAX_WINDOW) throw new Http2ProtocolError(ERROR.FLOW_CONTROL_ERROR, 'A window is too wide');
  return window + octets;
}
