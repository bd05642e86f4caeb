import { constants, type OutgoingHttpHeaders } from 'node:http2';
import { createServer, type Socket } from 'node:net';
import { once } from 'node:events';
import {
  type SeenRequest,
  startHttp2Server,
  type TestHttp2Server,
  throwAwayCertificate,
  untilTrue,
} from '@postrider/testing';
import type { Http2Result, Http2ClientName, Http2PoolOptions } from './http2-call';
import { Http2Pool } from './http2-pool';

let client: Http2ClientName = 'own';
const pools: Http2Pool[] = [];
const servers: { close(): Promise<void> }[] = [];

afterEach(async () => {
  jest.useRealTimers();
  for (const pool of pools.splice(0)) await pool.close();
  for (const server of servers.splice(0)) await server.close();
});

/** A loaded machine must not look like a slow vendor: only a test about a limit has one. */
const PATIENT = { deadlineMs: 250_000, connectTimeoutMs: 250_000, probeAfterMs: 250_000, probeTimeoutMs: 250_000 };

function poolTo(origin: string, options: Partial<Http2PoolOptions> = {}): Http2Pool {
  const pool = new Http2Pool({ origin: new URL(origin), allowPrivateEndpoints: true, client, ...PATIENT, ...options });
  pools.push(pool);
  return pool;
}

/** Starts a TCP server that does as the test says with each connection. */
async function listenRaw(onSocket: (socket: Socket) => void): Promise<{ origin: string; sockets: Set<Socket> }> {
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket)).on('error', () => undefined);
    onSocket(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  servers.push({
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  });
  return { origin: `http://127.0.0.1:${(server.address() as { port: number }).port}`, sockets };
}

/** From now on a pool's time moves only when the test says; sockets and their waiters use real time. */
function stopTime(): void {
  jest.useFakeTimers({ doNotFake: ['Date', 'hrtime', 'nextTick', 'queueMicrotask', 'setImmediate', 'setTimeout'] });
}

/** SETTINGS without a setting, and their acknowledgement. */
const GREETING = Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 4, 1, 0, 0, 0, 0]);

async function serve(
  handle: (request: SeenRequest) => void,
  options: Parameters<typeof startHttp2Server>[1] = {},
): Promise<TestHttp2Server> {
  const server = await startHttp2Server(handle, options);
  servers.push(server);
  return server;
}

function call(pool: Http2Pool, path = '/', body = '{}', more: OutgoingHttpHeaders = {}): Promise<Http2Result> {
  return new Promise((done) =>
    pool.send({ compose: () => ({ headers: { ':method': 'POST', ':path': path, ...more }, body }), done }),
  );
}

function many(pool: Http2Pool, count: number): Promise<Http2Result[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => call(pool, `/${index}`)));
}

function kinds(results: Http2Result[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { kind } of results) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

describe.each<Http2ClientName>(['own', 'node'])('with the client `%s`', (name) => {
  beforeAll(() => {
    client = name;
  });

  describe('one request', () => {
    it('carries headers and body there and status, headers and body back, over TLS with the given authority', async () => {
      const server = await serve(({ headers, body, answer }) => answer(201, { path: headers[':path'], body }), {
        tls: true,
      });
      const result = await call(poolTo(server.origin, { ca: throwAwayCertificate().cert }), '/x', 'é');
      expect(result).toMatchObject({ kind: 'answer', status: 201, body: '{"path":"/x","body":"é"}' });
    });

    it('does not talk to a server whose authority it does not know', async () => {
      const server = await serve(({ answer }) => answer(200), { tls: true });
      const result = await call(poolTo(server.origin, { backoffMs: 10 }));
      expect(result).toMatchObject({ kind: 'unsent', code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
    });

    it('ends as unsent when its headers cannot be put on the wire', async () => {
      const server = await serve(({ answer }) => answer(200));
      expect(await call(poolTo(server.origin), '/', '', { connection: 'close' })).toMatchObject({
        kind: 'unsent',
        code: 'NOT_SENDABLE',
      });
    });

    it('says how long its body is', async () => {
      const server = await serve(({ headers, answer }) => answer(200, headers['content-length']));
      const pool = poolTo(server.origin);
      expect(await call(pool, '/', 'é!')).toMatchObject({ body: '"3"' });
      expect(await call(pool, '/', '')).toMatchObject({ body: '"0"' });
    });

    it('does not read an endless answer: it is none', async () => {
      const server = await serve(({ answer }) => answer(200, 'x'.repeat(3_000_000)));
      const pool = poolTo(server.origin);
      expect(await call(pool)).toMatchObject({ kind: 'unanswered', code: 'ANSWER_TOO_LONG' });
      expect(server.opened).toBe(1);
    });

    it('is made when it is written, and may take itself back until then', async () => {
      const waiting: SeenRequest[] = [];
      const server = await serve((request) => waiting.push(request), { settings: { maxConcurrentStreams: 1 } });
      const pool = poolTo(server.origin, { maxSessions: 1 });
      const first = call(pool, '/0');
      let isWanted = true;
      const results: Http2Result[] = [];
      const later = (path: string): Promise<Http2Result> =>
        new Promise((done) =>
          pool.send({
            compose: () => (isWanted ? { headers: { ':method': 'POST', ':path': path }, body: '' } : 'withdrawn'),
            done: (result) => {
              results.push(result);
              done(result);
            },
          }),
        );
      const others = [later('/1'), later('/2')];
      const last = call(pool, '/3');
      await untilTrue(() => waiting.length === 1);
      isWanted = false;
      waiting[0]?.answer(200);
      expect(await Promise.all(others)).toEqual([{ kind: 'withdrawn' }, { kind: 'withdrawn' }]);
      await untilTrue(() => waiting.length === 2);
      waiting[1]?.answer(200);
      expect(kinds([await first, await last])).toEqual({ answer: 2 });
      expect(waiting.map(({ headers }) => headers[':path'])).toEqual(['/0', '/3']);
    });

    it('goes elsewhere when it does not want a connection, which takes nothing more', async () => {
      const server = await serve(({ answer }) => answer(200));
      const pool = poolTo(server.origin);
      await call(pool);
      let unwanted: object | null = null;
      const result = await new Promise<Http2Result>((done) =>
        pool.send({
          compose: (connection) => {
            unwanted ??= connection;
            return connection === unwanted ? 'elsewhere' : { headers: { ':method': 'POST', ':path': '/' }, body: '' };
          },
          done,
        }),
      );
      expect(result).toMatchObject({ kind: 'answer', status: 200 });
      expect(server.opened).toBe(2);
    });

    it('goes out again elsewhere when an answer says that the connection takes nothing more', async () => {
      const refusing = new Set<object>();
      const server = await serve(({ session, answer }) => {
        if (refusing.size < 2) refusing.add(session);
        if (refusing.has(session)) answer(429, 'not here');
        else answer(200);
      });
      const isRefusal = (status: number, body: string): boolean => status === 429 && body.includes('not here');
      const results = await many(poolTo(server.origin, { isRefusal, backoffMs: 1 }), 20);
      expect(kinds(results)).toEqual({ answer: 20 });
      expect(results.every((result) => result.kind === 'answer' && result.status === 200)).toBe(true);
    });
  });

  describe('GOAWAY', () => {
    it('loses and repeats nothing when the server says GOAWAY every 300 streams', async () => {
      const seen = new Map<string, number>();
      const perSession = new WeakMap<object, number>();
      const server = await serve(({ session, headers, answer }) => {
        const path = headers[':path'] as string;
        seen.set(path, (seen.get(path) ?? 0) + 1);
        const count = (perSession.get(session) ?? 0) + 1;
        perSession.set(session, count);
        if (count === 300) session.close();
        setImmediate(() => answer(200));
      });
      const results = await many(poolTo(server.origin), 5_000);
      expect(kinds(results)).toEqual({ answer: 5_000 });
      expect(seen.size).toBe(5_000);
      expect(Math.max(...seen.values())).toBe(1);
      expect(server.opened).toBeGreaterThan(5);
    });

    it('sends again what a GOAWAY with an error says it did not process, and nothing else', async () => {
      const seen: string[] = [];
      let first = true;
      const server = await serve(({ session, stream, headers, answer }) => {
        seen.push(headers[':path'] as string);
        if (!first) {
          answer(200);
          return;
        }
        first = false;
        session.goaway(constants.NGHTTP2_ENHANCE_YOUR_CALM, stream.id);
        setImmediate(() => session.destroy());
      });
      const results = await many(poolTo(server.origin), 20);
      expect(kinds(results)).toEqual({ answer: 19, unanswered: 1 });
      expect(seen[0]).toBe('/0');
      expect(seen.filter((path) => path === '/0')).toHaveLength(1);
    });
  });

  describe('resets', () => {
    it('sends a refused stream again at once, elsewhere', async () => {
      let refused = 0;
      const server = await serve(({ stream, answer }) => {
        if (refused++ < 2) stream.close(constants.NGHTTP2_REFUSED_STREAM);
        else answer(200);
      });
      expect(await call(poolTo(server.origin))).toMatchObject({ kind: 'answer', status: 200 });
      expect(server.opened).toBe(3);
    });

    it('gives up on a stream refused three times', async () => {
      const server = await serve(({ stream }) => stream.close(constants.NGHTTP2_REFUSED_STREAM));
      expect(await call(poolTo(server.origin))).toMatchObject({ kind: 'unsent', code: 'REFUSED_STREAM' });
    });

    it('does not wait longer for a server that refuses many streams at a time than for one that refuses one', async () => {
      const server = await serve(({ stream }) => stream.close(constants.NGHTTP2_REFUSED_STREAM));
      stopTime();
      const begunAt = performance.now();
      const results: Http2Result[] = [];
      const pool = poolTo(server.origin, { backoffMs: 1, maxBackoffMs: 100_000 });
      const tell = (result: Http2Result): number => results.push(result);
      void many(pool, 60).then((all) => {
        all.forEach(tell);
        void call(pool).then(tell);
      });
      while (results.length < 61) {
        jest.advanceTimersByTime(1);
        await new Promise(setImmediate);
      }
      expect(kinds(results)).toEqual({ unsent: 61 });
      expect(performance.now() - begunAt).toBeLessThan(40_000);
    });

    it('never repeats a stream that was reset with any other code', async () => {
      let seen = 0;
      const server = await serve(({ stream }) => {
        seen++;
        stream.close(constants.NGHTTP2_INTERNAL_ERROR);
      });
      expect(await call(poolTo(server.origin))).toMatchObject({ kind: 'unanswered', code: 'INTERNAL_ERROR' });
      expect(seen).toBe(1);
    });

    it('calls what was in flight unanswered when the connection breaks', async () => {
      const server = await serve(() => server.breakConnections());
      expect(await call(poolTo(server.origin))).toMatchObject({ kind: 'unanswered' });
    });
  });

  describe('deadlines', () => {
    it('gives up on a server that accepts and never answers, and goes on with the connection', async () => {
      const server = await serve(({ headers, answer }) => headers[':path'] === '/0' || answer(200));
      stopTime();
      const pool = poolTo(server.origin, { deadlineMs: 100 });
      const [never, ...others] = ['/0', '/1', '/2'].map((path) => call(pool, path));
      expect(kinds(await Promise.all(others))).toEqual({ answer: 2 });
      jest.advanceTimersByTime(1_000);
      expect(await never).toMatchObject({ kind: 'unanswered', code: 'DEADLINE' });
      expect(server.opened).toBe(1);
    });

    it('run from the moment a request is handed over: one that is never taken ends, and was surely not sent', async () => {
      let seen = 0;
      const server = await serve(() => seen++, { settings: { maxConcurrentStreams: 0 } });
      const pool = poolTo(server.origin, { deadlineMs: 200 });
      const results = await many(pool, 30);
      expect(results).toEqual(Array.from({ length: 30 }, () => expect.objectContaining({ kind: 'unsent' })));
      expect(results[0]).toMatchObject({ code: 'WAITED_TOO_LONG' });
      expect(seen).toBe(0);
      expect(pool.free()).toBeGreaterThan(0);
    });

    it('leave half of their time for the answer: what waited longer than the other half is not sent', async () => {
      const waiting: SeenRequest[] = [];
      const server = await serve((request) => waiting.push(request), { settings: { maxConcurrentStreams: 1 } });
      stopTime();
      const pool = poolTo(server.origin, { deadlineMs: 400, maxSessions: 1 });
      const ends = many(pool, 2);
      await untilTrue(() => waiting.length === 1);
      jest.advanceTimersByTime(1_000);
      const results = await ends;
      expect(results.map(({ kind }) => kind)).toEqual(['unanswered', 'unsent']);
      expect(waiting).toHaveLength(1);
    });

    it('leave that half also to a request that a server refused late: it is not sent again', async () => {
      const waiting: SeenRequest[] = [];
      const server = await serve((request) => {
        if (waiting.push(request) > 1) request.answer(200);
      });
      stopTime();
      const pool = poolTo(server.origin, { deadlineMs: 10_000 });
      const end = call(pool);
      await untilTrue(() => waiting.length === 1);
      jest.advanceTimersByTime(9_000);
      waiting[0]?.stream.close(constants.NGHTTP2_REFUSED_STREAM);
      expect(await end).toMatchObject({ kind: 'unsent' });
      expect(waiting).toHaveLength(1);
    });

    it('finds a dead connection by PING long before the deadline', async () => {
      // Accepts connections, says SETTINGS, then reads nothing more: a half-open connection.
      const sockets: Socket[] = [];
      const server = createServer((socket) => {
        sockets.push(socket);
        socket.on('error', () => undefined);
        socket.write(Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]));
      });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      servers.push({
        close: () =>
          new Promise((resolve) => {
            server.close(() => resolve());
            for (const socket of sockets) socket.destroy();
          }),
      });
      const { port } = server.address() as { port: number };
      const pool = poolTo(`http://127.0.0.1:${port}`, { deadlineMs: 30_000, probeAfterMs: 50, probeTimeoutMs: 50 });
      expect(await call(pool)).toMatchObject({ kind: 'unanswered', reason: 'PING was not answered' });
    });

    it('gives up connecting to a server that never speaks', async () => {
      const server = createServer((socket) => socket.on('error', () => undefined).resume());
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      servers.push({ close: () => new Promise((resolve) => void server.close(() => resolve())) });
      const { port } = server.address() as { port: number };
      const pool = poolTo(`http://127.0.0.1:${port}`, { connectTimeoutMs: 50, probeAfterMs: 40, backoffMs: 10 });
      expect(await call(pool)).toMatchObject({ kind: 'unsent', reason: 'Connecting took too long' });
    });
  });

  describe('part of an answer', () => {
    it.each(['cut', 'left alone'])('is none when it is %s behind its status and half of its body', async (how) => {
      let isHalf = false;
      const server = await serve(({ stream }) => {
        stream.respond({ ':status': 404, 'content-type': 'application/json' });
        stream.write('{"reason":"Bad', () => (isHalf = true));
      });
      stopTime();
      const end = call(poolTo(server.origin, { deadlineMs: 200 }));
      await untilTrue(() => isHalf);
      if (how === 'cut') server.breakConnections();
      else jest.advanceTimersByTime(1_000);
      const result = await end;
      expect(result).toMatchObject({ kind: 'unanswered' });
      expect(result).not.toHaveProperty('status');
    });
  });

  describe('streams', () => {
    it('follows a limit that the server raises from 1 to 100, and never goes past it', async () => {
      let open = 0;
      let limit = 1;
      let most = 0;
      let answered = 0;
      let broken = 0;
      const server = await serve(
        ({ session, answer }) => {
          most = Math.max(most, ++open);
          if (open > limit) broken++;
          setImmediate(() => {
            open--;
            answer(200);
            if (++answered !== 20) return;
            limit = 100;
            session.settings({ maxConcurrentStreams: 100 });
          });
        },
        { settings: { maxConcurrentStreams: 1 } },
      );
      const results = await many(poolTo(server.origin, { maxSessions: 1 }), 1_000);
      expect(kinds(results)).toEqual({ answer: 1_000 });
      expect(broken).toBe(0);
      expect(most).toBeGreaterThan(20);
      expect(most).toBeLessThanOrEqual(100);
    });

    it('keeps to one stream until the first answer where the vendor wants that', async () => {
      const waiting: SeenRequest[] = [];
      const server = await serve((request) => waiting.push(request));
      const pool = poolTo(server.origin, { firstStreamAlone: true, maxSessions: 1 });
      const results = many(pool, 10);
      while (waiting.length === 0) await new Promise(setImmediate);
      for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
      expect(waiting).toHaveLength(1);
      waiting[0]?.answer(200);
      while (waiting.length < 10) await new Promise(setImmediate);
      for (const request of waiting) request.answer(200);
      expect(kinds(await results)).toEqual({ answer: 10 });
    });

    it('opens further connections when one does not carry the load, up to its limit', async () => {
      const waiting: SeenRequest[] = [];
      let isSlow = true;
      const handle = (request: SeenRequest): void => {
        if (isSlow) waiting.push(request);
        else request.answer(200);
      };
      const server = await serve(handle, { settings: { maxConcurrentStreams: 10 } });
      const results = many(poolTo(server.origin, { maxSessions: 3 }), 200);
      await untilTrue(() => waiting.length === 30);
      isSlow = false;
      for (const { answer } of waiting) answer(200);
      expect(kinds(await results)).toEqual({ answer: 200 });
      expect(server.opened).toBe(3);
    });
  });

  describe('a server that is away', () => {
    it('is a result, at once while the pool waits to try again, and works when it is back', async () => {
      const first = await startHttp2Server(({ answer }) => answer(200));
      const pool = poolTo(first.origin, { backoffMs: 20, maxBackoffMs: 40 });
      expect(await call(pool)).toMatchObject({ kind: 'answer' });
      await first.close();
      expect(kinds(await many(pool, 50))).toEqual({ unsent: 50 });
      const refused = await call(pool);
      expect(refused).toMatchObject({ kind: 'unsent', code: 'ECONNREFUSED' });
      await serve(({ answer }) => answer(200), { port: first.port });
      let result = await call(pool);
      await untilTrue(async () => (result = await call(pool)).kind !== 'unsent');
      expect(result).toMatchObject({ kind: 'answer', status: 200 });
    });
  });

  describe('a server that greets and closes', () => {
    it('has failed once when it drops several connections at once: the next request waits for it', async () => {
      const waiting: SeenRequest[] = [];
      let isDown = true;
      const handle = (request: SeenRequest): void => {
        if (isDown) waiting.push(request);
        else request.answer(200);
      };
      const server = await serve(handle, { settings: { maxConcurrentStreams: 10 } });
      const pool = poolTo(server.origin, { maxSessions: 3, backoffMs: 1_000 });
      const dropped = many(pool, 30);
      await untilTrue(() => waiting.length === 30);
      isDown = false;
      for (const session of new Set(waiting.map(({ stream }) => stream.session))) session?.destroy();
      expect(kinds(await dropped)).toEqual({ unanswered: 30 });
      expect(await call(pool)).toMatchObject({ kind: 'answer', status: 200 });
    });

    it('is left alone for longer and longer, as one that cannot be reached', async () => {
      stopTime();
      const openedAt: number[] = [];
      const { origin } = await listenRaw((socket) => {
        openedAt.push(performance.now());
        socket.resume().end(GREETING);
      });
      const pool = poolTo(origin, { backoffMs: 1_000, maxBackoffMs: 100_000 });
      const results: Http2Result[] = [];
      while (openedAt.length < 6) {
        void call(pool).then((result) => results.push(result));
        jest.advanceTimersByTime(10);
        await new Promise(setImmediate);
      }
      const pauses = openedAt.slice(1).map((at, n) => at - openedAt[n]!);
      // 1, 2, 4, 8, 16 s, each at least half of it.
      pauses.forEach((pause, n) => expect(pause).toBeGreaterThanOrEqual(500 * 2 ** n));
      expect(results).toContainEqual(expect.objectContaining({ kind: 'unsent', retryAfterMs: expect.any(Number) }));
    });
  });

  describe('capacity', () => {
    it('shrinks when the server is overloaded, and calls back when there is room', async () => {
      const server = await serve(({ answer }) => answer(503));
      const pool = poolTo(server.origin);
      const before = pool.free();
      const results = many(pool, before);
      expect(pool.free()).toBe(0);
      const room = new Promise<number>((resolve) => pool.whenFree(() => resolve(pool.free())));
      expect(await room).toBeGreaterThan(0);
      await results;
      expect(pool.free()).toBeLessThan(before);
    });

    it('grows while the server keeps up', async () => {
      const server = await serve(({ answer }) => answer(200));
      const pool = poolTo(server.origin);
      const before = pool.free();
      await many(pool, before);
      expect(pool.free()).toBeGreaterThan(before);
    });
  });

  describe('closing', () => {
    it('lets what is in flight end and refuses the rest', async () => {
      const waiting: SeenRequest[] = [];
      const server = await serve((request) => waiting.push(request));
      const pool = poolTo(server.origin);
      const running = call(pool);
      await untilTrue(() => waiting.length === 1);
      const closing = pool.close();
      expect(await call(pool)).toMatchObject({ kind: 'unsent', code: 'CLOSED' });
      waiting[0]?.answer(200);
      expect(await running).toMatchObject({ kind: 'answer', status: 200 });
      await closing;
      expect(pool.free()).toBe(0);
    });
  });

  describe('sockets', () => {
    it('are gone when the pool is closed, also when the server never ends its side', async () => {
      const { origin, sockets } = await listenRaw((socket) => {
        socket.resume().write(GREETING);
      });
      stopTime();
      const pools = Array.from({ length: 20 }, () => poolTo(origin, { deadlineMs: 100 }));
      const calls = Promise.all(pools.map((pool) => call(pool)));
      await untilTrue(() => sockets.size === 20);
      jest.advanceTimersByTime(1_000);
      await calls;
      jest.useRealTimers();
      expect(sockets.size).toBe(20);
      // Half-open on the server's side: only a reset, which a destroyed socket answers with, tells that it is gone.
      await Promise.all(pools.map((pool) => pool.close()));
      for (const socket of sockets) socket.write(GREETING);
      const poke = setInterval(() => sockets.forEach((socket) => socket.write(GREETING)), 5);
      await untilTrue(() => sockets.size === 0);
      clearInterval(poke);
    });
  });

  describe('private addresses', () => {
    it.each(['https://127.0.0.1', 'https://[::1]', 'https://169.254.169.254', 'https://localhost'])(
      'are refused: %s',
      async (origin) => {
        const pool = poolTo(origin, { allowPrivateEndpoints: false, backoffMs: 5 });
        expect(await call(pool)).toMatchObject({ kind: 'unsent', code: 'PRIVATE_ADDRESS' });
      },
    );

    it('plain http is refused', async () => {
      const pool = poolTo('http://example.com', { allowPrivateEndpoints: false, backoffMs: 5 });
      expect(await call(pool)).toMatchObject({ kind: 'unsent', code: 'PLAIN_ENDPOINT' });
    });
  });
});
