import { constants } from 'node:http2';
import { untilTrue } from '@postrider/testing';
import type { Http2Result } from './http2-call';
import { call, callMany, countKinds, describeWithEachClient, stopTime } from './testing/pool-stage';

describeWithEachClient((stage) => {
  describe('GOAWAY', () => {
    it('loses and repeats nothing when the server says GOAWAY every 300 streams', async () => {
      const seen = new Map<string, number>();
      const perSession = new WeakMap<object, number>();
      const server = await stage.serve(({ session, stream, headers, answer }) => {
        const count = (perSession.get(session) ?? 0) + 1;
        perSession.set(session, count);
        if (count > 300) {
          stream.close(constants.NGHTTP2_REFUSED_STREAM);
          return;
        }
        // The client ends the connection. A server that does so resets it, with answers that the client has not read.
        if (count === 300) session.goaway();
        const path = headers[':path'] as string;
        seen.set(path, (seen.get(path) ?? 0) + 1);
        setImmediate(() => answer(200));
      });
      const results = await callMany(stage.poolTo(server.origin), 5_000);
      expect(countKinds(results)).toEqual({ answer: 5_000 });
      expect(seen.size).toBe(5_000);
      expect(Math.max(...seen.values())).toBe(1);
      expect(server.opened).toBeGreaterThan(5);
    });

    it('sends again what a GOAWAY with an error says it did not process, and nothing else', async () => {
      const seen: string[] = [];
      let first = true;
      const server = await stage.serve(({ session, stream, headers, answer }) => {
        seen.push(headers[':path'] as string);
        if (!first) {
          answer(200);
          return;
        }
        first = false;
        session.goaway(constants.NGHTTP2_ENHANCE_YOUR_CALM, stream.id);
        setImmediate(() => session.destroy());
      });
      const results = await callMany(stage.poolTo(server.origin), 20);
      expect(countKinds(results)).toEqual({ answer: 19, unanswered: 1 });
      expect(seen[0]).toBe('/0');
      expect(seen.filter((path) => path === '/0')).toHaveLength(1);
    });
  });

  describe('GOAWAY after one answer on each connection', () => {
    const serveOneEach = (errorCode: number) =>
      stage.serve(({ session, stream, answer }) => {
        if (served.has(session)) return;
        served.add(session);
        answer(200);
        session.goaway(errorCode, stream.id);
      });
    const served = new WeakSet<object>();

    it('in order: sends a request again until a connection takes it', async () => {
      const server = await serveOneEach(constants.NGHTTP2_NO_ERROR);
      expect(countKinds(await callMany(stage.poolTo(server.origin), 6))).toEqual({ answer: 6 });
    });

    it('because it is too much: refuses a request that it did not take three times', async () => {
      const server = await serveOneEach(constants.NGHTTP2_ENHANCE_YOUR_CALM);
      expect(countKinds(await callMany(stage.poolTo(server.origin), 6))).toMatchObject({ unsent: 3 });
    });
  });

  describe('resets', () => {
    it('sends a refused stream again at once, elsewhere', async () => {
      let refused = 0;
      const server = await stage.serve(({ stream, answer }) => {
        if (refused++ < 2) stream.close(constants.NGHTTP2_REFUSED_STREAM);
        else answer(200);
      });
      expect(await call(stage.poolTo(server.origin))).toMatchObject({ kind: 'answer', status: 200 });
      expect(server.opened).toBe(3);
    });

    it('gives up on a stream refused three times', async () => {
      const server = await stage.serve(({ stream }) => stream.close(constants.NGHTTP2_REFUSED_STREAM));
      expect(await call(stage.poolTo(server.origin))).toMatchObject({ kind: 'unsent', code: 'REFUSED_STREAM' });
    });

    it('does not wait longer for a server that refuses many streams at a time than for one that refuses one', async () => {
      const server = await stage.serve(({ stream }) => stream.close(constants.NGHTTP2_REFUSED_STREAM));
      stopTime();
      const begunAt = performance.now();
      const results: Http2Result[] = [];
      const pool = stage.poolTo(server.origin, { backoffMs: 1, maxBackoffMs: 100_000 });
      const tell = (result: Http2Result): number => results.push(result);
      void callMany(pool, 60).then((all) => {
        all.forEach(tell);
        void call(pool).then(tell);
      });
      while (results.length < 61) {
        jest.advanceTimersByTime(1);
        await new Promise(setImmediate);
      }
      expect(countKinds(results)).toEqual({ unsent: 61 });
      expect(performance.now() - begunAt).toBeLessThan(40_000);
    });

    it('never repeats a stream that was reset with any other code', async () => {
      let seen = 0;
      const server = await stage.serve(({ stream }) => {
        seen++;
        stream.close(constants.NGHTTP2_INTERNAL_ERROR);
      });
      expect(await call(stage.poolTo(server.origin))).toMatchObject({ kind: 'unanswered', code: 'INTERNAL_ERROR' });
      expect(seen).toBe(1);
    });

    it('calls what was in flight unanswered when the connection breaks', async () => {
      const server = await stage.serve(() => server.breakConnections());
      expect(await call(stage.poolTo(server.origin))).toMatchObject({ kind: 'unanswered' });
    });
  });

  describe('part of an answer', () => {
    it.each(['cut', 'left alone'])('is none when it is %s behind its status and half of its body', async (how) => {
      let isHalf = false;
      const server = await stage.serve(({ stream }) => {
        stream.respond({ ':status': 404, 'content-type': 'application/json' });
        stream.write('{"reason":"Bad', () => (isHalf = true));
      });
      stopTime();
      const end = call(stage.poolTo(server.origin, { deadlineMs: 200 }));
      await untilTrue(() => isHalf);
      if (how === 'cut') server.breakConnections();
      else jest.advanceTimersByTime(1_000);
      const result = await end;
      expect(result).toMatchObject({ kind: 'unanswered' });
      expect(result).not.toHaveProperty('status');
    });
  });
});
