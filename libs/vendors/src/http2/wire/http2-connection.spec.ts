import fc from 'fast-check';
import { Duplex } from 'node:stream';
import { FLAG, FRAME, PREFACE, SETTING } from './frame';
import { HpackEncoder } from './hpack-encoder';
import { type ConnectionListener, Http2Connection } from './http2-connection';
import type { StreamEnd, StreamReceiver } from './open-stream';

/** A socket whose other side is this test. */
class TestSocket extends Duplex {
  written: Buffer[] = [];

  override _read(): void {
    // The test pushes.
  }

  override _write(chunk: Buffer, _: unknown, done: () => void): void {
    this.written.push(chunk);
    done();
  }
}

class Recorder implements StreamReceiver {
  status = 0;
  body = '';
  ends: StreamEnd[] = [];

  onHead(status: number): void {
    this.status = status;
  }

  onData(data: Buffer): boolean {
    this.body += data.toString();
    return this.body.length < 65_535;
  }

  onEnd(end: StreamEnd): void {
    this.ends.push(end);
  }
}

interface Scene {
  socket: TestSocket;
  connection: Http2Connection;
  heard: string[];
  /** Lets the other side say something. */
  say(...frames: Buffer[]): Promise<void>;
  ask(body?: string): Recorder;
  sent(): Promise<{ type: number; flags: number; streamId: number; payload: Buffer }[]>;
}

function open(settings: [number, number][] = [[SETTING.MAX_CONCURRENT_STREAMS, 100]]): Scene {
  const socket = new TestSocket();
  const heard: string[] = [];
  const listener: ConnectionListener = {
    onSettings: () => heard.push('settings'),
    onGoAway: (last) => heard.push(`goaway ${last}`),
    onClose: (error) => heard.push(`close ${error?.message ?? 'in order'}`),
  };
  const connection = new Http2Connection(socket, { scheme: 'https', authority: 'vendor.test' }, listener);
  const say = async (...frames: Buffer[]): Promise<void> => {
    for (const one of frames) socket.push(one);
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
  };
  socket.push(settingsFrame(settings));
  return {
    socket,
    connection,
    heard,
    say,
    ask: (body = '{}') => {
      const recorder = new Recorder();
      connection.request({ ':method': 'POST', ':path': '/' }, body, recorder);
      return recorder;
    },
    sent: async () => {
      for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
      return framesIn(Buffer.concat(socket.written).subarray(PREFACE.length));
    },
  };
}

function frame(type: number, flags: number, streamId: number, payload: Buffer = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(streamId, 5);
  return Buffer.concat([head, payload]);
}

function settingsFrame(settings: [number, number][]): Buffer {
  const payload = Buffer.alloc(settings.length * 6);
  settings.forEach(([setting, value], place) => {
    payload.writeUInt16BE(setting, place * 6);
    payload.writeUInt32BE(value, place * 6 + 2);
  });
  return frame(FRAME.SETTINGS, 0, 0, payload);
}

function number(value: number): Buffer {
  const payload = Buffer.alloc(4);
  payload.writeUInt32BE(value);
  return payload;
}

function head(streamId: number, status: string, flags: number = FLAG.END_HEADERS): Buffer {
  const encoder = new HpackEncoder();
  encoder.begin();
  encoder.add(':status', status);
  return frame(FRAME.HEADERS, flags, streamId, Buffer.from(encoder.end()));
}

function data(streamId: number, text: string, flags: number = FLAG.END_STREAM): Buffer {
  return frame(FRAME.DATA, flags, streamId, Buffer.from(text));
}

function framesIn(bytes: Buffer): { type: number; flags: number; streamId: number; payload: Buffer }[] {
  const frames = [];
  for (let at = 0; at < bytes.length;) {
    const length = bytes.readUIntBE(at, 3);
    const payload = bytes.subarray(at + 9, at + 9 + length);
    frames.push({ type: bytes[at + 3]!, flags: bytes[at + 4]!, streamId: bytes.readUInt32BE(at + 5), payload });
    at += 9 + length;
  }
  return frames;
}

const bodyOf = (frames: Awaited<ReturnType<Scene['sent']>>, streamId: number): string =>
  frames
    .filter((one) => one.type === FRAME.DATA && one.streamId === streamId)
    .map((one) => one.payload.toString())
    .join('');

describe('an answer', () => {
  it('is read in whatever pieces the socket gives it, octet by octet too', async () => {
    const scene = open();
    await scene.say();
    const asked = scene.ask();
    const bytes = Buffer.concat([head(1, '200'), data(1, 'first ', 0), data(1, 'second')]);
    for (const octet of bytes) scene.socket.push(Buffer.from([octet]));
    await scene.say();
    expect(asked).toMatchObject({ status: 200, body: 'first second', ends: [{ kind: 'complete' }] });
  });

  it('may come after an interim one, padded, with priority, in several frames, and with trailers', async () => {
    const scene = open();
    await scene.say();
    const asked = scene.ask();
    const block = framesIn(head(1, '503'))[0]!.payload;
    const padded = Buffer.concat([Buffer.from([3]), Buffer.alloc(5), block.subarray(0, 1), Buffer.alloc(3)]);
    const paddedData = Buffer.concat([Buffer.from([2]), Buffer.from('body'), Buffer.alloc(2)]);
    await scene.say(
      head(1, '103'),
      frame(FRAME.HEADERS, FLAG.PADDED | FLAG.PRIORITY, 1, padded),
      frame(FRAME.CONTINUATION, FLAG.END_HEADERS, 1, block.subarray(1)),
      frame(FRAME.DATA, FLAG.PADDED, 1, paddedData),
      frame(FRAME.HEADERS, FLAG.END_HEADERS | FLAG.END_STREAM, 1, Buffer.from([0x0f, 0x00, 0x01, 0x61])),
    );
    expect(asked).toMatchObject({ status: 503, body: 'body', ends: [{ kind: 'complete' }] });
  });

  it('is enough when it is too long: the rest is not asked for', async () => {
    const scene = open();
    await scene.say();
    const asked = scene.ask();
    const part = data(1, 'x'.repeat(16_384), 0);
    await scene.say(head(1, '200'), part, part, part, part);
    expect(asked.ends).toEqual([{ kind: 'complete' }]);
    expect((await scene.sent()).at(-1)).toMatchObject({ type: FRAME.RST_STREAM, streamId: 1 });
  });
});

describe('a request', () => {
  it('waits for the windows of its stream and of the connection, and ends whole', async () => {
    const scene = open([[SETTING.INITIAL_WINDOW_SIZE, 10]]);
    await scene.say();
    const body = 'abcdefghij'.repeat(10_000);
    scene.ask(body);
    expect(bodyOf(await scene.sent(), 1)).toBe(body.slice(0, 10));
    await scene.say(frame(FRAME.WINDOW_UPDATE, 0, 1, number(90_000)));
    expect(bodyOf(await scene.sent(), 1)).toHaveLength(65_535);
    await scene.say(frame(FRAME.WINDOW_UPDATE, 0, 0, number(1_000_000)));
    expect(bodyOf(await scene.sent(), 1)).toHaveLength(90_010);
    await scene.say(settingsFrame([[SETTING.INITIAL_WINDOW_SIZE, 20_000]]));
    const frames = await scene.sent();
    expect(bodyOf(frames, 1)).toBe(body);
    const last = frames.filter(({ type }) => type === FRAME.DATA).map(({ flags }) => flags);
    expect(last.filter((flags) => flags === FLAG.END_STREAM)).toHaveLength(1);
    expect(Math.max(...frames.map(({ payload }) => payload.length))).toBeLessThanOrEqual(16_384);
  });

  it('goes out in a HEADERS frame alone when it has no body, and in several frames when its headers are long', async () => {
    const scene = open();
    await scene.say();
    scene.connection.request({ ':method': 'GET', ':path': '/' }, '', new Recorder());
    scene.connection.request({ ':method': 'GET', ':path': `/${'p'.repeat(40_000)}` }, '', new Recorder());
    const frames = (await scene.sent()).filter(({ type }) => type === FRAME.HEADERS || type === FRAME.CONTINUATION);
    expect(frames.map(({ type, flags, streamId }) => [type, flags, streamId])).toEqual([
      [FRAME.HEADERS, FLAG.END_STREAM | FLAG.END_HEADERS, 1],
      [FRAME.HEADERS, FLAG.END_STREAM, 3],
      [FRAME.CONTINUATION, 0, 3],
      [FRAME.CONTINUATION, FLAG.END_HEADERS, 3],
    ]);
  });

  it('leaves no trace when a header of it cannot be sent', async () => {
    const scene = open();
    await scene.say();
    const request = (): number => scene.connection.request({ ':path': '/', 'x-a': 'a\nb' }, '{}', new Recorder());
    expect(request).toThrow('cannot be sent');
    const before = (await scene.sent()).length;
    const asked = scene.ask();
    await scene.say(head(1, '200', FLAG.END_HEADERS | FLAG.END_STREAM));
    expect(asked).toMatchObject({ status: 200, ends: [{ kind: 'complete' }] });
    expect((await scene.sent()).length).toBe(before + 2);
  });
});

describe('the end of a stream', () => {
  it('tells what was surely not processed from what may have been', async () => {
    const scene = open();
    await scene.say();
    const [refused, reset, above, kept] = [scene.ask(), scene.ask(), scene.ask(), scene.ask()];
    await scene.say(
      frame(FRAME.RST_STREAM, 0, 1, number(7)),
      frame(FRAME.RST_STREAM, 0, 3, number(2)),
      frame(FRAME.GOAWAY, 0, 0, Buffer.concat([number(5), number(0)])),
    );
    expect(refused.ends).toEqual([{ kind: 'untouched' }]);
    expect(reset.ends).toEqual([{ kind: 'reset', errorCode: 2 }]);
    expect(above.ends).toEqual([]);
    expect(scene.heard).toContain('goaway 5');
    await scene.say(head(5, '200', FLAG.END_HEADERS | FLAG.END_STREAM));
    expect(above.ends).toEqual([{ kind: 'complete' }]);
    scene.connection.destroy(null);
    expect(kept.ends).toEqual([{ kind: 'untouched' }]);
  });

  it('waits a moment for a server that answers what its GOAWAY disowned, and no longer', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance'] });
    try {
      const scene = open();
      await scene.say();
      const [last, answered, silent] = [scene.ask(), scene.ask(), scene.ask()];
      await scene.say(
        frame(FRAME.GOAWAY, 0, 0, Buffer.concat([number(1), number(0)])),
        head(3, '200', FLAG.END_HEADERS | FLAG.END_STREAM),
      );
      expect(answered.ends).toEqual([{ kind: 'complete' }]);
      expect(silent.ends).toEqual([]);
      jest.advanceTimersByTime(250);
      expect(silent.ends).toEqual([{ kind: 'untouched' }]);
      expect(last.ends).toEqual([]);
    } finally {
      jest.useRealTimers();
    }
  });

  it('is untouched when the connection broke before a single octet of it left', async () => {
    const scene = open();
    await scene.say();
    const written = scene.ask();
    await scene.sent();
    const unwritten = scene.ask();
    scene.connection.destroy(new Error('cut'));
    expect(written.ends).toMatchObject([{ kind: 'lost' }]);
    expect(unwritten.ends).toEqual([{ kind: 'untouched' }]);
    expect(scene.heard).toEqual(['settings', 'close cut']);
  });
});

describe('a server against the protocol', () => {
  it.each([
    ['begins with something else than SETTINGS', [frame(FRAME.PING, 0, 0, Buffer.alloc(8))], true],
    ['sends a frame that is too large', [Buffer.from([0x01, 0x00, 0x00, 0, 0, 0, 0, 0, 1])]],
    ['opens a stream itself', [head(2, '200')]],
    ['promises to push', [frame(FRAME.PUSH_PROMISE, FLAG.END_HEADERS, 1, Buffer.alloc(4))]],
    ['answers what was not asked', [head(7, '200')]],
    ['interrupts a header block', [frame(FRAME.HEADERS, 0, 1, Buffer.from([0x88])), data(1, 'x')]],
    [
      'never ends a header block',
      [frame(FRAME.HEADERS, 0, 1), ...Array.from({ length: 40 }, () => frame(FRAME.CONTINUATION, 0, 1))],
    ],
    ['widens a window by nothing', [frame(FRAME.WINDOW_UPDATE, 0, 0, number(0))]],
    ['widens a window too far', [frame(FRAME.WINDOW_UPDATE, 0, 0, number(0x7fffffff))]],
    ['sends data that is all padding', [head(1, '200'), frame(FRAME.DATA, FLAG.PADDED, 1, Buffer.from([9, 1]))]],
    [
      'sends nonsense for headers',
      [frame(FRAME.HEADERS, FLAG.END_HEADERS, 1, Buffer.from([0xff, 0xff, 0xff, 0xff, 0xff, 0xff]))],
    ],
  ])('%s: the connection ends, and its streams once', async (_, frames, isFirst = false) => {
    const scene = open();
    if (isFirst) scene.socket.unshift(Buffer.concat(frames));
    else await scene.say();
    const asked = scene.ask();
    await scene.say(...(isFirst ? [] : frames));
    expect(asked.ends).toHaveLength(1);
    expect(scene.heard.filter((line) => line.startsWith('close'))).toHaveLength(1);
    expect(scene.socket.destroyed).toBe(true);
  });

  it('ends every stream exactly once and never throws, whatever octets it sends', async () => {
    const anyFrame = fc
      .tuple(
        fc.integer({ min: 0, max: 11 }),
        fc.integer({ min: 0, max: 255 }),
        fc.integer({ min: 0, max: 9 }),
        fc.uint8Array({ maxLength: 40 }),
      )
      .map(([type, flags, streamId, payload]) => frame(type, flags, streamId, Buffer.from(payload)));
    const good = fc.constantFrom(
      head(1, '200'),
      data(1, 'x', 0),
      data(1, 'y'),
      head(3, '404', 5),
      data(5, 'z'),
      frame(FRAME.PING, 0, 0, Buffer.alloc(8)),
    );
    const chunk = fc.oneof(
      anyFrame,
      good,
      fc.uint8Array({ maxLength: 30 }).map((octets) => Buffer.from(octets)),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(chunk, { maxLength: 12 }), async (chunks) => {
        const scene = open();
        await scene.say();
        const asked = [scene.ask(), scene.ask('b'.repeat(80_000)), scene.ask()];
        await scene.say(...chunks);
        scene.connection.destroy(null);
        for (const { ends } of asked) expect(ends).toHaveLength(1);
        expect(scene.heard.filter((line) => line.startsWith('close'))).toHaveLength(1);
      }),
      { numRuns: 400 },
    );
  });

  it('asks and asks and reads no answer: it is left', async () => {
    const scene = open();
    await scene.say();
    scene.socket._write = () => undefined;
    const flood = Buffer.concat(Array.from({ length: 10_000 }, () => frame(FRAME.PING, 0, 0, Buffer.alloc(8))));
    for (let n = 0; n < 100 && !scene.socket.destroyed; n++) await scene.say(flood);
    expect(scene.heard.at(-1)).toBe('close The server asks and does not read the answers');
  });
});
