import { Duplex } from 'node:stream';
import { FLAG, FRAME, PREFACE, SETTING } from '../frame';
import { HpackEncoder } from '../hpack-encoder';
import type { ConnectionListener } from '../../client-connection';
import { Http2Connection } from '../http2-connection';
import type { StreamEnd, StreamReceiver } from '../../client-connection';

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

/** Records the answer to a request. */
export class Recorder implements StreamReceiver {
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

/** A connection, and the server that the test plays. */
interface Scene {
  socket: TestSocket;
  connection: Http2Connection;
  heard: string[];
  /** Sends frames from the other side. */
  say(...frames: Buffer[]): Promise<void>;
  ask(body?: string): Recorder;
  sent(): Promise<{ type: number; flags: number; streamId: number; payload: Buffer }[]>;
}

/** Opens a connection to a server that begins with these settings. */
export function open(settings: [number, number][] = [[SETTING.MAX_CONCURRENT_STREAMS, 100]]): Scene {
  const socket = new TestSocket();
  const heard: string[] = [];
  const listener: ConnectionListener = {
    onSettings: () => heard.push('settings'),
    onGoAway: (errorCode) => heard.push(`goaway ${errorCode}`),
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

/** A frame as it goes over the wire. */
export function frame(type: number, flags: number, streamId: number, payload: Buffer = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(streamId, 5);
  return Buffer.concat([head, payload]);
}

/** A SETTINGS frame. */
export function settingsFrame(settings: [number, number][]): Buffer {
  const payload = Buffer.alloc(settings.length * 6);
  settings.forEach(([setting, value], place) => {
    payload.writeUInt16BE(setting, place * 6);
    payload.writeUInt32BE(value, place * 6 + 2);
  });
  return frame(FRAME.SETTINGS, 0, 0, payload);
}

/** The payload of a frame that holds one number. */
export function number(value: number): Buffer {
  const payload = Buffer.alloc(4);
  payload.writeUInt32BE(value);
  return payload;
}

/** The head of an answer. */
export function head(streamId: number, status: string, flags: number = FLAG.END_HEADERS): Buffer {
  const encoder = new HpackEncoder();
  encoder.begin();
  encoder.add(':status', status);
  return frame(FRAME.HEADERS, flags, streamId, Buffer.from(encoder.end()));
}

/** A piece of the body of an answer. */
export function data(streamId: number, text: string, flags: number = FLAG.END_STREAM): Buffer {
  return frame(FRAME.DATA, flags, streamId, Buffer.from(text));
}

/** The frames that these octets are. */
export function framesIn(bytes: Buffer): { type: number; flags: number; streamId: number; payload: Buffer }[] {
  const frames = [];
  for (let at = 0; at < bytes.length;) {
    const length = bytes.readUIntBE(at, 3);
    const payload = bytes.subarray(at + 9, at + 9 + length);
    frames.push({
      type: bytes.readUInt8(at + 3),
      flags: bytes.readUInt8(at + 4),
      streamId: bytes.readUInt32BE(at + 5),
      payload,
    });
    at += 9 + length;
  }
  return frames;
}

/** Returns the part of the body of one request that was sent. */
export const bodyOf = (frames: Awaited<ReturnType<Scene['sent']>>, streamId: number): string =>
  frames
    .filter((one) => one.type === FRAME.DATA && one.streamId === streamId)
    .map((one) => one.payload.toString())
    .join('');
