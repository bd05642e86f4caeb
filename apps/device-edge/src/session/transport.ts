import type { LingeringClient } from './lingering-connections';

/** A network connection as a session sees it. */
export interface Transport {
  write(bytes: Buffer): void;
  /** Bytes that were passed to `write` and are not sent yet. */
  readonly bufferedBytes: number;
  /** Sends what was written, then closes. */
  end(): void;
  /**
   * Sends what was written. Then the connection stays open and unused for some time, if the client would otherwise connect
   * again at once; else it is closed.
   */
  linger(client: LingeringClient): void;
  /** Closes at once. */
  destroy(): void;
  /** Stops reading until `resume`. */
  pause(): void;
  resume(): void;
}
