import type { IncomingHttpHeaders, ServerHttp2Session, ServerHttp2Stream } from 'node:http2';
import type { TLSSocket } from 'node:tls';
import { type Answer, type ConnectionMemory, type Exchange, RESET_CODES, type ResetCode } from './exchange';

const NOTHING = Buffer.alloc(0);

/** One HTTP/2 stream as an `Exchange`. */
export class Http2Exchange implements Exchange {
  readonly httpVersion = '2';
  readonly method: string;
  readonly path: string;
  readonly query: string;
  body: Buffer = NOTHING;

  constructor(
    private readonly session: ServerHttp2Session,
    private readonly socket: TLSSocket,
    private readonly stream: ServerHttp2Stream,
    readonly headers: IncomingHttpHeaders,
    readonly connection: ConnectionMemory,
  ) {
    this.method = headers[':method'] ?? '';
    const target = headers[':path'] ?? '/';
    const mark = target.indexOf('?');
    this.path = mark === -1 ? target : target.slice(0, mark);
    this.query = mark === -1 ? '' : target.slice(mark + 1);
  }

  get authority(): string {
    return this.headers[':authority'] ?? this.headers.host ?? '';
  }

  answer(answer: Answer): void {
    const stream = this.stream;
    if (stream.destroyed || stream.closed || stream.headersSent) return;
    const headers = { ':status': answer.status, ...answer.headers };
    if (answer.body === undefined) {
      stream.respond(headers, { endStream: true });
      return;
    }
    stream.respond(headers);
    stream.end(answer.body);
  }

  reset(code: ResetCode): void {
    if (!this.stream.destroyed) this.stream.close(RESET_CODES[code]);
  }

  announceGoAway(): void {
    // A request that arrives before the frame has left is also refused: nghttp2 would close it unanswered, as RFC 9113
    // §6.8 allows for streams that were not processed.
    if (this.session.destroyed || this.session.closed) return;
    this.connection.lastStream ??= this.connection.newestStream ?? 0;
    this.session.goaway(RESET_CODES.NO_ERROR, this.connection.lastStream, Buffer.from('{"reason":"Shutdown"}'));
  }

  dropConnection(): void {
    this.socket.destroy();
  }
}
