import type { IncomingMessage } from 'node:http';
import type { OnApplicationShutdown } from '@nestjs/common';
import type { GatewayConfig } from '@postrider/platform';
import type { FastifyRequest } from 'fastify';
import { accessOf, takesUpload } from '../auth/endpoint-access.decorator';

const LOOK_EVERY_MS = 500;
/** How long the rest of a refused body may take to arrive, unless it is an upload of a caller who may send it. */
const REFUSED_BODY_MS = 5_000;
/** The most that is read of a refused upload. */
const MOST_DISCARDED_BYTES = 1_073_741_824;

/**
 * Ends connections whose request does not arrive in time, so that slow senders cannot hold them. Checking all
 * incomplete requests twice a second costs less than a timer for each.
 */
export class BodyDeadlines implements OnApplicationShutdown {
  readonly #dueAt = new Map<IncomingMessage, number>();
  readonly #timer: NodeJS.Timeout;

  /** @param now milliseconds of a clock that never jumps */
  constructor(
    private readonly config: Pick<GatewayConfig, 'bodyTimeoutSeconds' | 'uploadTimeoutSeconds'>,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.#timer = setInterval(() => this.look(), LOOK_EVERY_MS).unref();
  }

  /** Begins the deadline of the body of `request`, by the settings: that of uploads, or that of other bodies. */
  begin(request: FastifyRequest): void {
    if (accessOf(request)?.kind === 'anybody') return;
    const { uploadTimeoutSeconds, bodyTimeoutSeconds } = this.config;
    this.set(request.raw, 1_000 * (takesUpload(request) ? uploadTimeoutSeconds : bodyTimeoutSeconds));
  }

  /**
   * Sets the deadline of the rest of `request` to `withinMs` from now. A later call for the same request replaces it.
   */
  set(request: IncomingMessage, withinMs: number): void {
    if (!request.complete) this.#dueAt.set(request, this.now() + withinMs);
  }

  /**
   * Reads and discards the rest of a refused request, within its deadline. So a sender who writes first and reads later
   * gets the answer instead of a broken connection (RFC 9112 §9.6), and one who stops writing holds nothing. An upload
   * keeps its deadline, because large files are slow. Whoever read the body until now reads no more of it.
   */
  discard(request: FastifyRequest): void {
    const { raw } = request;
    if (raw.complete) return;
    if (!this.#dueAt.has(raw) || !takesUpload(request)) this.set(raw, REFUSED_BODY_MS);
    let bytes = 0;
    // A reader that stopped in the middle of a file left its listener, and with one the stream does not flow.
    raw.removeAllListeners('readable');
    raw.on('data', (piece: Buffer) => {
      bytes += piece.length;
      if (bytes > MOST_DISCARDED_BYTES) raw.socket.destroySoon();
    });
    raw.resume();
  }

  /** The number of incomplete requests. */
  get size(): number {
    return this.#dueAt.size;
  }

  /** Removes requests that have arrived, and ends late ones. */
  look(): void {
    const now = this.now();
    for (const [request, dueAt] of this.#dueAt) {
      if (!request.complete && !request.destroyed) {
        if (now < dueAt) continue;
        answerAndClose(request);
      }
      this.#dueAt.delete(request);
    }
  }

  onApplicationShutdown(): void {
    clearInterval(this.#timer);
    this.#dueAt.clear();
  }
}

const LATE = JSON.stringify({
  error: { name: 'RequestTimeout', status: 408, message: 'The body did not arrive in time', code: 'REQUEST_TIMEOUT' },
});

/** Writes 408 (RFC 9110 §15.5.9) unless an answer has begun, and closes the connection. */
function answerAndClose({ socket }: IncomingMessage): void {
  const response = (socket as { _httpMessage?: { headersSent: boolean } })._httpMessage;
  if (response && !response.headersSent) {
    socket.write(
      'HTTP/1.1 408 Request Timeout\r\nContent-Type: application/json; charset=utf-8\r\n' +
        `Content-Length: ${Buffer.byteLength(LATE)}\r\nConnection: close\r\n\r\n${LATE}`,
    );
  }
  socket.destroySoon();
}
