import { constants } from 'node:http2';
import { type SeenRequest, untilTrue } from '@postrider/testing';
import { call, callMany, countKinds, describeWithEachClient, EMPTY_SETTINGS, stopTime } from './testing/pool-stage';

describeWithEachClient((stage) => {
  describe('deadlines', () => {
    it('gives up on a server that accepts and never answers, and goes on with the connection', async () => {
      const server = await stage.serve(({ headers, answer }) => headers[':path'] === '/0' || answer(200));
      stopTime();
      const pool = stage.poolTo(server.origin, { deadlineMs: 100 });
      const [never, ...others] = ['/0', '/1', '/2'].map((path) => call(pool, path));
      expect(countKinds(await Promise.all(others))).toEqual({ answer: 2 });
      jest.advanceTimersByTime(1_000);
      expect(await never).toMatchObject({ kind: 'unanswered', code: 'DEADLINE' });
      expect(server.opened).toBe(1);
    });

    it('run from the moment a request is handed over: one that is never taken ends, and was surely not sent', async () => {
      let seen = 0;
      const server = await stage.serve(() => seen++, { settings: { maxConcurrentStreams: 0 } });
      const pool = stage.poolTo(server.origin, { deadlineMs: 200 });
      const results = await callMany(pool, 30);
      expect(results).toEqual(Array.from({ length: 30 }, () => expect.objectContaining({ kind: 'unsent' })));
      expect(results[0]).toMatchObject({ code: 'WAITED_TOO_LONG' });
      expect(seen).toBe(0);
      expect(pool.free()).toBeGreaterThan(0);
    });

    it('leave half of their time for the answer: what waited longer than the other half is not sent', async () => {
      const waiting: SeenRequest[] = [];
      const server = await stage.serve((request) => waiting.push(request), { settings: { maxConcurrentStreams: 1 } });
      stopTime();
      const pool = stage.poolTo(server.origin, { deadlineMs: 400, maxSessions: 1 });
      const ends = callMany(pool, 2);
      await untilTrue(() => waiting.length === 1);
      jest.advanceTimersByTime(1_000);
      const results = await ends;
      expect(results.map(({ kind }) => kind)).toEqual(['unanswered', 'unsent']);
      expect(waiting).toHaveLength(1);
    });

    it('leave that half also to a request that a server refused late: it is not sent again', async () => {
      const waiting: SeenRequest[] = [];
      const server = await stage.serve((request) => {
        if (waiting.push(request) > 1) request.answer(200);
      });
      stopTime();
      const pool = stage.poolTo(server.origin, { deadlineMs: 10_000 });
      const end = call(pool);
      await untilTrue(() => waiting.length === 1);
      jest.advanceTimersByTime(9_000);
      waiting[0]?.stream.close(constants.NGHTTP2_REFUSED_STREAM);
      expect(await end).toMatchObject({ kind: 'unsent' });
      expect(waiting).toHaveLength(1);
    });

    it('finds a dead connection by PING long before the deadline', async () => {
      // A half-open connection: the server says SETTINGS, then reads nothing more.
      const { origin } = await stage.listen((socket) => void socket.write(EMPTY_SETTINGS));
      const pool = stage.poolTo(origin, { deadlineMs: 30_000, probeAfterMs: 50, probeTimeoutMs: 50 });
      expect(await call(pool)).toMatchObject({ kind: 'unanswered', reason: 'PING was not answered' });
    });

    it('gives up connecting to a server that never speaks', async () => {
      const { origin } = await stage.listen((socket) => void socket.resume());
      const pool = stage.poolTo(origin, { connectTimeoutMs: 50, probeAfterMs: 40, backoffMs: 10 });
      expect(await call(pool)).toMatchObject({ kind: 'unsent', reason: 'Connecting took too long' });
    });
  });
});
