import { createServer, type Socket } from 'node:net';
import { once } from 'node:events';
import { untilTrue } from '@postrider/testing';
import type { Http2ClientName } from '../sender';
import type { Http2Result } from './http2-call';
import { Http2Pool } from './http2-pool';
import { stopTime } from './testing/pool-stage';
import { ERROR, FLAG, FRAME, PREFACE, SETTING } from './wire/frame';
import { data, frame, framesIn, number, settingsFrame } from './wire/testing/played-server';

type Field = [name: string, value: string];
type Frames = ReturnType<typeof framesIn>;

/** Time passes only where a test says so, so that a machine that stands still fails no test. */
const PROBE_MS = 1_000;
const END = FLAG.END_HEADERS | FLAG.END_STREAM;
const OK: Field[] = [[':status', '200']];

/** A header block of literal fields (RFC 7541 §6.2.2), well-formed or not. */
function block(list: Field[]): Buffer {
  const text = (one: string): Buffer => Buffer.concat([Buffer.from([one.length]), Buffer.from(one, 'latin1')]);
  return Buffer.concat(list.flatMap(([name, value]) => [Buffer.from([0]), text(name), text(value)]));
}

const fields = (list: Field[], flags: number = FLAG.END_HEADERS): Buffer => frame(FRAME.HEADERS, flags, 1, block(list));

/** The server's answer to the first request, and its expected result. */
interface Clause {
  clause: string;
  name: string;
  says: Buffer[];
  /** A whole answer, an answer that is none, or one that is none because the connection ends. */
  is: 'answer' | 'stream error' | 'connection error';
  /** The code in our RST_STREAM or GOAWAY. */
  code?: number;
}

const answer = (clause: string, name: string, ...says: Buffer[]): Clause => ({ clause, name, says, is: 'answer' });
const streamError = (clause: string, name: string, ...says: Buffer[]): Clause => ({
  ...answer(clause, name, ...says),
  is: 'stream error',
  code: ERROR.PROTOCOL_ERROR,
});
const connectionError = (clause: string, name: string, code: number, ...says: Buffer[]): Clause => ({
  ...answer(clause, name, ...says),
  is: 'connection error',
  code,
});
const done = fields(OK, END);

const CLAUSES: Clause[] = [
  // Frames
  answer('4.1', 'a frame of an unknown type, on the connection', frame(0x42, 0xff, 0, Buffer.from('x')), done),
  connectionError('4.2', 'a frame above SETTINGS_MAX_FRAME_SIZE', ERROR.FRAME_SIZE_ERROR, data(1, 'x'.repeat(16_385))),
  connectionError(
    '4.3',
    'a block that cannot be decoded',
    ERROR.COMPRESSION_ERROR,
    frame(FRAME.HEADERS, END, 1, Buffer.from([0xff, 0xff, 0xff, 0xff, 0xff, 0xff])),
  ),
  answer('5.1', 'PRIORITY on an idle stream', frame(FRAME.PRIORITY, 0, 99, Buffer.alloc(5)), done),
  connectionError('5.1', 'DATA on an idle stream', ERROR.PROTOCOL_ERROR, data(99, 'x')),
  connectionError(
    '5.1.1',
    'HEADERS on a stream of the server',
    ERROR.PROTOCOL_ERROR,
    frame(FRAME.HEADERS, END, 2, block(OK)),
  ),
  answer('5.5', 'a frame of an unknown type, on an idle stream', frame(0x42, 0, 99, Buffer.from('x')), done),
  connectionError(
    '5.5',
    'a frame of an unknown type inside a field block',
    ERROR.PROTOCOL_ERROR,
    fields(OK, FLAG.END_STREAM),
    frame(0x42, 0, 1),
  ),
  connectionError('6.1', 'DATA on the connection', ERROR.PROTOCOL_ERROR, data(0, 'x')),
  connectionError(
    '6.1',
    'DATA that is all padding',
    ERROR.PROTOCOL_ERROR,
    fields(OK),
    frame(FRAME.DATA, FLAG.PADDED, 1, Buffer.from([9, 1])),
  ),
  connectionError('6.2', 'HEADERS on the connection', ERROR.PROTOCOL_ERROR, frame(FRAME.HEADERS, END, 0, block(OK))),
  {
    ...streamError('6.3', 'PRIORITY of a wrong length', frame(FRAME.PRIORITY, 0, 1, Buffer.alloc(4))),
    code: ERROR.FRAME_SIZE_ERROR,
  },
  connectionError(
    '6.3',
    'PRIORITY on the connection',
    ERROR.PROTOCOL_ERROR,
    frame(FRAME.PRIORITY, 0, 0, Buffer.alloc(5)),
  ),
  connectionError(
    '6.4',
    'RST_STREAM on an idle stream',
    ERROR.PROTOCOL_ERROR,
    frame(FRAME.RST_STREAM, 0, 99, number(8)),
  ),
  connectionError(
    '6.4',
    'RST_STREAM of a wrong length',
    ERROR.FRAME_SIZE_ERROR,
    frame(FRAME.RST_STREAM, 0, 1, Buffer.alloc(3)),
  ),
  connectionError('6.5', 'SETTINGS on a stream', ERROR.PROTOCOL_ERROR, frame(FRAME.SETTINGS, 0, 1)),
  connectionError(
    '6.5',
    'an acknowledgement of SETTINGS with a payload',
    ERROR.FRAME_SIZE_ERROR,
    frame(FRAME.SETTINGS, FLAG.ACK, 0, Buffer.alloc(6)),
  ),
  connectionError(
    '6.5',
    'SETTINGS of a wrong length',
    ERROR.FRAME_SIZE_ERROR,
    frame(FRAME.SETTINGS, 0, 0, Buffer.alloc(5)),
  ),
  answer('6.5.2', 'a setting that is unknown', settingsFrame([[0x99, 7]]), done),
  {
    ...connectionError(
      '6.5.2',
      'ENABLE_PUSH = 1 of a server',
      ERROR.PROTOCOL_ERROR,
      settingsFrame([[SETTING.ENABLE_PUSH, 1]]),
    ),
  },
  connectionError(
    '6.5.2',
    'INITIAL_WINDOW_SIZE above 2^31 - 1',
    ERROR.FLOW_CONTROL_ERROR,
    settingsFrame([[SETTING.INITIAL_WINDOW_SIZE, 0x80000000]]),
  ),
  connectionError(
    '6.5.2',
    'MAX_FRAME_SIZE out of its range',
    ERROR.PROTOCOL_ERROR,
    settingsFrame([[SETTING.MAX_FRAME_SIZE, 100]]),
  ),
  connectionError(
    '6.6',
    'PUSH_PROMISE where push is off',
    ERROR.PROTOCOL_ERROR,
    frame(FRAME.PUSH_PROMISE, FLAG.END_HEADERS, 1, Buffer.concat([number(2), block(OK)])),
  ),
  answer('6.7', 'PING, which is answered', frame(FRAME.PING, 0, 0, Buffer.alloc(8)), done),
  connectionError('6.7', 'PING of a wrong length', ERROR.FRAME_SIZE_ERROR, frame(FRAME.PING, 0, 0, Buffer.alloc(7))),
  connectionError('6.7', 'PING on a stream', ERROR.PROTOCOL_ERROR, frame(FRAME.PING, 0, 1, Buffer.alloc(8))),
  connectionError('6.8', 'GOAWAY on a stream', ERROR.PROTOCOL_ERROR, frame(FRAME.GOAWAY, 0, 1, Buffer.alloc(8))),
  connectionError(
    '6.9',
    'WINDOW_UPDATE of a wrong length',
    ERROR.FRAME_SIZE_ERROR,
    frame(FRAME.WINDOW_UPDATE, 0, 0, Buffer.alloc(3)),
  ),
  connectionError(
    '6.9',
    'WINDOW_UPDATE of nothing, of the connection',
    ERROR.PROTOCOL_ERROR,
    frame(FRAME.WINDOW_UPDATE, 0, 0, number(0)),
  ),
  {
    ...streamError('6.9', 'WINDOW_UPDATE of nothing, of a stream', frame(FRAME.WINDOW_UPDATE, 0, 1, number(0))),
  },
  connectionError(
    '6.9',
    'WINDOW_UPDATE on an idle stream',
    ERROR.PROTOCOL_ERROR,
    frame(FRAME.WINDOW_UPDATE, 0, 99, number(1)),
  ),
  connectionError(
    '6.9.1',
    'a window of the connection above 2^31 - 1',
    ERROR.FLOW_CONTROL_ERROR,
    frame(FRAME.WINDOW_UPDATE, 0, 0, number(0x7fffffff)),
  ),
  {
    ...streamError(
      '6.9.1',
      'a window of a stream above 2^31 - 1',
      frame(FRAME.WINDOW_UPDATE, 0, 1, number(0x7fffffff)),
    ),
    code: ERROR.FLOW_CONTROL_ERROR,
  },
  // The request had 10 octets: the window may be widened by so much again.
  answer(
    '6.9.1',
    'the widest window there may be after the request',
    frame(FRAME.WINDOW_UPDATE, 0, 1, number(0x7fffffff - 65_535 + 10)),
    done,
  ),
  connectionError(
    '6.10',
    'CONTINUATION without HEADERS',
    ERROR.PROTOCOL_ERROR,
    frame(FRAME.CONTINUATION, FLAG.END_HEADERS, 1, block(OK)),
  ),
  connectionError(
    '6.10',
    'a field block that another frame interrupts',
    ERROR.PROTOCOL_ERROR,
    fields(OK, 0),
    data(1, 'x'),
  ),
  // Messages
  answer(
    '8.1',
    'interim answers before the final one',
    fields([[':status', '103']]),
    fields([[':status', '100']]),
    done,
  ),
  answer('8.1', 'trailers', fields(OK), data(1, 'x', 0), fields([['x-sum', '1']], END)),
  streamError('8.1', 'an interim answer that ends the stream', fields([[':status', '103']], END)),
  streamError('8.1', 'trailers that do not end the stream', fields(OK), data(1, 'x', 0), fields([['x-sum', '1']])),
  streamError('8.1', 'DATA in front of the answer', data(1, 'x')),
  streamError('8.1.1', 'less content than content-length', fields([...OK, ['content-length', '3']]), data(1, 'ab')),
  streamError('8.1.1', 'more content than content-length', fields([...OK, ['content-length', '3']]), data(1, 'abcd')),
  streamError('8.1.1', 'no content where content-length says some', fields([...OK, ['content-length', '3']], END)),
  streamError('8.1.1', 'a content-length that is no number', fields([...OK, ['content-length', 'x']], END)),
  streamError(
    '8.1.1',
    'two content-length',
    fields([...OK, ['content-length', '1'], ['content-length', '1']]),
    data(1, 'a'),
  ),
  answer('8.1.1', 'the right content-length', fields([...OK, ['content-length', '3']]), data(1, 'ab', 0), data(1, 'c')),
  answer(
    '8.1.1',
    'content-length of an answer that has no content',
    fields(
      [
        [':status', '304'],
        ['content-length', '3'],
      ],
      END,
    ),
  ),
  streamError('8.2.1', 'a name in upper case', fields([...OK, ['X-Upper', '1']], END)),
  streamError('8.2.1', 'a name with a blank', fields([...OK, ['x y', '1']], END)),
  streamError('8.2.1', 'a name without a character', fields([...OK, ['', '1']], END)),
  streamError('8.2.1', 'a value with CR LF', fields([...OK, ['x-a', 'a\r\nx-b: c']], END)),
  streamError('8.2.1', 'a value with NUL', fields([...OK, ['x-a', 'a\0b']], END)),
  streamError('8.2.1', 'a value that begins with a blank', fields([...OK, ['x-a', ' a']], END)),
  ...['connection', 'keep-alive', 'proxy-connection', 'transfer-encoding', 'upgrade'].map((name) =>
    streamError('8.2.2', `the field ${name}, which belongs to a connection`, fields([...OK, [name, 'x']], END)),
  ),
  streamError('8.3', 'a pseudo-field behind a field', fields([['x-a', '1'], ...OK], END)),
  streamError('8.3', 'a pseudo-field of requests', fields([...OK, [':path', '/']], END)),
  streamError('8.3', 'a pseudo-field that is unknown', fields([...OK, [':fun', '1']], END)),
  streamError('8.3', 'a pseudo-field in trailers', fields(OK), fields(OK, END)),
  streamError('8.3.2', 'no :status', fields([['x-a', '1']], END)),
  streamError('8.3.2', 'two :status', fields([...OK, ...OK], END)),
  streamError('8.3.2', 'a :status that is no number', fields([[':status', 'abc']], END)),
  streamError('8.6', '101', fields([[':status', '101']])),
];

/**
 * Cases in which nghttp2 ends more than the stream, or leaves an invalid field out and continues, as its authors chose.
 */
const IN_NODE = new Map<string, Clause['is']>([
  ['PRIORITY of a wrong length', 'connection error'],
  ['WINDOW_UPDATE of nothing, of a stream', 'connection error'],
  ['DATA in front of the answer', 'connection error'],
  ['a window of a stream above 2^31 - 1', 'connection error'],
  ['a name with a blank', 'answer'],
  ['a name without a character', 'answer'],
  ['a value with CR LF', 'answer'],
  ['a value with NUL', 'answer'],
  ['a value that begins with a blank', 'answer'],
]);

interface Stage {
  origin: string;
  sent: Buffer[];
  sockets: Socket[];
}

describe.each<Http2ClientName>(['own', 'node'])('RFC 9113, with the client `%s`', (client) => {
  let stage: Stage;
  let close: () => Promise<void>;
  let pool: Http2Pool;
  let says: Buffer[];

  beforeAll(async () => {
    stage = { origin: '', sent: [], sockets: [] };
    const server = createServer((socket) => {
      const place = stage.sockets.push(socket) - 1;
      stage.sent[place] = Buffer.alloc(0);
      const answered = new Set<number>();
      socket.on('error', () => undefined).write(Buffer.concat([settingsFrame([]), frame(FRAME.SETTINGS, FLAG.ACK, 0)]));
      socket.on('data', (chunk: Buffer) => {
        stage.sent[place] = Buffer.concat([stage.sent[place] as Buffer, chunk]);
        // A probe is answered; what was sent again is never wrong.
        const asks = whole(chunk, 0).filter(({ type, flags }) => type === FRAME.PING && flags === 0);
        for (const { payload } of asks) socket.write(frame(FRAME.PING, FLAG.ACK, 0, payload));
        for (const { type, flags, streamId } of whole(stage.sent[place])) {
          const isRequest = (type === FRAME.DATA || type === FRAME.HEADERS) && (flags & FLAG.END_STREAM) !== 0;
          if (!isRequest || answered.has(streamId)) continue;
          answered.add(streamId);
          socket.write(streamId === 1 ? Buffer.concat(says) : frame(FRAME.HEADERS, END, streamId, block(OK)));
        }
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    stage.origin = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
    close = () => new Promise((resolve) => void server.close(() => resolve()));
  });

  beforeEach(() => {
    stopTime();
    stage.sent = [];
    stage.sockets = [];
    pool = new Http2Pool({
      origin: new URL(stage.origin),
      allowPrivateEndpoints: true,
      maxSessions: 1,
      firstStreamAlone: true,
      deadlineMs: 100 * PROBE_MS,
      connectTimeoutMs: 100 * PROBE_MS,
      probeAfterMs: PROBE_MS,
      probeTimeoutMs: PROBE_MS,
      backoffMs: 0,
      client,
    });
  });

  afterEach(async () => {
    jest.useRealTimers();
    await pool.close();
    for (const socket of stage.sockets) socket.destroy();
  });

  afterAll(() => close());

  function ask(): Promise<Http2Result> {
    const request = { headers: { ':method': 'POST', ':path': '/' }, body: '0123456789' };
    return new Promise((finished) => pool.send({ compose: () => request, done: finished }));
  }

  /** nghttp2 says GOAWAY and leaves the connection open. The pool finds out by a PING, once it is time for one. */
  async function untilOver(asked: Promise<Http2Result>): Promise<Http2Result> {
    let isOver = false;
    void asked.then(() => (isOver = true));
    await untilTrue(() => isOver || whole(stage.sent[0] ?? Buffer.alloc(0)).some(({ type }) => type === FRAME.GOAWAY));
    await untilTrue(() => {
      if (!isOver) jest.advanceTimersByTime(2 * PROBE_MS);
      return isOver;
    });
    return asked;
  }

  it.each(CLAUSES)('§$clause $name: $is', async (clause) => {
    ({ says } = clause);
    const result = await untilOver(ask());
    const is = (client === 'node' ? IN_NODE.get(clause.name) : undefined) ?? clause.is;
    expect(result.kind).toBe(is === 'answer' ? 'answer' : 'unanswered');
    // Shows if the connection continues: the next request uses it, or another one.
    says = [done];
    expect(await ask()).toMatchObject({ kind: 'answer', status: 200 });
    expect(stage.sockets.length).toBe(is === 'connection error' ? 2 : 1);
    if (client === 'own' && clause.code !== undefined)
      expect(codesIn(whole(stage.sent[0] as Buffer))).toEqual([clause.code]);
  });

  it('§6.7 a PING is answered with what it carried', async () => {
    const ping = Buffer.from('8 octets');
    says = [frame(FRAME.PING, 0, 0, ping), done];
    await ask();
    await ask();
    const pongs = whole(stage.sent[0] as Buffer).filter(({ type, flags }) => type === FRAME.PING && flags === FLAG.ACK);
    expect(pongs.map(({ payload }) => payload.toString())).toEqual([ping.toString()]);
  });

  it('§6.4 a stream that is reset behind half of its answer is no answer', async () => {
    says = [
      fields([[':status', '404']]),
      data(1, '{"reason":', 0),
      frame(FRAME.RST_STREAM, 0, 1, number(ERROR.INTERNAL_ERROR)),
    ];
    expect(await ask()).toMatchObject({ kind: 'unanswered', code: 'INTERNAL_ERROR' });
  });
});

/** The whole frames behind the preface. */
function whole(bytes: Buffer, begin = PREFACE.length): Frames {
  let end = Math.min(begin, bytes.length);
  while (bytes.length >= end + 9 && bytes.length >= end + 9 + bytes.readUIntBE(end, 3))
    end += 9 + bytes.readUIntBE(end, 3);
  return framesIn(bytes.subarray(begin, end));
}

/** The codes of our RST_STREAM and GOAWAY frames that name an error. */
function codesIn(frames: Frames): number[] {
  const codes = frames.flatMap(({ type, payload }) => {
    if (type === FRAME.RST_STREAM) return [payload.readUInt32BE(0)];
    return type === FRAME.GOAWAY ? [payload.readUInt32BE(4)] : [];
  });
  return codes.filter((code) => code !== ERROR.NO_ERROR);
}
