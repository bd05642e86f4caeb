/** One connection as a session sees it: bytes go out, and it can be closed or held up. */
export interface Port {
  /** For the log. */
  readonly remote: string;
  write(bytes: Buffer): void;
  /** Bytes that were written and have not left yet. */
  readonly bufferedBytes: number;
  /** Lets what was written leave, and closes. */
  end(): void;
  /**
   * Lets what was written leave, and nothing more: where the client would connect again at once the connection stays open for
   * some time, otherwise it is closed.
   *
   * @param device whom it was let in as; null: it was not
   */
  rest(device: { appId: string; deviceId: string } | null): void;
  /** Closes at once. */
  destroy(): void;
  /** No more bytes come until `resume`. */
  pause(): void;
  resume(): void;
}

/** What the operator allows a connection. */
export interface SessionLimits {
  /** Messages in flight to a device. */
  window: number;
  /** Messages that wait in memory for a device. */
  capacity: number;
  maxPacketBytes: number;
  /** What may wait to be written. */
  bufferBytes: number;
  packetsPerSecond: number;
  /** A CONNECT must have come within this time. */
  connectWithinMs: number;
  subscriptions: number;
}
