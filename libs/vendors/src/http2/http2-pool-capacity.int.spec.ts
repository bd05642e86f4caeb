import { type SeenRequest, startHttp2Server, untilTrue } from '@postrider/testing';
import type { Http2Result } from './http2-call';
import { call, callMany, countKinds, describeWithEachClient, GREETING, stopTime } from './testing/pool-stage';

describeWithEachClient((stage) => {
  describe('streams', () => {
    it('follows a limit that the server raises from 1 to 100, and never goes past it', async () => {
      let open = 0;
      let limit = 1;
      let most = 0;
      let answered = 0;
      let broken = 0;
      const server = await stage.serve(
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
      const results = await callMany(stage.poolTo(server.origin, { maxSessions: 1 }), 1_000);
      expect(countKinds(results)).toEqual({ answer: 1_000 });
      expect(broken).toBe(0);
      expect(most).toBeGreaterThan(20);
      expect(most).toBeLessThanOrEqual(100);
    });

    it('keeps to one stream until the first answer where the vendor wants that', async () => {
      const waiting: SeenRequest[] = [];
      const server = await stage.serve((request) => waiting.push(request));
      const pool = stage.poolTo(server.origin, { firstStreamAlone: true, maxSessions: 1 });
      const results = callMany(pool, 10);
      while (waiting.length === 0) await new Promise(setImmediate);
      for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
      expect(waiting).toHaveLength(1);
      waiting[0]?.answer(200);
      while (waiting.length < 10) await new Promise(setImmediate);
      for (const request of waiting) request.answer(200);
      expect(countKinds(await results)).toEqual({ answer: 10 });
    });

    it('opens further connections when one does not carry the load, up to its limit', async () => {
      const waiting: SeenRequest[] = [];
      let isSlow = true;
      const handle = (request: SeenRequest): void => {
        if (isSlow) waiting.push(request);
        else request.answer(200);
      };
      const server = await stage.serve(handle, { settings: { maxConcurrentStreams: 10 } });
      const results = callMany(stage.poolTo(server.origin, { maxSessions: 3 }), 200);
      await untilTrue(() => waiting.length === 30);
      isSlow = false;
      for (const { answer } of waiting) answer(200);
      expect(countKinds(await results)).toEqual({ answer: 200 });
      expect(server.opened).toBe(3);
    });
  });

  describe('capacity', () => {
    it('shrinks when the server is overloaded, and calls back when there is room', async () => {
      const server = await stage.serve(({ answer }) => answer(503));
      const pool = stage.poolTo(server.origin);
      const before = pool.free();
      const results = callMany(pool, before);
      expect(pool.free()).toBe(0);
      const room = new Promise<number>((resolve) => pool.whenFree(() => resolve(pool.free())));
      expect(await room).toBeGreaterThan(0);
      await results;
      expect(pool.free()).toBeLessThan(before);
    });

    it('grows while the server keeps up', async () => {
      const server = await stage.serve(({ answer }) => answer(200));
      const pool = stage.poolTo(server.origin);
      const before = pool.free();
      await callMany(pool, before);
      expect(pool.free()).toBeGreaterThan(before);
    });
  });

  describe('a server that is away', () => {
    it('is a result, at once while the pool waits to try again, and works when it is back', async () => {
      const first = await startHttp2Server(({ answer }) => answer(200));
      const pool = stage.poolTo(first.origin, { backoffMs: 20, maxBackoffMs: 40 });
      expect(await call(pool)).toMatchObject({ kind: 'answer' });
      await first.close();
      expect(countKinds(await callMany(pool, 50))).toEqual({ unsent: 50 });
      const refused = await call(pool);
      expect(refused).toMatchObject({ kind: 'unsent', code: 'ECONNREFUSED' });
      await stage.serve(({ answer }) => answer(200), { port: first.port });
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
      const server = await stage.serve(handle, { settings: { maxConcurrentStreams: 10 } });
      const pool = stage.poolTo(server.origin, { maxSessions: 3, backoffMs: 1_000 });
      const dropped = callMany(pool, 30);
      await untilTrue(() => waiting.length === 30);
      isDown = false;
      for (const session of new Set(waiting.map(({ stream }) => stream.session))) session?.destroy();
      expect(countKinds(await dropped)).toEqual({ unanswered: 30 });
      expect(await call(pool)).toMatchObject({ kind: 'answer', status: 200 });
    });

    it('is left alone for longer and longer, as one that cannot be reached', async () => {
      stopTime();
      const openedAt: number[] = [];
      const { origin } = await stage.listen((socket) => {
        openedAt.push(performance.now());
        socket.resume().end(GREETING);
      });
      const pool = stage.poolTo(origin, { backoffMs: 1_000, maxBackoffMs: 100_000 });
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
});
