import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyServerFactory } from 'fastify';
import type { GatewayConfig } from '@postrider/platform';
import { networkOf } from '../auth/counted-address';

/** Answers a request, or returns false and does nothing. */
type EarlyAnswer = (request: IncomingMessage, response: ServerResponse) => boolean;

/** The options of Fastify that the server itself takes, set as Fastify would. */
interface ServerOptions {
  keepAliveTimeout?: number;
  requestTimeout?: number;
  connectionTimeout?: number;
}

/**
 * Lets a plugin answer requests before Fastify makes its own objects and looks for a route, which is most of the cost
 * of a short answer. Fastify's handler stays the server's only listener: it is called for everything that is not
 * answered early, and for everything once the server closes.
 */
export class EarlyAnswers {
  #answer: EarlyAnswer = () => false;

  /** Calls `answer` first from now on. Only one plugin may use this. */
  use(answer: EarlyAnswer): void {
    this.#answer = answer;
  }

  /** Fastify's option `serverFactory`. */
  readonly createServer: FastifyServerFactory = (handler, options): Server => {
    const { keepAliveTimeout = 0, requestTimeout = 0, connectionTimeout = 0 }: ServerOptions = options;
    const server = createServer((request, response) => {
      if (!server.listening || !this.#answer(request, response)) handler(request, response);
    });
    server.keepAliveTimeout = keepAliveTimeout;
    server.requestTimeout = requestTimeout;
    server.setTimeout(connectionTimeout);
    return server;
  };
}

type Limits = Pick<GatewayConfig, 'maxHttpConnections' | 'maxHttpConnectionsPerAddress' | 'trustedProxies'>;

/**
 * Closes connections beyond the limits as soon as they are opened, so that no stranger can use up everybody's
 * connections. Connections per address (IPv6: per /64) are limited only without proxies, because behind a proxy all
 * connections have its address.
 */
export function limitConnections(server: Server, limits: Limits): void {
  server.maxConnections = limits.maxHttpConnections;
  if (limits.trustedProxies > 0) return;
  const open = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const address = networkOf(socket.remoteAddress) ?? '';
    const count = (open.get(address) ?? 0) + 1;
    open.set(address, count);
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1;
      if (left === 0) open.delete(address);
      else open.set(address, left);
    });
    if (count > limits.maxHttpConnectionsPerAddress) socket.destroy();
  });
}
