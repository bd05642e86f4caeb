import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import type { SessionFactory } from '../session/session-factory.service';
import { KEEP_ALIVE_MS } from './tcp-transport';
import { WebSocketTransport } from './web-socket-transport';

/** Subprotocols: that of MQTT 3.1.1 and 5 (MQTT 3.1.1 §6.0.0-3), and that of 3.1. */
const PROTOCOLS = ['mqtt', 'mqttv3.1'];
const UNSUPPORTED_DATA = 1_003;
const HANDSHAKE_WITHIN_MS = 10_000;
/**
 * Each frame of a message, and each piece in which a frame arrives, takes more memory than its few bytes. Browsers send the
 * largest packet in a few dozen frames, and the smallest usual segment of TCP (536 bytes) makes a thousand pieces of a frame.
 */
const MOST_FRAGMENTS = 1_024;
const MOST_PIECES = 4_096;

/**
 * Makes an HTTP server whose connections, on any path, become MQTT over WebSocket. It drops connections that have not
 * done so within `handshakeWithinMs`. It listens on nothing itself.
 */
export function createWebSocketServer(
  sessions: SessionFactory,
  maxFrameBytes: number,
  handshakeWithinMs = HANDSHAKE_WITHIN_MS,
): Server {
  const http = createServer((_, response) => {
    response.writeHead(426, { 'content-type': 'text/plain', upgrade: 'websocket', connection: 'close' });
    response.end('MQTT over WebSocket is spoken here.\n');
  });
  // A server that listens on nothing does not check its own time limits (`headersTimeout`, `requestTimeout`).
  const late = new WeakMap<Socket, NodeJS.Timeout>();
  http.on('connection', (socket: Socket) => {
    late.set(
      socket,
      setTimeout(() => socket.destroy(), handshakeWithinMs),
    );
    socket.once('close', () => clearTimeout(late.get(socket)));
  });
  const webSockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: maxFrameBytes,
    maxFragments: MOST_FRAGMENTS,
    maxBufferedChunks: MOST_PIECES,
    handleProtocols: (offered) => PROTOCOLS.find((one) => offered.has(one)) ?? false,
  });
  http.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    clearTimeout(late.get(socket));
    socket.on('error', () => undefined);
    webSockets.handleUpgrade(request, socket, head, (webSocket) => {
      acceptWebSocket(webSocket, socket, sessions);
    });
  });
  http.on('clientError', (_, socket) => socket.destroy());
  return http;
}

function acceptWebSocket(webSocket: WebSocket, socket: Socket, sessions: SessionFactory): void {
  socket.setNoDelay(true);
  socket.setKeepAlive(true, KEEP_ALIVE_MS);
  const session = sessions.open(new WebSocketTransport(webSocket, sessions.lingering));
  webSocket.on('message', (data: RawData, isBinary: boolean) => {
    // MQTT 3.1.1 §6.0.0-1: only binary frames.
    if (isBinary) session.receive(data as Buffer);
    else webSocket.close(UNSUPPORTED_DATA);
  });
  socket.on('drain', () => session.flush());
  webSocket.on('error', () => undefined);
  webSocket.on('close', () => sessions.gone(session));
}
