import { constants, type OutgoingHttpHeaders } from 'node:http2';
import { createServer, type Socket } from 'node:net';
import { once } from 'node:events';
import { type SeenRequest, startHttp2Server, type TestHttp2Server, throwAwayCertificate } from '@postrider/testing';
import type { Http2Result } from './http2-call';
import { Http2Pool } from './http2-pool';
import type { Http2PoolOptions } from './http2-pool-options';

const pools: Http2Pool[] = [];
const servers: { close(): Promise<void> }[] = [];

afterEach(async () => {
  for (const pool of pools.splice(0)) await pool.close();
  for (const server of servers.splice(0)) await server.close();
});

function poolTo(origin: string, options: Partial<Http2PoolOptions> = {}): Http2Pool {
  const pool = new Http2Pool({ origin: new URL(origin), allowPrivateEndpoints: true, ...options });
  pools.push(pool);
  return pool;
}

async function serve(
  handle: (request: SeenRequest) => void,
  options: Parameters<typeof startHttp2Server>[1] = {},
): Promise<TestHttp2Server> {
  const server = await startHttp2Server(handle, options);
  servers.push(server);
  return server;
}

function call(pool: Http2Pool, path = '/', body = '{}', more: OutgoingHttpHeaders = {}): Promise<Http2Result> {
  return new Promise((done) => pool.send({ headers: { ':method': 'POST', ':path': path, ...more }, body, done }));
}

function many(pool: Http2Pool, count: number): Promise<Http2Result[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => call(pool, `/${index}`)));
}

function kinds(results: Http2Result[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { kind } of results) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

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

  it('keeps only the beginning of an endless answer', async () => {
    const server = await serve(({ answer }) => answer(200, 'x'.repeat(3_000_000)));
    const result = await call(poolTo(server.origin));
    expect(result.kind === 'answer' && result.body.length).toBeLessThanOrEqual(65_536);
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
    const pool = poolTo(server.origin, { deadlineMs: 100 });
    const results = await many(pool, 3);
    expect(results.map((result) => result.kind)).toEqual(['unanswered', 'answer', 'answer']);
    expect(results[0]).toMatchObject({ code: 'DEADLINE' });
    expect(server.opened).toBe(1);
  });

  it('does not count the time that a request waits for its turn', async () => {
    const server = await serve(({ answer }) => void setTimeout(() => answer(200), 40), {
      settings: { maxConcurrentStreams: 1 },
    });
    const pool = poolTo(server.origin, { deadlineMs: 150, maxSessions: 1 });
    expect(kinds(await many(pool, 8))).toEqual({ answer: 8 });
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
    const server = await serve(({ answer }) => void setTimeout(() => answer(200), 20), {
      settings: { maxConcurrentStreams: 10 },
    });
    expect(kinds(await many(poolTo(server.origin, { maxSessions: 3 }), 200))).toEqual({ answer: 200 });
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
    for (; result.kind === 'unsent'; result = await call(pool)) await new Promise((again) => setTimeout(again, 10));
    expect(result).toMatchObject({ kind: 'answer', status: 200 });
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
    const server = await serve(({ answer }) => void setTimeout(() => answer(200), 50));
    const pool = poolTo(server.origin);
    await call(pool);
    const running = call(pool);
    const closing = pool.close();
    expect(await call(pool)).toMatchObject({ kind: 'unsent', code: 'CLOSED' });
    expect(await running).toMatchObject({ kind: 'answer', status: 200 });
    await closing;
    expect(pool.free()).toBe(0);
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
