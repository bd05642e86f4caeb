import { Agent, type ClientRequest, type IncomingMessage, request as httpRequest } from 'node:http';
import type { OutgoingHttpHeaders } from 'node:http2';
import type { Duplex } from 'node:stream';
import type { ClientConnection, ConnectionListener, StreamEnd, StreamReceiver } from './client-connection';

/** The request on the connection. */
interface OneRequest {
  readonly id: number;
  readonly request: ClientRequest;
  readonly receiver: StreamReceiver;
}

/**
 * The client's side of one HTTP/1.1 connection (RFC 9112), for servers that do not speak HTTP/2: one request at a time,
 * and the connection is kept as long as the server keeps it. A request ends as untouched only if nothing of it was
 * written.
 */
export class Http1Connection implements ClientConnection {
  readonly maxConcurrentStreams = 1;
  readonly #agent: Agent;
  #open: OneRequest | null = null;
  #nextId = 1;
  /** The server closes the connection after this answer. */
  #isLast = false;
  #isClosed = false;
  #error: Error | null = null;

  /** @param origin its authority is the `host` of all requests */
  constructor(
    private readonly socket: Duplex,
    private readonly origin: { authority: string },
    private readonly listener: ConnectionListener,
  ) {
    this.#agent = new Agent({ keepAlive: true, maxSockets: 1, maxFreeSockets: 1 });
    this.#agent.createConnection = () => this.socket;
    socket.on('error', (error: Error) => (this.#error ??= error));
    socket.on('close', () => this.#finish(this.#error));
    // Nothing has to be learned from the server first. The caller does not have this object yet.
    queueMicrotask(() => {
      if (!this.#isClosed) this.listener.onSettings();
    });
  }

  get isUsedUp(): boolean {
    return this.#isClosed || this.#isLast || this.socket.destroyed;
  }

  request(headers: OutgoingHttpHeaders, body: string | Buffer, receiver: StreamReceiver): number {
    const { ':method': method, ':path': path, ...fields } = headers;
    const request = httpRequest({
      agent: this.#agent,
      method: String(method),
      path: String(path),
      headers: { ...fields, host: this.origin.authority, 'content-length': Buffer.byteLength(body) },
    });
    const open = { id: this.#nextId++, request, receiver };
    this.#open = open;
    request.on('response', (response) => this.#take(open, response));
    request.on('error', (error) => this.#lose(open, error));
    request.on('close', () => this.#lose(open, null));
    request.end(body);
    return open.id;
  }

  /** HTTP/1.1 cannot take back a request: its connection ends with it. */
  reset(streamId: number, errorCode: number): void {
    if (this.#open?.id !== streamId) return;
    this.#isLast = true;
    this.#end(this.#open, { kind: 'reset', errorCode });
    this.destroy(null);
  }

  /** HTTP/1.1 has no such question: only the deadline of a request finds out that the other side is gone. */
  ping(onAnswer: () => void): void {
    setImmediate(() => {
      if (!this.#isClosed) onAnswer();
    });
  }

  close(): void {
    this.destroy(null);
  }

  destroy(error: Error | null): void {
    this.socket.destroy();
    this.#finish(error);
  }

  #take(open: OneRequest, response: IncomingMessage): void {
    if (this.#open !== open) return;
    if (!open.request.shouldKeepAlive) this.#isLast = true;
    open.receiver.onHead(response.statusCode ?? 0, response.headers);
    response.on('data', (data: Buffer) => {
      if (this.#open !== open || open.receiver.onData(data, false)) return;
      this.#isLast = true;
      this.#end(open, { kind: 'cut' });
      this.destroy(null);
    });
    response.on('error', (error) => this.#lose(open, error));
    response.on('end', () => {
      if (response.complete) this.#end(open, { kind: 'complete' });
      else this.#lose(open, null);
    });
  }

  /** A request that failed leaves nothing on its connection that could be read. */
  #lose(open: OneRequest, error: Error | null): void {
    if (this.#open === open) this.destroy(error);
  }

  #finish(error: Error | null): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const open = this.#open;
    if (open) {
      this.#end(open, endOfFailed(open.request, error));
      open.request.destroy();
    }
    this.listener.onClose(error);
  }

  #end(open: OneRequest, end: StreamEnd): void {
    if (this.#open !== open) return;
    this.#open = null;
    open.receiver.onEnd(end);
  }
}

/** Node gives a request its socket just before it writes it. */
function endOfFailed({ socket }: ClientRequest, error: Error | null): StreamEnd {
  return socket === null ? { kind: 'untouched' } : { kind: 'lost', error };
}
