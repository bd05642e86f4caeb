import { once } from 'node:events';
import type { OutgoingHttpHeaders } from 'node:http2';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { type SeenRequest, startHttp2Server, type TestHttp2Server } from '@postrider/testing';
import type { Http2ClientName } from '../../sender';
import type { Http2PoolOptions, Http2Result } from '../http2-call';
import { Http2Pool } from '../http2-pool';

/** A loaded machine must not look like a slow vendor: only a test about a limit has one. */
const PATIENT = { deadlineMs: 250_000, connectTimeoutMs: 250_000, probeAfterMs: 250_000, probeTimeoutMs: 250_000 };

/** SETTINGS without a setting, with which every server greets. */
export const EMPTY_SETTINGS = Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]);
/** The same, and the acknowledgement of the client's SETTINGS. */
export const GREETING = Buffer.concat([EMPTY_SETTINGS, Buffer.from([0, 0, 0, 4, 1, 0, 0, 0, 0])]);

/** The pools of a test, and the servers that they talk to. */
export class PoolStage {
  readonly #pools: Http2Pool[] = [];
  readonly #servers: { close(): Promise<void> }[] = [];

  constructor(private readonly client: Http2ClientName) {}

  /** Makes a pool of connections to a server. */
  poolTo(origin: string, options: Partial<Http2PoolOptions> = {}): Http2Pool {
    const { client } = this;
    const pool = new Http2Pool({
      origin: new URL(origin),
      allowPrivateEndpoints: true,
      client,
      ...PATIENT,
      ...options,
    });
    this.#pools.push(pool);
    return pool;
  }

  /** Starts an HTTP/2 server. */
  async serve(
    handle: (request: SeenRequest) => void,
    options: Parameters<typeof startHttp2Server>[1] = {},
  ): Promise<TestHttp2Server> {
    const server = await startHttp2Server(handle, options);
    this.#servers.push(server);
    return server;
  }

  /** Starts a TCP server that does as the test says with each connection. It never ends its side by itself. */
  async listen(onSocket: (socket: Socket) => void): Promise<{ origin: string; sockets: Set<Socket> }> {
    const sockets = new Set<Socket>();
    const server = createServer({ allowHalfOpen: true }, (socket) => {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket)).on('error', () => undefined);
      onSocket(socket);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    this.#servers.push({
      close: () =>
        new Promise((resolve) => {
          server.close(() => resolve());
          for (const socket of sockets) socket.destroy();
        }),
    });
    return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sockets };
  }

  /** Closes every pool and server. */
  async close(): Promise<void> {
    for (const pool of this.#pools.splice(0)) await pool.close();
    for (const server of this.#servers.splice(0)) await server.close();
  }
}

/** Defines the tests once for each client. What a test starts is closed after it. */
export function describeWithEachClient(define: (stage: PoolStage) => void): void {
  describe.each<Http2ClientName>(['own', 'node'])('with the client `%s`', (client) => {
    const stage = new PoolStage(client);
    afterEach(() => {
      jest.useRealTimers();
      return stage.close();
    });
    define(stage);
  });
}

/** From now on a pool's time moves only when the test says; sockets and their waiters use real time. */
export function stopTime(): void {
  jest.useFakeTimers({ doNotFake: ['Date', 'hrtime', 'nextTick', 'queueMicrotask', 'setImmediate', 'setTimeout'] });
}

/** Sends one request over a pool. */
export function call(pool: Http2Pool, path = '/', body = '{}', more: OutgoingHttpHeaders = {}): Promise<Http2Result> {
  return new Promise((done) =>
    pool.send({ compose: () => ({ headers: { ':method': 'POST', ':path': path, ...more }, body }), done }),
  );
}

/** Sends so many requests at once, to the paths `/0`, `/1` and so on. */
export function callMany(pool: Http2Pool, count: number): Promise<Http2Result[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => call(pool, `/${index}`)));
}

/** Counts results by their kind. */
export function countKinds(results: readonly Http2Result[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { kind } of results) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}
