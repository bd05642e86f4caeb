import { type SeenRequest, throwAwayCertificate, untilTrue } from '@postrider/testing';
import type { Http2Result } from './http2-call';
import { call, callMany, countKinds, describeWithEachClient, GREETING, stopTime } from './testing/pool-stage';

describeWithEachClient((stage) => {
  describe('one request', () => {
    it('carries headers and body there and status, headers and body back, over TLS with the given authority', async () => {
      const server = await stage.serve(({ headers, body, answer }) => answer(201, { path: headers[':path'], body }), {
        tls: true,
      });
      const result = await call(stage.poolTo(server.origin, { ca: throwAwayCertificate().cert }), '/x', 'é');
      expect(result).toMatchObject({ kind: 'answer', status: 201, body: '{"path":"/x","body":"é"}' });
    });

    it('does not talk to a server whose authority it does not know', async () => {
      const server = await stage.serve(({ answer }) => answer(200), { tls: true });
      const result = await call(stage.poolTo(server.origin, { backoffMs: 10 }));
      expect(result).toMatchObject({ kind: 'unsent', code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
    });

    it('ends as unsent when its headers cannot be put on the wire', async () => {
      const server = await stage.serve(({ answer }) => answer(200));
      expect(await call(stage.poolTo(server.origin), '/', '', { connection: 'close' })).toMatchObject({
        kind: 'unsent',
        code: 'NOT_SENDABLE',
      });
    });

    it('says how long its body is', async () => {
      const server = await stage.serve(({ headers, answer }) => answer(200, headers['content-length']));
      const pool = stage.poolTo(server.origin);
      expect(await call(pool, '/', 'é!')).toMatchObject({ body: '"3"' });
      expect(await call(pool, '/', '')).toMatchObject({ body: '"0"' });
    });

    it('does not read an endless answer: it is none', async () => {
      const server = await stage.serve(({ answer }) => answer(200, 'x'.repeat(3_000_000)));
      const pool = stage.poolTo(server.origin);
      expect(await call(pool)).toMatchObject({ kind: 'unanswered', code: 'ANSWER_TOO_LONG' });
      expect(server.opened).toBe(1);
    });

    it('is made when it is written, and may take itself back until then', async () => {
      const waiting: SeenRequest[] = [];
      const server = await stage.serve((request) => waiting.push(request), { settings: { maxConcurrentStreams: 1 } });
      const pool = stage.poolTo(server.origin, { maxSessions: 1 });
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
      expect(countKinds([await first, await last])).toEqual({ answer: 2 });
      expect(waiting.map(({ headers }) => headers[':path'])).toEqual(['/0', '/3']);
    });

    it('goes elsewhere when it does not want a connection, which takes nothing more', async () => {
      const server = await stage.serve(({ answer }) => answer(200));
      const pool = stage.poolTo(server.origin);
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
      const server = await stage.serve(({ session, answer }) => {
        if (refusing.size < 2) refusing.add(session);
        if (refusing.has(session)) answer(429, 'not here');
        else answer(200);
      });
      const isRefusal = (status: number, body: string): boolean => status === 429 && body.includes('not here');
      const results = await callMany(stage.poolTo(server.origin, { isRefusal, backoffMs: 1 }), 20);
      expect(countKinds(results)).toEqual({ answer: 20 });
      expect(results.every((result) => result.kind === 'answer' && result.status === 200)).toBe(true);
    });
  });

  describe('closing', () => {
    it('lets what is in flight end and refuses the rest', async () => {
      const waiting: SeenRequest[] = [];
      const server = await stage.serve((request) => waiting.push(request));
      const pool = stage.poolTo(server.origin);
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
      const { origin, sockets } = await stage.listen((socket) => {
        socket.resume().write(GREETING);
      });
      stopTime();
      const pools = Array.from({ length: 20 }, () => stage.poolTo(origin, { deadlineMs: 100 }));
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
        const pool = stage.poolTo(origin, { allowPrivateEndpoints: false, backoffMs: 5 });
        expect(await call(pool)).toMatchObject({ kind: 'unsent', code: 'PRIVATE_ADDRESS' });
      },
    );

    it('plain http is refused', async () => {
      const pool = stage.poolTo('http://example.com', { allowPrivateEndpoints: false, backoffMs: 5 });
      expect(await call(pool)).toMatchObject({ kind: 'unsent', code: 'PLAIN_ENDPOINT' });
    });
  });
});
