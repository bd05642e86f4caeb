import {
  createSecureServer,
  createServer,
  type Http2Server,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
  type Settings,
} from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import { throwAwayCertificate } from './certificate';

/** One request as a test server saw it. */
export interface SeenRequest {
  stream: ServerHttp2Stream;
  session: ServerHttp2Session;
  headers: IncomingHttpHeaders;
  body: string;
  /** Answers with a status, a JSON body (or none) and headers. */
  answer(status: number, body?: unknown, headers?: Record<string, string>): void;
}

/** A small HTTP/2 server on 127.0.0.1. */
export interface TestHttp2Server {
  origin: string;
  port: number;
  sessions: Set<ServerHttp2Session>;
  /** How many sessions were ever opened. */
  readonly opened: number;
  /** Ends every connection below HTTP/2, as a broken network does: no GOAWAY, no RST_STREAM. */
  breakConnections(): void;
  close(): Promise<void>;
}

/** Starts a server that hands every complete request to `handle`. With `tls`, its certificate is the throw-away one. */
export async function startHttp2Server(
  handle: (request: SeenRequest) => void,
  options: {
    tls?: boolean;
    port?: number;
    settings?: Settings;
    onSession?: (session: ServerHttp2Session) => void;
  } = {},
): Promise<TestHttp2Server> {
  const settings = options.settings ?? {};
  const server: Http2Server = options.tls
    ? createSecureServer({ ...throwAwayCertificate(), settings })
    : createServer({ settings });
  const sessions = new Set<ServerHttp2Session>();
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  let opened = 0;
  server.on('session', (session) => {
    opened++;
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
    session.on('error', () => undefined);
    options.onSession?.(session);
  });
  server.on('sessionError', () => undefined);
  server.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => collect(stream, headers, handle));
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `${options.tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    port,
    sessions,
    get opened() {
      return opened;
    },
    breakConnections: () => {
      for (const socket of sockets) socket.resetAndDestroy();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const session of sessions) session.destroy();
      }),
  };
}

function collect(
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  handle: (request: SeenRequest) => void,
): void {
  const chunks: Buffer[] = [];
  stream.on('error', () => undefined);
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  stream.on('end', () => {
    if (!stream.session) return;
    handle({
      stream,
      session: stream.session as ServerHttp2Session,
      headers,
      body: Buffer.concat(chunks).toString('utf8'),
      answer(status, body, more = {}) {
        if (stream.destroyed || stream.closed) return;
        stream.respond({ ':status': status, 'content-type': 'application/json', ...more });
        stream.end(body === undefined ? undefined : JSON.stringify(body));
      },
    });
  });
}
