import { DEFAULT_MAX_FRAME_BYTES, DEFAULT_WINDOW, ERROR, FLAG, FRAME, Http2ProtocolError, MAX_WINDOW } from './frame';
import type { FrameWriter } from './frame-writer';
import type { OpenStream } from './open-stream';

/** Sends bodies within what the server's windows take (RFC 9113 §5.2); the rest waits, in order. */
export class OutgoingBodies {
  initialWindow = DEFAULT_WINDOW;
  #window = DEFAULT_WINDOW;
  readonly #waiting = new Set<OpenStream>();

  constructor(private readonly writer: FrameWriter) {}

  /** Sends the whole body of a stream, now or as the windows open. */
  send(stream: OpenStream, body: string | Buffer): void {
    if (typeof body === 'string') {
      const bytes = Buffer.byteLength(body);
      if (bytes <= Math.min(this.#window, stream.window, DEFAULT_MAX_FRAME_BYTES)) {
        this.#window -= bytes;
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

  /** WINDOW_UPDATE of the connection. */
  grant(octets: number): void {
    this.#window = widened(this.#window, octets);
    for (const stream of this.#waiting) {
      if (this.#window <= 0) return;
      this.#advance(stream);
    }
  }

  /** WINDOW_UPDATE of a stream. */
  grantStream(stream: OpenStream, octets: number): void {
    stream.window = widened(stream.window, octets);
    if (stream.unsent !== null) this.#advance(stream);
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
