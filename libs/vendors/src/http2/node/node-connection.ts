import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  constants,
  type IncomingHttpHeaders,
  type IncomingHttpStatusHeader,
  type OutgoingHttpHeaders,
  type Settings,
} from 'node:http2';
import type { Duplex } from 'node:stream';
import type { ClientConnection, ConnectionListener, StreamEnd, StreamReceiver } from '../client-connection';
import { ERROR } from '../wire/frame';
import { MAX_HEADER_BYTES } from '../wire/header-blocks';
import { HpackEncoder } from '../wire/hpack-encoder';
import { keepForStream, openWithNative } from './native-session';

/** How long the server may take to end its side of a connection that we left. */
const LINGER_MS = 500;
/** Node's value if the server sets no limit. */
const NO_STREAM_LIMIT = 0xffffffff;

/** A request on a stream of Node's. */
interface NodeStream {
  readonly stream: ClientHttp2Stream;
  readonly receiver: StreamReceiver;
  /** Why we gave it up ourselves. */
  givenUp: StreamEnd | null;
  hasHead: boolean;
  hasEnded: boolean;
}

/**
 * The client's side of one HTTP/2 connection with the framing of `node:http2` (nghttp2): the way out when ours is in doubt.
 * It takes more than twice the time for a request (see `docs/decisions/0006`). What was handed to Node counts as written.
 */
export class NodeConnection implements ClientConnection {
  maxConcurrentStreams = Infinity;
  readonly #session: ClientHttp2Session;
  /** Kept until Node has ended the streams that the session ended, and not longer: it holds unacknowledged settings, which hold us. */
  #native: object | null;
  readonly #streams = new Map<number, NodeStream>();
  /** Finds the headers that cannot be sent before Node has made a stream. */
  readonly #checker = new HpackEncoder();
  #nextId = 1;
  /** The highest stream that the server says it processes. */
  #lastProcessed = Infinity;
  #isClosed = false;

  /** @param origin the `:scheme` and `:authority` of all requests */
  constructor(
    private readonly socket: Duplex,
    private readonly origin: { scheme: string; authority: string },
    private readonly listener: ConnectionListener,
  ) {
    const { session, native } = openWithNative(() =>
      connect(`${origin.scheme}://${origin.authority}`, {
        createConnection: () => socket,
        settings: { enablePush: false, maxHeaderListSize: MAX_HEADER_BYTES },
      }),
    );
    this.#session = session;
    this.#native = native;
    const failure: { error: Error | null } = { error: null };
    this.#session.on('error', (error: Error) => (failure.error = error));
    this.#session.on('remoteSettings', ({ maxConcurrentStreams: limit }: Settings) => {
      this.maxConcurrentStreams = limit === undefined || limit === NO_STREAM_LIMIT ? Infinity : limit;
      if (!this.#isClosed) this.listener.onSettings();
    });
    this.#session.on('goaway', (errorCode: number, lastStreamId: number) => {
      this.#lastProcessed = Math.min(this.#lastProcessed, lastStreamId);
      if (!this.#isClosed) this.listener.onGoAway(errorCode);
    });
    this.#session.on('close', () => {
      this.#finish(failure.error);
      setImmediate(() => (this.#native = null));
    });
  }

  get isUsedUp(): boolean {
    return this.#isClosed || this.#session.closed || this.#session.destroyed;
  }

  request(headers: OutgoingHttpHeaders, body: string | Buffer, receiver: StreamReceiver): number {
    const { scheme, authority } = this.origin;
    const fields: OutgoingHttpHeaders = { ...headers, ':scheme': scheme, ':authority': authority };
    if (body.length > 0 || headers[':method'] === 'POST') fields['content-length'] ??= Buffer.byteLength(body);
    for (const [name, value] of Object.entries(fields)) {
      for (const one of [value].flat()) if (one !== undefined) this.#checker.check(name, String(one));
    }
    const stream = this.#session.request(fields, { endStream: body.length === 0 });
    const id = this.#nextId;
    this.#nextId += 2;
    const open: NodeStream = { stream, receiver, givenUp: null, hasHead: false, hasEnded: false };
    this.#streams.set(id, open);
    this.#listen(id, open);
    if (body.length > 0) stream.end(body);
    return id;
  }

  reset(streamId: number, errorCode: number): void {
    const open = this.#streams.get(streamId);
    if (!open) return;
    open.givenUp ??= { kind: 'reset', errorCode };
    open.stream.close(errorCode);
    this.#end(streamId, open.givenUp);
  }

  ping(onAnswer: () => void): void {
    if (!this.isUsedUp) this.#session.ping((error) => error === null && onAnswer());
  }

  close(): void {
    if (this.#isClosed) return;
    const timer = setTimeout(() => this.destroy(null), LINGER_MS).unref();
    this.socket.once('close', () => clearTimeout(timer));
    this.#session.close();
    this.#finish(null);
  }

  destroy(error: Error | null): void {
    this.#session.destroy();
    this.socket.destroy();
    this.#finish(error);
  }

  #listen(id: number, open: NodeStream): void {
    const { stream, receiver } = open;
    stream.on('response', (headers: IncomingHttpHeaders & IncomingHttpStatusHeader) => {
      const { ':status': status = 0, ...fields } = headers;
      open.hasHead = true;
      if (this.#streams.has(id)) receiver.onHead(status, fields);
    });
    stream.on('data', (data: Buffer) => {
      if (open.givenUp !== null || receiver.onData(data, false)) return;
      open.givenUp = { kind: 'cut' };
      stream.close(ERROR.CANCEL);
    });
    stream.on('end', () => (open.hasEnded = true));
    stream.on('error', () => undefined);
    stream.on('close', () => this.#end(id, this.#endOf(open)));
  }

  #endOf({ stream, givenUp, hasHead, hasEnded }: NodeStream): StreamEnd {
    if (givenUp !== null) return givenUp;
    const errorCode = stream.rstCode ?? constants.NGHTTP2_NO_ERROR;
    if (hasHead && hasEnded && errorCode === constants.NGHTTP2_NO_ERROR) return { kind: 'complete' };
    if (errorCode === constants.NGHTTP2_REFUSED_STREAM || this.#isDisowned(stream)) return { kind: 'untouched' };
    if (this.#session.destroyed || errorCode === constants.NGHTTP2_NO_ERROR) return { kind: 'lost', error: null };
    return { kind: 'reset', errorCode };
  }

  /** Node gives no number to a stream that it never sent. */
  #isDisowned({ id }: ClientHttp2Stream): boolean {
    return id === undefined || id > this.#lastProcessed;
  }

  #end(id: number, end: StreamEnd): void {
    const open = this.#streams.get(id);
    if (!open) return;
    this.#streams.delete(id);
    if (end.kind !== 'complete') keepForStream(this.#native, open.stream);
    open.receiver.onEnd(end);
  }

  #finish(error: Error | null): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const [id, { stream }] of [...this.#streams]) {
      this.#end(id, this.#isDisowned(stream) ? { kind: 'untouched' } : { kind: 'lost', error });
    }
    this.listener.onClose(error);
  }
}
