import { HOUR_MS } from '@postrider/domain';
import type { HttpsProxy } from '@postrider/platform';
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http2';
import type { Http2ClientName } from '../sender';

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
  /**
   * True if a server that does not speak HTTP/2 is sent its requests over HTTP/1.1, one at a time on a connection. Over
   * TLS the server chooses (ALPN); in clear it is found out, with the own client.
   */
  allowHttp1: boolean;
  /** PEM of the only certificate authority to trust; default: the machine's and `NODE_EXTRA_CA_CERTS`. */
  ca?: string;
  maxSessions: number;
  maxInFlight: number;
  /** The most streams on one connection, whatever the server would allow. */
  maxStreamsPerSession: number;
  /** True if a connection carries only one stream until its first answer (APNs). */
  firstStreamAlone: boolean;
  /**
   * How long a call may take from the moment it is handed over, including waiting. A call that is not on the wire after
   * half of it is not sent any more, so that every call that is sent has the other half for its answer.
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
  /** True if an answer says that the server accepts nothing more on this connection, and did not accept the request. */
  isRefusal: (status: number, body: string) => boolean;
  /** The implementation of the framing: our own client, or Node's, which is slower. */
  client: Http2ClientName;
}

/** The settings that no vendor has reason to change. */
export const POOL_DEFAULTS = {
  allowPrivateEndpoints: false,
  allowHttp1: false,
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

/** The result of one request. */
export type Http2Result =
  | { kind: 'answer'; status: number; headers: IncomingHttpHeaders; body: string }
  /** The server surely did not process it. `retryAfterMs`: how long no connection will be tried. */
  | { kind: 'unsent'; code: string; reason: string; retryAfterMs: number | null }
  /** It was written and no whole answer came. */
  | { kind: 'unanswered'; code: string; reason: string }
  /** It took itself back before it was written. */
  | { kind: 'withdrawn' };

/** The headers and body of a request. */
export interface Http2Request {
  /** With `:path` and `:method`; scheme and authority are the connection's. */
  readonly headers: OutgoingHttpHeaders;
  readonly body: string | Buffer;
}

/** One request. The same object is used again if it must be sent on another connection. */
export interface Http2Call {
  /**
   * Makes the request, at the moment at which it is written, so that parts that depend on the time are right.
   * @param connection identifies the connection that the request is written to, and no other
   * @returns the request; `elsewhere` if this connection must take nothing more (it is drained, another one is asked);
   * `withdrawn` if nothing must be sent any more
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
  /** How often it was handed to a connection that did not accept it. */
  refusals: number;
}
