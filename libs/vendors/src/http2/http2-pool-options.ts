/** How a pool behaves. All times are real time: they guard sockets, not messages. */
export interface Http2PoolOptions {
  /** Scheme, host and port to connect to. */
  origin: URL;
  allowPrivateEndpoints: boolean;
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
  /** Whether a status says that we are too fast. */
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
  idleCloseMs: 3_600_000,
  backoffMs: 200,
  maxBackoffMs: 30_000,
  isOverload: (status: number): boolean => status === 429 || status >= 500,
  isRefusal: (): boolean => false,
  client: 'own',
} satisfies Omit<Http2PoolOptions, 'origin'>;
