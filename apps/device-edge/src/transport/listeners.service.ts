import type { Server as HttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:tls';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '@postrider/platform';
import { EdgeMetrics } from '../runtime/edge-metrics';
import { SessionFactory } from '../session/session-factory.service';
import { acceptSocket } from './tcp-transport';
import { readTlsCertificate } from './tls-certificate';
import { createWebSocketServer } from './web-socket-server';

/** The first byte of a TLS handshake (RFC 8446 §5.1); no HTTP request begins with it. */
const TLS_HANDSHAKE = 0x16;
const FIRST_BYTE_WITHIN_MS = 10_000;
const HANDSHAKE_WITHIN_MS = 10_000;
const BACKLOG = 4_096;
/** Connections beyond `MAX_CONNECTIONS` that are still accepted, as a share of it: their CONNECT is refused, with the reason. */
const REFUSED_SHARE = 1 / 10;

/** The ports that an edge listens on, by protocol. */
export type EdgePorts = Record<string, number> & { mqtt: number; ws: number };

/**
 * Listens for devices: MQTT over TCP and over WebSocket. With a certificate also over TLS; the WebSocket port then takes
 * both WebSocket and WebSocket over TLS, and tells them apart by the first byte.
 */
@Injectable()
export class Listeners {
  readonly #servers: Server[] = [];

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly sessions: SessionFactory,
    private readonly metrics: EdgeMetrics,
  ) {}

  /** @throws ConfigError if the certificate cannot be used; the system's error if a port is taken */
  async listen(): Promise<EdgePorts> {
    const { mqttPort, mqttWsPort, mqttTlsPort, connectionMaxPacketBytes } = this.config;
    const certificate = readTlsCertificate(this.config);
    const webSockets = createWebSocketServer(this.sessions, connectionMaxPacketBytes * 2);
    const ports: EdgePorts = {
      mqtt: await this.#open(
        createServer((socket) => acceptSocket(socket, this.sessions)),
        mqttPort,
      ),
      ws: 0,
    };
    if (certificate === null) {
      ports.ws = await this.#open(
        createServer((socket) => webSockets.emit('connection', socket)),
        mqttWsPort,
      );
      return ports;
    }
    const credentials = { ...certificate, handshakeTimeout: HANDSHAKE_WITHIN_MS };
    const overTls = createTlsServer(credentials, (socket) => webSockets.emit('connection', socket));
    overTls.on('tlsClientError', (_, socket) => socket.destroy());
    ports.ws = await this.#open(
      createServer((socket) => routeByFirstByte(socket, overTls, webSockets)),
      mqttWsPort,
    );
    const tls = createTlsServer(credentials, (socket) => acceptSocket(socket, this.sessions));
    tls.on('tlsClientError', (_, socket) => socket.destroy());
    ports.tls = await this.#open(tls, mqttTlsPort);
    this.metrics.showCertificate(certificate.cert);
    return ports;
  }

  /** Accepts no more connections. Open connections stay. */
  stop(): void {
    for (const server of this.#servers.splice(0)) server.close();
  }

  #open(server: Server, port: number): Promise<number> {
    this.#servers.push(server);
    const { host, maxConnections } = this.config;
    // The others are closed unheard: a stranger can open connections without end, and each takes memory and a descriptor.
    server.maxConnections = maxConnections + Math.ceil(maxConnections * REFUSED_SHARE);
    return new Promise((ready, fail) => {
      server.once('error', fail);
      server.listen({ port, host, backlog: BACKLOG }, () => {
        server.off('error', fail);
        server.on('error', () => undefined);
        ready((server.address() as AddressInfo).port);
      });
    });
  }
}

/** Passes a connection to the TLS server if it begins with a TLS handshake, else to the plain one. */
function routeByFirstByte(socket: Socket, tls: TlsServer, plain: HttpServer): void {
  socket.on('error', () => socket.destroy());
  socket.setTimeout(FIRST_BYTE_WITHIN_MS, () => socket.destroy());
  socket.once('readable', () => {
    const bytes = socket.read() as Buffer | null;
    if (bytes === null) return;
    socket.setTimeout(0);
    socket.unshift(bytes);
    (bytes[0] === TLS_HANDSHAKE ? tls : plain).emit('connection', socket);
  });
}
