import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http2';

/** What came of one request. */
export type Http2Result =
  | { kind: 'answer'; status: number; headers: IncomingHttpHeaders; body: string }
  /** The server surely did not process it. `retryAfterMs`: how long no connection will be tried. */
  | { kind: 'unsent'; code: string; reason: string; retryAfterMs: number | null }
  /** It was written and no whole answer came. */
  | { kind: 'unanswered'; code: string; reason: string }
  /** It took itself back before it was written. */
  | { kind: 'withdrawn' };

/** What goes over the wire. */
export interface Http2Request {
  /** With `:path` and `:method`; scheme and authority are the connection's. */
  readonly headers: OutgoingHttpHeaders;
  readonly body: string | Buffer;
}

/** One request. The same object is used again when it has to go out on another connection. */
export interface Http2Call {
  /**
   * Makes the request, at the moment at which it is written: whatever depends on the time is looked at now.
   *
   * @param connection stands for the connection that it is going to be written to, and for no other
   * @returns the request; `elsewhere` when this connection must take nothing more (it is drained, another one is asked);
   *   `withdrawn` when nothing is to be sent any more
   */
  compose(connection: object): Http2Request | 'elsewhere' | 'withdrawn';
  /** Called exactly once. */
  done(result: Http2Result): void;
}

/** A request waiting in the pool. */
export interface QueuedCall {
  readonly call: Http2Call;
  /** When it was handed over, from `performance.now()`. */
  readonly since: number;
  /** How often it was handed to a connection that did not take it. */
  refusals: number;
}
