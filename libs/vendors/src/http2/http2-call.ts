import { HOUR_MS } from '@postrider/domain';
import type { HttpsProxy } from '@postrider/platform';
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http2';

/** How a pool behaves. All times are real time: they guard sockets, not messages. */
export interface Http2PoolOptions {
  /** Scheme, host and port to connect to. */
  origin: URL;
  allowPrivateEndpoints: boolean;
  /** The proxy that leads out, if there is one. */
  proxy?: HttpsProxy;
  /**
   * True if `origin` comes from strangers: its name is resolved here then, not by the proxy, unless private addresses
   * are allowed.
   */
  isFromStrangers?: boolean;
  /** PEM of the only certificate authority to trust; default: the machine's and `NODE_EXTRA_CA_CERTS`. */
  ca?: string;
  maxSessions: number;
  maxInFlight: number;
  /** Streams on one connection, whatever the server would allow. */
  maxStreamsPerSession: number;
  /** Until its first answer a connection carries one stream only (APNs). */
  firstStreamAlone: boolean;
  /**
   * How long a call may take from the moment it is handed over, waiting included. One that is not on the wire after half of
   * it is not sent any more, so that what is sent has the other half for its answer.
   */
  deadlineMs: number;
  connectTimeoutMs: number;
  /** A connection silent for this long is asked by PING whether it still lives before, or while, it is used. */
  probeAfterMs: number;
  probeTimeoutMs: number;
  /** A connection unused for this long is closed. */
  idleCloseMs: number;
  /** First and longest wait after a connection that could not be opened, or that ended before anything was answered. */
  backoffMs: number;
  maxBackoffMs: number;
  /** True if a status says that we are too fast. */
  isOverload: (status: number) => boolean;
  /** Whether an answer says that the server takes nothing more on this connection, and did not take the request. */
  isRefusal: (status: number, body: string) => boolean;
  /** Who keeps the framing: our own client, or Node's, which is slower. */
  client: Http2ClientName;
}

/** A client of HTTP/2. */
export type Http2ClientName = 'own' | 'node';

/** The settings that no vendor has reason to change. */
export const POOL_DEFAULTS = {
  allowPrivateEndpoints: false,
  maxSessions: 8,
  maxInFlight: 2_000,
  maxStreamsPerSession: 500,
  firstStreamAlone: false,
  deadlineMs: 20_000,
  connectTimeoutMs: 10_000,
  probeAfterMs: 5_000,
  probeTimeoutMs: 5_000,
  idleCloseMs: HOUR_MS,
  backoffMs: 200,
  maxBackoffMs: 30_000,
  isOverload: (status: number): boolean => status === 429 || status >= 500,
  isRefusal: (): boolean => false,
  client: 'own',
} satisfies Omit<Http2PoolOptions, 'origin'>;

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
