import fc from 'fast-check';
import { FLAG, FRAME, SETTING } from './frame';
import { data, frame, head, number, open, settingsFrame } from './testing/played-server';

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

  const widths = Array.from({ length: 101 }, (_, place): [number, number] => [SETTING.INITIAL_WINDOW_SIZE, place]);
  const goAway = frame(FRAME.GOAWAY, 0, 0, Buffer.concat([number(1), number(0)]));

  it.each([
    ['settings in one frame', [settingsFrame(widths)]],
    ['frames of settings', widths.map((width) => settingsFrame([width]))],
    ['frames of no settings', widths.map(() => settingsFrame([]))],
    ['GOAWAY frames', widths.map(() => goAway)],
  ])('sends %s without end, each of which costs a look at every stream: it is left', async (_, frames) => {
    const scene = open();
    await scene.say();
    const asked = scene.ask();
    await scene.say(...frames);
    expect(scene.heard.at(-1)).toBe('close The server says too much that was not asked for');
    expect(asked.ends).toHaveLength(1);
  });

  const zeros = (bytes: number): Buffer => Buffer.alloc(bytes);
  const headOf = (block: Buffer): Buffer => frame(FRAME.HEADERS, FLAG.END_HEADERS, 1, block);
  /** 3,900 bytes go into the table once, and a byte of each block means them again. */
  const bomb = Buffer.concat([Buffer.from([0x40, 1, 0x61, 0x7f, 0xbd, 0x1d]), Buffer.alloc(3_900, 'v')]);
  const status = (text: string): Buffer => Buffer.concat([Buffer.from([0x08, 3]), Buffer.from(text)]);
  const many = (one: Buffer): Buffer[] => [Buffer.concat(Array.from({ length: 10_100 }, () => one))];

  it.each([
    ['a PING', many(frame(FRAME.PING, 0, 0, zeros(8)))],
    ['an answer to a PING that was not asked', many(frame(FRAME.PING, FLAG.ACK, 0, zeros(8)))],
    ['a priority', many(frame(FRAME.PRIORITY, 0, 1, zeros(5)))],
    ['an unknown frame', many(frame(77, 0, 1))],
    ['a reset of what is reset', many(frame(FRAME.RST_STREAM, 0, 1, number(8)))],
    ['a wider window', many(frame(FRAME.WINDOW_UPDATE, 0, 0, number(1)))],
    ['a wider window of a stream', many(frame(FRAME.WINDOW_UPDATE, 0, 1, number(1)))],
    ['a piece of no bytes', [head(1, '200'), ...many(data(1, '', 0))]],
    ['an interim answer', many(headOf(status('103')))],
    [
      'an interim answer of the largest headers',
      [
        headOf(Buffer.concat([status('103'), bomb])),
        ...Array(12).fill(headOf(Buffer.concat([status('103'), Buffer.alloc(15, 0xbe)]))),
      ],
    ],
    [
      'an answer of the largest headers to what is answered',
      [
        headOf(Buffer.concat([status('200'), bomb])),
        frame(FRAME.RST_STREAM, 0, 1, number(8)),
        ...Array(12).fill(headOf(Buffer.concat([status('200'), Buffer.alloc(15, 0xbe)]))),
      ],
    ],
  ])('sends %s without end: it is left', async (_, frames: Buffer[]) => {
    const scene = open();
    await scene.say();
    const asked = scene.ask();
    await scene.say(...frames);
    expect(scene.heard.at(-1)).toBe('close The server says too much that was not asked for');
    expect(asked.ends).toHaveLength(1);
  });

  it('may send a hundred frames with each of its answers, for ever', async () => {
    const scene = open();
    await scene.say();
    const ping = frame(FRAME.PING, 0, 0, zeros(8));
    for (let turn = 0; turn < 300; turn++) {
      const asked = scene.ask();
      const answer = head(2 * turn + 1, '200', FLAG.END_HEADERS | FLAG.END_STREAM);
      await scene.say(Buffer.concat([...Array<Buffer>(90).fill(ping), answer]));
      expect(asked.ends).toEqual([{ kind: 'complete' }]);
    }
    expect(scene.socket.destroyed).toBe(false);
  });

  it('may answer late what nobody waits for any more', async () => {
    const scene = open();
    await scene.say();
    const asked = scene.ask();
    const usual = Buffer.concat([Buffer.from([0x40, 1, 0x61, 0x7f, 0x91, 0x02]), Buffer.alloc(400, 'v')]);
    const late = headOf(Buffer.concat([status('200'), Buffer.from([0xbe])]));
    await scene.say(
      head(1, '200', FLAG.END_HEADERS | FLAG.END_STREAM),
      headOf(usual),
      ...Array<Buffer>(4_000).fill(late),
    );
    expect(asked.ends).toEqual([{ kind: 'complete' }]);
    expect(scene.socket.destroyed).toBe(false);
  });

  it('may change its settings as often as it likes between answers', async () => {
    const scene = open();
    await scene.say();
    for (let turn = 0; turn < 3; turn++) {
      const asked = scene.ask();
      await scene.say(
        settingsFrame(widths.slice(0, 90)),
        head(2 * turn + 1, '200', FLAG.END_HEADERS | FLAG.END_STREAM),
      );
      expect(asked.ends).toEqual([{ kind: 'complete' }]);
    }
    expect(scene.socket.destroyed).toBe(false);
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

  it('answers requests that it does not read: it is left', async () => {
    const scene = open([[SETTING.MAX_CONCURRENT_STREAMS, 100]]);
    await scene.say(frame(FRAME.WINDOW_UPDATE, 0, 0, number(10_000_000)));
    scene.socket._write = () => undefined;
    const body = 'b'.repeat(60_000);
    for (let id = 1; id < 400 && !scene.connection.isUsedUp; id += 2) {
      const asked = scene.ask(body);
      await scene.say(head(id, '200', FLAG.END_HEADERS | FLAG.END_STREAM));
      expect(asked.ends).toHaveLength(1);
    }
    expect(scene.heard.at(-1)).toBe('close The server does not read what is written to it');
  });
});
