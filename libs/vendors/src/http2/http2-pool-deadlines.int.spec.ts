import { constants } from 'node:http2';
import type { Socket } from 'node:net';
import { type SeenRequest, untilTrue } from '@postrider/testing';
import {
  call,
  callMany,
  countKinds,
  describeWithEachClient,
  EMPTY_SETTINGS,
  GREETING,
  stopTime,
} from './testing/pool-stage';

/** The answer 200 to the first request of a connection: one HEADERS frame that ends the stream (RFC 9113, 6.2). */
const FIRST_ANSWER = Buffer.from([0, 0, 1, 1, 5, 0, 0, 0, 1, 0x88]);
const FRAME_HEADERS = 1;
const FRAME_PING = 6;
/** The pools of these tests look at their deadlines at least this often. */
const LOOKS_WITHIN_MS = 40;

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

    describe.each([
      ['after the process stood still', standStill],
      ['after the process stood still between its timers and its sockets', standStillAfterTimers],
    ])('%s', (_, standStill) => {
      it('count what came meanwhile: an answer that was not read yet is an answer', async () => {
        const { origin } = await stage.listen((socket) => {
          socket.write(GREETING);
          onFrame(socket, FRAME_HEADERS, () => standStill(1_000, () => socket.write(FIRST_ANSWER)));
        });
        stopTime();
        const pool = stage.poolTo(origin, { deadlineMs: 400 });
        expect(await call(pool)).toMatchObject({ kind: 'answer', status: 200 });
      });

      it('do not take a connection for dead whose PING was answered meanwhile', async () => {
        const { origin } = await stage.listen((socket) => {
          socket.write(GREETING);
          onFrame(socket, FRAME_HEADERS, () => setTimeout(() => jest.advanceTimersByTime(100)));
          onFrame(socket, FRAME_PING, (frame) => {
            frame[4] = 1;
            standStill(1_000, () => socket.write(frame));
            setTimeout(() => socket.write(FIRST_ANSWER), 50);
          });
        });
        stopTime();
        const pool = stage.poolTo(origin, { probeAfterMs: 80, probeTimeoutMs: 80 });
        expect(await call(pool)).toMatchObject({ kind: 'answer', status: 200 });
      });

      it('do not let a request go that has waited for too long for a connection', async () => {
        let requests = 0;
        const { origin } = await stage.listen((socket) => {
          onFrame(socket, FRAME_HEADERS, () => requests++);
          standStill(1_000, () => socket.write(GREETING));
        });
        stopTime();
        const pool = stage.poolTo(origin, { deadlineMs: 400 });
        expect(await call(pool)).toMatchObject({ kind: 'unsent', code: 'WAITED_TOO_LONG' });
        expect(requests).toBe(0);
      });
    });

    it('finds a dead connection by PING long before the deadline', async () => {
      // A half-open connection: the server says SETTINGS, then reads nothing more.
      const { origin } = await stage.listen((socket) => void socket.write(EMPTY_SETTINGS));
      const pool = stage.poolTo(origin, { probeAfterMs: 50, probeTimeoutMs: 50 });
      expect(await call(pool)).toMatchObject({ kind: 'unanswered', reason: 'PING was not answered' });
    });

    it('gives up connecting to a server that never speaks', async () => {
      const { origin } = await stage.listen((socket) => void socket.resume());
      const pool = stage.poolTo(origin, { connectTimeoutMs: 50, probeAfterMs: 40, backoffMs: 10 });
      expect(await call(pool)).toMatchObject({ kind: 'unsent', reason: 'Connecting took too long' });
    });
  });
});

/** What was written just before lies unread in the other side's socket while time passes and the timers run. */
function standStill(ms: number, write: () => void): void {
  setTimeout(() => {
    write();
    jest.advanceTimersByTime(ms);
  });
}

/** As `standStill`, when the pool's timer has run in this turn, and before the sockets are read. */
function standStillAfterTimers(ms: number, write: () => void): void {
  setTimeout(() => {
    setImmediate(() => {
      write();
      jest.advanceTimersByTime(ms);
    });
    // The longest pause between two looks. What the timer defers comes behind the standstill.
    jest.advanceTimersByTime(LOOKS_WITHIN_MS);
  });
}

/** Calls back with the first frame of a type. Each frame has 9 bytes of header (RFC 9113, 4.1). */
function onFrame(socket: Socket, type: number, callback: (frame: Buffer) => void): void {
  let received = Buffer.alloc(0);
  let isFound = false;
  let at = 0;
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk]);
    const preface = received.indexOf('SM\r\n\r\n');
    if (preface < 0) return;
    at ||= preface + 6;
    while (!isFound && received.length >= at + 9 && received.length >= at + 9 + received.readUIntBE(at, 3)) {
      const end = at + 9 + received.readUIntBE(at, 3);
      isFound = received[at + 3] === type;
      if (isFound) callback(Buffer.from(received.subarray(at, end)));
      at = end;
    }
  });
}
