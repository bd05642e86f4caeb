import { FLAG, FRAME, SETTING } from './frame';
import { bodyOf, data, frame, framesIn, head, number, open, Recorder, settingsFrame } from './testing/played-server';

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

  it('is cut when it is too long: the rest is not asked for', async () => {
    const scene = open();
    await scene.say();
    const asked = scene.ask();
    const part = data(1, 'x'.repeat(16_384), 0);
    await scene.say(head(1, '200'), part, part, part, part);
    expect(asked.ends).toEqual([{ kind: 'cut' }]);
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
    expect(scene.heard).toContain('goaway 0');
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
