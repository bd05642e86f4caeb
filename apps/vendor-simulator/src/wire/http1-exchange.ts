import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Answer, ConnectionMemory, Exchange } from './exchange';

/** One HTTP/1.1 request as an `Exchange`. */
export class Http1Exchange implements Exchange {
  readonly httpVersion = '1.1';
  readonly path: string;
  readonly query: string;

  constructor(
    private readonly request: IncomingMessage,
    private readonly response: ServerResponse,
    readonly body: Buffer,
    readonly connection: ConnectionMemory,
  ) {
    const target = request.url ?? '/';
    const mark = target.indexOf('?');
    this.path = mark === -1 ? target : target.slice(0, mark);
    this.query = mark === -1 ? '' : target.slice(mark + 1);
  }

  get method(): string {
    return this.request.method ?? '';
  }

  get headers(): IncomingMessage['headers'] {
    return this.request.headers;
  }

  get authority(): string {
    return this.request.headers.host ?? '';
  }

  answer(answer: Answer): void {
    if (this.response.headersSent || this.response.destroyed) return;
    this.response.writeHead(answer.status, {
      'content-length': Buffer.byteLength(answer.body ?? ''),
      ...answer.headers,
    });
    this.response.end(answer.body);
  }

  reset(): void {
    this.request.socket.destroy();
  }

  announceGoAway(): void {
    if (!this.response.headersSent) this.response.setHeader('connection', 'close');
  }

  dropConnection(): void {
    this.request.socket.destroy();
  }
}
