import { createServer as createHttp1Server, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { performServerHandshake, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import { createServer as createTlsServer, type Server as TlsServer, type TLSSocket } from 'node:tls';
import { MINUTE_MS } from '@postrider/domain';
import { type ConnectionMemory, type Exchange, MAX_BODY_BYTES, RESET_CODES } from './exchange';
import { Http1Exchange } from './http1-exchange';
import { Http2Exchange } from './http2-exchange';
import { listenOn } from './listen';

const CONNECTION_WINDOW_BYTES = 8 * 1024 * 1024;
const STREAM_WINDOW_BYTES = 256 * 1024;
const SESSION_MEMORY_MB = 256;

/** The options of the front. */
interface TlsFrontOptions {
  certificate: string;
  privateKey: string;
  maxConcurrentStreams: number;
  handle: (exchange: Exchange) => void;
}

/**
 * One TLS port that speaks HTTP/2 and HTTP/1.1 (by ALPN) and gives each complete request to `handle`.
 * HTTP/2 sessions are made from the TLS sockets directly: Node's own secure server would wrap every stream in request
 * and response objects as soon as it also serves HTTP/1.1, which halves the number of answers that one core can give.
 */
export class TlsFront {
  private readonly tls: TlsServer;
  private readonly http1: Server;
  private readonly sockets = new Set<Socket>();
  private readonly sessions = new Set<ServerHttp2Session>();
  private readonly memories = new WeakMap<Socket, ConnectionMemory>();

  constructor(private readonly options: TlsFrontOptions) {
    this.http1 = createHttp1Server({ keepAliveTimeout: MINUTE_MS }, (request, response) =>
      this.onRequest(request, response),
    );
    this.tls = createTlsServer(
      { key: options.privateKey, cert: options.certificate, ALPNProtocols: ['h2', 'http/1.1'], minVersion: 'TLSv1.2' },
      (socket) => this.onSocket(socket),
    );
    // The sockets under TLS: a caller may never begin the handshake.
    this.tls.on('connection', (socket: Socket) => {
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
    this.tls.on('tlsClientError', () => undefined); // a caller that does not trust the certificate is its own problem
  }

  /** Starts listening; gives the port. */
  async listen(port: number, host: string): Promise<number> {
    return listenOn(this.tls, port, host);
  }

  /** Changes how many streams a session may have open, for the sessions that stand too. */
  limitStreams(maxConcurrentStreams: number): void {
    this.options.maxConcurrentStreams = maxConcurrentStreams;
    for (const session of this.sessions) session.settings({ maxConcurrentStreams });
  }

  /** Stops listening and drops every connection. */
  async close(): Promise<void> {
    const closed = new Promise((done) => this.tls.close(done));
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  private onSocket(socket: TLSSocket): void {
    socket.on('error', () => undefined);
    socket.setNoDelay(true);
    if (socket.alpnProtocol === 'h2') this.openSession(socket);
    else this.http1.emit('connection', socket);
  }

  private openSession(socket: TLSSocket): void {
    const session = performServerHandshake(socket, {
      maxSessionMemory: SESSION_MEMORY_MB,
      settings: {
        maxConcurrentStreams: this.options.maxConcurrentStreams,
        initialWindowSize: STREAM_WINDOW_BYTES,
        enablePush: false,
      },
    });
    session.setLocalWindowSize(CONNECTION_WINDOW_BYTES);
    const memory: ConnectionMemory = { requests: 0 };
    this.sessions.add(session);
    session.on('error', () => undefined);
    session.once('close', () => this.sessions.delete(session));
    session.on('stream', (stream, headers) => {
      if (stream.id !== undefined && stream.id > (memory.lastStream ?? Infinity)) {
        stream.on('error', () => undefined).close(RESET_CODES.REFUSED_STREAM);
        return;
      }
      memory.newestStream = stream.id;
      this.onStream(stream, new Http2Exchange(session, socket, stream, headers, memory));
    });
  }

  private onStream(stream: ServerHttp2Stream, exchange: Http2Exchange): void {
    exchange.connection.requests += 1;
    stream.on('error', () => undefined); // a caller may take any stream back at any time
    collect(stream, exchange, (body) => {
      exchange.body = body;
      this.options.handle(exchange);
    });
  }

  private onRequest(request: IncomingMessage, response: ServerResponse): void {
    let memory = this.memories.get(request.socket);
    if (memory === undefined) this.memories.set(request.socket, (memory = { requests: 0 }));
    memory.requests += 1;
    const known = memory;
    request.on('error', () => undefined);
    const refusal = new Http1Exchange(request, response, Buffer.alloc(0), known);
    collect(request, refusal, (body) => this.options.handle(new Http1Exchange(request, response, body, known)));
  }
}

/** Reads a body up to the limit; beyond it answers 413 at once and hands nothing on. */
function collect(source: NodeJS.ReadableStream, exchange: Exchange, whole: (body: Buffer) => void): void {
  let first: Buffer | undefined;
  let more: Buffer[] | undefined;
  let bytes = 0;
  source.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) exchange.answer({ status: 413 });
    else if (first === undefined) first = chunk;
    else (more ??= [first]).push(chunk);
  });
  source.on('end', () => {
    if (bytes <= MAX_BODY_BYTES) whole(more === undefined ? (first ?? Buffer.alloc(0)) : Buffer.concat(more));
  });
}
