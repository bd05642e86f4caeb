import type { IncomingHttpHeaders } from 'node:http2';
import type { Http2Result, QueuedCall } from './http2-call';
import { errorName } from './wire/frame';
import type { StreamEnd, StreamReceiver } from './client-connection';

/** An answer larger than this is none: no vendor's is, and memory stays bounded. It is what a stream's window takes. */
const MAX_BODY_BYTES = 65_535;
/** Room for the usual answer. */
const FIRST_BYTES = 512;

/** Until a stream has ended, its result if its connection broke now. One object for all: each device has a stream. */
const NOT_ENDED: StreamEnd = { kind: 'lost', error: null };
const NO_HEADERS: IncomingHttpHeaders = {};

/** Hears the events of an exchange. */
interface ExchangeListener {
  onAnswer(): void;
  onEnd(exchange: Exchange): void;
}

/** One try of a call on one stream. */
export class Exchange implements StreamReceiver {
  /** The stream's number; 0 before it has one. */
  streamId = 0;
  #status = 0;
  #headers = NO_HEADERS;
  #body = '';
  /** The beginning of a body that comes in pieces, with room for more: a server may send a million pieces of no bytes. */
  #pieces: Buffer | null = null;
  #bytes = 0;
  #end = NOT_ENDED;
  #overdue = false;

  /** @param startedAt from `performance.now()` */
  constructor(
    readonly queued: QueuedCall,
    readonly startedAt: number,
    private readonly listener: ExchangeListener,
  ) {}

  get isOverdue(): boolean {
    return this.#overdue;
  }

  /** The call took too long: whatever ends its stream now, it ends as `unanswered`. */
  markOverdue(): void {
    this.#overdue = true;
  }

  onHead(status: number, headers: IncomingHttpHeaders): void {
    this.#status = status;
    this.#headers = headers;
    this.listener.onAnswer();
  }

  onData(data: Buffer, isLast: boolean): boolean {
    if (isLast && this.#pieces === null) this.#body = data.toString('utf8');
    else this.#append(data);
    this.#bytes += data.length;
    return this.#bytes < MAX_BODY_BYTES;
  }

  onEnd(end: StreamEnd): void {
    this.#end = end;
    if (this.#pieces !== null) this.#body = this.#pieces.toString('utf8', 0, this.#bytes);
    this.#pieces = null;
    this.listener.onEnd(this);
  }

  #append(data: Buffer): void {
    const length = this.#bytes + data.length;
    let pieces = this.#pieces ?? Buffer.allocUnsafe(Math.max(length, FIRST_BYTES));
    if (pieces.length < length) {
      const larger = Buffer.allocUnsafe(2 * length);
      pieces.copy(larger, 0, 0, this.#bytes);
      pieces = larger;
    }
    data.copy(pieces, this.#bytes);
    this.#pieces = pieces;
  }

  /**
   * Returns the result, once the exchange has ended. A part of an answer does not count: the whole could be of another
   * class.
   */
  result(): Http2Result {
    const end = this.#end;
    if (end.kind === 'complete') {
      return { kind: 'answer', status: this.#status, headers: this.#headers, body: this.#body };
    }
    if (this.#overdue) return unanswered('DEADLINE', 'No answer within the deadline');
    switch (end.kind) {
      case 'untouched':
        if (this.#status > 0) return unanswered('ANSWER_CUT', 'The server took back the answer that it had begun');
        return { ...UNTOUCHED };
      case 'cut':
        return unanswered('ANSWER_TOO_LONG', `The answer is longer than ${MAX_BODY_BYTES} bytes`);
      case 'reset':
        return unanswered(errorName(end.errorCode), 'The request was given up');
      case 'lost':
        return unanswered('CONNECTION_LOST', end.error?.message ?? 'The connection was closed without an answer');
    }
  }
}

const UNTOUCHED = {
  kind: 'unsent',
  code: 'REFUSED_STREAM',
  reason: 'The server did not take the request',
  retryAfterMs: null,
} as const;

function unanswered(code: string, reason: string): Http2Result {
  return { kind: 'unanswered', code, reason };
}
