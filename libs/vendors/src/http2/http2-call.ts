import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http2';

/** What came of one request. */
export type Http2Result =
  | { kind: 'answer'; status: number; headers: IncomingHttpHeaders; body: string }
  /** The server surely did not process it. `retryAfterMs`: how long no connection will be tried. */
  | { kind: 'unsent'; code: string; reason: string; retryAfterMs: number | null }
  /** It was written and no answer came. */
  | { kind: 'unanswered'; code: string; reason: string };

/** One request. The same object is used again when it has to go out on another connection. */
export interface Http2Call {
  /** With `:path` and `:method`; scheme and authority are the connection's. */
  readonly headers: OutgoingHttpHeaders;
  readonly body: string | Buffer;
  /** Called exactly once. */
  done(result: Http2Result): void;
}

/** A request waiting in the pool. */
export interface QueuedCall {
  readonly call: Http2Call;
  /** How often it was handed to a connection that did not take it. */
  refusals: number;
}
