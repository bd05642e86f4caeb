import type { IncomingMessage } from 'node:http';
import type { OnApplicationShutdown } from '@nestjs/common';
import type { GatewayConfig } from '@postrider/platform';
import type { FastifyRequest } from 'fastify';
import { accessOf, takesUpload } from '../auth/endpoint-access.decorator';

const LOOK_EVERY_MS = 500;
/** How long the rest of a refused body may take to arrive, unless it is an upload of a caller who may send it. */
const REFUSED_BODY_MS = 5_000;
/** Of a refused upload so much is read at most. */
const MOST_DISCARDED_BYTES = 1_073_741_824;

/**
 * Ends connections whose request does not arrive in time, so
 * that slow senders cannot hold them. Looking at all incomplete requests twice a second costs less than a timer for
 * each.
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

  /** The body of `request` has to arrive within the time of the settings: an upload's, or any other's. */
  begin(request: FastifyRequest): void {
    if (accessOf(request)?.kind === 'anybody') return;
    const { uploadTimeoutSeconds, bodyTimeoutSeconds } = this.config;
    this.set(request.raw, 1_000 * (takesUpload(request) ? uploadTimeoutSeconds : bodyTimeoutSeconds));
  }

  /** The rest of `request` has to arrive within `withinMs`; a later call for the same request counts instead. */
  set(request: IncomingMessage, withinMs: number): void {
    if (!request.complete) this.#dueAt.set(request, this.now() + withinMs);
  }

  /**
   * Reads what is left of a refused request and throws it away, within its deadline: so a sender who writes first and reads later sees
   * the answer instead of a broken connection (RFC 9112 §9.6), and one who stops writing holds nothing. An upload keeps the time that it
   * had: large files are slow.
   */
  discard(request: FastifyRequest): void {
    const { raw } = request;
    if (raw.complete) return;
    if (!this.#dueAt.has(raw) || !takesUpload(request)) this.set(raw, REFUSED_BODY_MS);
    let bytes = 0;
    raw.on('data', (piece: Buffer) => {
      bytes += piece.length;
      if (bytes > MOST_DISCARDED_BYTES) raw.socket.destroySoon();
    });
    raw.resume();
  }

  /** How many requests are waited for. */
  get size(): number {
    return this.#dueAt.size;
  }

  /** Forgets what has arrived, and ends what is late. */
  look(): void {
    const now = this.now();
    for (const [request, dueAt] of this.#dueAt) {
      if (!request.complete && !request.destroyed) {
        if (now < dueAt) continue;
        tellAndClose(request);
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
function tellAndClose({ socket }: IncomingMessage): void {
  const response = (socket as { _httpMessage?: { headersSent: boolean } })._httpMessage;
  if (response && !response.headersSent) {
    socket.write(
      'HTTP/1.1 408 Request Timeout\r\nContent-Type: application/json; charset=utf-8\r\n' +
        `Content-Length: ${Buffer.byteLength(LATE)}\r\nConnection: close\r\n\r\n${LATE}`,
    );
  }
  socket.destroySoon();
}
