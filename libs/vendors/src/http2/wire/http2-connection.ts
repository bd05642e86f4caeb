import type { OutgoingHttpHeaders } from 'node:http2';
import type { Duplex } from 'node:stream';
import { FloodGuard } from './flood-guard';
import { ERROR, FLAG, FRAME, Http2ProtocolError, NotHttp2Error, SETTING } from './frame';
import { frameSizeError, incrementOf, protocolError, settingsIn } from './frame-checks';
import { FrameReader } from './frame-reader';
import { FrameWriter } from './frame-writer';
import { HeaderBlocks, MAX_HEADER_BYTES, withoutPadding } from './header-blocks';
import { HpackEncoder } from './hpack-encoder';
import type { ClientConnection, ConnectionListener, OpenStream, StreamEnd, StreamReceiver } from '../client-connection';
import { StreamTable } from '../stream-table';
import { OutgoingBodies } from './outgoing-bodies';
import { RequestFields } from './request-fields';
import { announcedLength, faultOfHead, type ResponseHead } from './response-fields';

/** How much the server may send before we acknowledge it; answers are small and are acknowledged at once. */
const RECEIVE_WINDOW = 1_048_576;
/** How long the server may take to end its side of a connection that we left. */
const LINGER_MS = 500;
/** How long a stream that a GOAWAY disowns may still be answered. */
const GOAWAY_GRACE_MS = 250;
/** Odd numbers up to 2^31 - 1 (RFC 9113 §5.1.1). */
const LAST_STREAM_ID = 0x7fffffff;

/**
 * The client's side of one HTTP/2 connection (RFC 9113, RFC 7541), for requests whose body is known and whose answer is
 * small. It knows nothing of TLS: its caller gives it an open socket. Every stream ends exactly once, whatever the
 * server sends.
 * It is our own because node:http2 makes a stream object, and half a hundred calls, for each request (see
 * `docs/decisions/0006`).
 */
export class Http2Connection implements ClientConnection {
  /** How many streams the server allows at a time. */
  maxConcurrentStreams = Infinity;
  readonly #streams = new StreamTable<OpenStream>();
  readonly #reader: FrameReader;
  readonly #writer: FrameWriter;
  readonly #encoder = new HpackEncoder();
  readonly #requestFields: RequestFields;
  readonly #headerBlocks = new HeaderBlocks();
  readonly #bodies: OutgoingBodies;
  readonly #floodGuard: FloodGuard;
  #nextId = 1;
  #flushedThrough = 0;
  /** The highest stream that the server says it processes. */
  #lastProcessed = LAST_STREAM_ID;
  #untold = 0;
  #hasSettings = false;
  #isClosed = false;
  #onPong: (() => void) | null = null;

  /** @param origin the `:scheme` and `:authority` of all requests */
  constructor(
    private readonly socket: Duplex,
    origin: { scheme: string; authority: string },
    private readonly listener: ConnectionListener,
  ) {
    this.#requestFields = new RequestFields(this.#encoder, origin);
    this.#reader = new FrameReader((type, flags, streamId, payload) => this.#take(type, flags, streamId, payload));
    this.#writer = new FrameWriter(socket, () => (this.#flushedThrough = this.#nextId - 2));
    this.#bodies = new OutgoingBodies(this.#writer);
    this.#floodGuard = new FloodGuard(socket);
    this.#writer.preface();
    this.#writer.settings([
      [SETTING.ENABLE_PUSH, 0],
      [SETTING.MAX_HEADER_LIST_SIZE, MAX_HEADER_BYTES],
    ]);
    this.#writer.number(FRAME.WINDOW_UPDATE, 0, RECEIVE_WINDOW - 65_535);
    socket.on('data', (chunk: Buffer) => this.#read(chunk));
    socket.on('end', () => this.destroy(null));
    socket.on('error', (error: Error) => this.destroy(error));
    socket.on('close', () => this.destroy(null));
  }

  /** True if it takes no further requests, because it is closed or its stream numbers are used up. */
  get isUsedUp(): boolean {
    return this.#isClosed || this.#nextId > LAST_STREAM_ID;
  }

  /**
   * Sends a request: the caller sees to it that the server allows one more stream.
   *
   * @param headers not changed any more: who sends the same object again has it encoded once
   * @throws when a header cannot be put on the wire; nothing was sent then
   */
  request(headers: OutgoingHttpHeaders, body: string | Buffer, receiver: StreamReceiver): number {
    const bytes = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
    const block = this.#requestFields.encode(headers, bytes);
    const id = this.#nextId;
    const window = this.#bodies.initialWindow;
    const stream = { id, receiver, window, unsent: null, hasHead: false, announced: null, received: 0 };
    this.#streams.set(id, stream);
    this.#nextId += 2;
    this.#writer.headers(id, block, bytes === 0);
    if (bytes > 0) this.#bodies.send(stream, body, bytes);
    return id;
  }

  /** Gives a stream up: it ends as reset. */
  reset(streamId: number, errorCode: number): void {
    const stream = this.#streams.get(streamId);
    if (!stream) return;
    this.#writer.reset(streamId, errorCode);
    this.#end(stream, { kind: 'reset', errorCode });
  }

  /** Asks whether the other side lives. A second question replaces the first. */
  ping(onAnswer: () => void): void {
    this.#onPong = onAnswer;
    this.#writer.frame(FRAME.PING, 0, 0, Buffer.alloc(8));
  }

  /**
   * Sends a GOAWAY and closes; call it when no stream is open. It does not wait for a server that does not close its
   * side.
   */
  close(): void {
    if (this.#isClosed) return;
    this.#writer.goAway(ERROR.NO_ERROR);
    this.#writer.flush();
    this.#leave();
    this.#finish(null);
  }

  /** Ends the connection now; its streams end as lost, or untouched where that is sure. */
  destroy(error: Error | null): void {
    this.socket.destroy();
    this.#finish(error);
  }

  /** Ends our side in order, and the whole of it a moment later, or when the server has ended its side. */
  #leave(onLeft?: () => void): void {
    const timer = setTimeout(() => this.socket.destroy(), LINGER_MS).unref();
    this.socket.once('close', () => clearTimeout(timer));
    this.socket.end(onLeft);
  }

  #finish(error: Error | null): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#writer.close();
    for (const stream of this.#streams.values()) {
      const isUntouched = stream.id > Math.min(this.#flushedThrough, this.#lastProcessed);
      this.#end(stream, isUntouched ? { kind: 'untouched' } : { kind: 'lost', error });
    }
    this.listener.onClose(error);
  }

  #read(chunk: Buffer): void {
    if (this.#isClosed) return;
    try {
      this.#reader.read(chunk);
    } catch (error) {
      if (!(error instanceof Http2ProtocolError)) throw error;
      // The server must learn of the error: the GOAWAY leaves before the socket is closed (RFC 9113 §5.4.1).
      this.#writer.goAway(error.errorCode);
      this.#writer.flush();
      this.#leave(() => this.socket.destroy());
      this.#finish(this.#hasSettings ? error : new NotHttp2Error(error.errorCode, error.message));
    }
  }

  #take(type: number, flags: number, streamId: number, payload: Buffer): void {
    if (this.#isClosed) return;
    this.#floodGuard.countFrame();
    if (!this.#hasSettings && (type !== FRAME.SETTINGS || (flags & FLAG.ACK) !== 0)) {
      throw protocolError('The server did not begin with SETTINGS');
    }
    const { unfinished } = this.#headerBlocks;
    if (type === FRAME.CONTINUATION ? unfinished === 0 || unfinished !== streamId : unfinished !== 0) {
      throw protocolError('A header block was interrupted');
    }
    if (streamId === 0) this.#takeOfConnection(type, flags, payload);
    else this.#takeOfStream(type, flags, streamId, payload);
  }

  #takeOfConnection(type: number, flags: number, payload: Buffer): void {
    if (type === FRAME.SETTINGS) this.#takeSettings(flags, payload);
    else if (type === FRAME.PING) this.#takePing(flags, payload);
    else if (type === FRAME.GOAWAY) this.#takeGoAway(payload);
    else if (type === FRAME.WINDOW_UPDATE) this.#bodies.grant(incrementOf(payload));
    // A type that we do not know is ignored (RFC 9113 §4.1).
    else if (type <= FRAME.CONTINUATION) throw protocolError(`A frame of type ${type} names no stream`);
  }

  #takeOfStream(type: number, flags: number, streamId: number, payload: Buffer): void {
    // They mean nothing to us, on streams that were never opened either (RFC 9113 §5.1, §5.5).
    if (type > FRAME.CONTINUATION) return;
    if (type === FRAME.PRIORITY) {
      if (payload.length !== 5) this.reset(streamId, ERROR.FRAME_SIZE_ERROR);
    } else if (streamId % 2 === 0 || streamId >= this.#nextId) {
      throw protocolError('A frame names a stream that was not opened');
    } else this.#takeOfOpened(type, flags, streamId, payload);
  }

  #takeOfOpened(type: number, flags: number, streamId: number, payload: Buffer): void {
    if (type === FRAME.DATA) this.#takeData(flags, streamId, payload);
    else if (type === FRAME.HEADERS) {
      this.#takeHead(this.#headerBlocks.begin(streamId, flags, withoutPadding(type, flags, payload)));
    } else if (type === FRAME.CONTINUATION) this.#takeHead(this.#headerBlocks.proceed(flags, payload));
    else if (type === FRAME.RST_STREAM) this.#takeReset(streamId, payload);
    else if (type === FRAME.WINDOW_UPDATE) this.#takeWindowUpdate(streamId, payload);
    // SETTINGS, PING and GOAWAY are the connection's; PUSH_PROMISE is not allowed to who said so (RFC 9113 §6.6).
    else throw protocolError(`A frame of type ${type} on a stream`);
  }

  #takeSettings(flags: number, payload: Buffer): void {
    if ((flags & FLAG.ACK) !== 0) {
      if (payload.length > 0) throw frameSizeError('SETTINGS');
      return;
    }
    const settings = settingsIn(payload);
    this.#floodGuard.countUnasked(Math.max(1, settings.length));
    for (const [setting, value] of settings) this.#set(setting, value);
    this.#hasSettings = true;
    this.#writer.settingsAck();
    this.listener.onSettings();
  }

  #set(setting: number, value: number): void {
    if (setting === SETTING.HEADER_TABLE_SIZE) this.#encoder.limitTable(value);
    else if (setting === SETTING.MAX_CONCURRENT_STREAMS) this.maxConcurrentStreams = value;
    // Larger frames than the default would only keep smaller requests waiting: MAX_FRAME_SIZE changes nothing.
    else if (setting === SETTING.INITIAL_WINDOW_SIZE) this.#bodies.setInitialWindow(value, this.#streams.values());
  }

  #takePing(flags: number, payload: Buffer): void {
    if (payload.length !== 8) throw frameSizeError('PING');
    if ((flags & FLAG.ACK) === 0) {
      this.#writer.frame(FRAME.PING, FLAG.ACK, 0, payload);
      return;
    }
    const onPong = this.#onPong;
    this.#onPong = null;
    onPong?.();
  }

  /**
   * RFC 9113 §6.8: the server did not, and will not, process streams above the last one that it names. Some servers
   * begin a few more between deciding on that number and writing it: answers that come within a moment are accepted.
   */
  #takeGoAway(payload: Buffer): void {
    if (payload.length < 8) throw frameSizeError('GOAWAY');
    this.#floodGuard.countUnasked(1);
    this.#lastProcessed = Math.min(this.#lastProcessed, payload.readUInt32BE(0) & LAST_STREAM_ID);
    this.listener.onGoAway(payload.readUInt32BE(4));
    setTimeout(() => {
      for (const stream of this.#streams.values()) {
        if (stream.id > this.#lastProcessed) this.#end(stream, { kind: 'untouched' });
      }
    }, GOAWAY_GRACE_MS).unref();
  }

  #takeWindowUpdate(streamId: number, payload: Buffer): void {
    const increment = incrementOf(payload);
    const stream = this.#streams.get(streamId);
    const errorCode = stream ? this.#bodies.grantStream(stream, increment) : null;
    if (errorCode !== null) this.reset(streamId, errorCode);
  }

  #takeReset(streamId: number, payload: Buffer): void {
    if (payload.length !== 4) throw frameSizeError('RST_STREAM');
    const stream = this.#streams.get(streamId);
    if (!stream) return;
    const errorCode = payload.readUInt32BE(0);
    this.#end(stream, errorCode === ERROR.REFUSED_STREAM ? { kind: 'untouched' } : { kind: 'reset', errorCode });
  }

  #takeHead(head: ResponseHead | null): void {
    if (head === null) return;
    const stream = this.#streams.get(head.streamId);
    if (stream === undefined || (head.status > 0 && head.status < 200)) this.#floodGuard.countUnwanted(head.bytes);
    if (stream === undefined) return;
    // A malformed answer is an error of its stream, and no answer (RFC 9113 §8.1.1).
    if (faultOfHead(stream, head) !== null) {
      this.reset(stream.id, ERROR.PROTOCOL_ERROR);
      return;
    }
    if (!stream.hasHead) {
      // Interim answers are followed by the final one (RFC 9113 §8.1).
      if (head.status < 200) return;
      stream.hasHead = true;
      stream.announced = announcedLength(head);
      stream.receiver.onHead(head.status, head.headers);
    }
    if (head.endsStream) this.#complete(stream);
  }

  #takeData(flags: number, streamId: number, payload: Buffer): void {
    this.#untold += payload.length;
    if (this.#untold > RECEIVE_WINDOW / 2) {
      this.#writer.number(FRAME.WINDOW_UPDATE, 0, this.#untold);
      this.#untold = 0;
    }
    const data = withoutPadding(FRAME.DATA, flags, payload);
    const stream = this.#streams.get(streamId);
    if (!stream) return;
    stream.received += data.length;
    if (!stream.hasHead || stream.received > (stream.announced ?? Infinity)) {
      this.reset(streamId, ERROR.PROTOCOL_ERROR);
      return;
    }
    const isLast = (flags & FLAG.END_STREAM) !== 0;
    const isMoreWanted = stream.receiver.onData(data, isLast);
    if (isLast) this.#complete(stream);
    else if (!isMoreWanted) {
      this.#writer.reset(streamId, ERROR.CANCEL);
      this.#end(stream, { kind: 'cut' });
    }
  }

  /** The answer is whole. A body that was still on its way is not wanted any more (RFC 9113 §8.1). */
  #complete(stream: OpenStream): void {
    if (stream.announced !== null && stream.received !== stream.announced) {
      this.reset(stream.id, ERROR.PROTOCOL_ERROR);
      return;
    }
    this.#floodGuard.answered();
    if (stream.unsent !== null) this.#writer.reset(stream.id, ERROR.NO_ERROR);
    this.#end(stream, { kind: 'complete' });
    this.#floodGuard.checkUnread();
  }

  #end(stream: OpenStream, end: StreamEnd): void {
    if (!this.#streams.delete(stream.id)) return;
    this.#bodies.forget(stream);
    stream.receiver.onEnd(end);
  }
}
