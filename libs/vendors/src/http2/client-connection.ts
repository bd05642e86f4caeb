import type { OutgoingHttpHeaders } from 'node:http2';
import type { StreamReceiver } from './wire/open-stream';

/** What a connection tells its owner. */
export interface ConnectionListener {
  /** The server said, or changed, what it allows. */
  onSettings(): void;
  /** The server takes no more requests. */
  onGoAway(lastStreamId: number): void;
  /** It is of no more use, and all of its streams have ended. `error` is null when it was closed in order. */
  onClose(error: Error | null): void;
}

/** The client's side of one HTTP/2 connection, whoever keeps its framing. Every stream ends exactly once. */
export interface ClientConnection {
  /** How many streams the server allows at a time. */
  readonly maxConcurrentStreams: number;
  /** Whether it takes no further requests, because it is closed or its stream numbers are used up. */
  readonly isUsedUp: boolean;
  /**
   * Sends a request: the caller sees to it that the server allows one more stream.
   *
   * @returns the number by which `reset` knows it
   * @throws when a header cannot be put on the wire; nothing was sent then
   */
  request(headers: OutgoingHttpHeaders, body: string | Buffer, receiver: StreamReceiver): number;
  /** Gives a stream up: it ends as reset. */
  reset(streamId: number, errorCode: number): void;
  /** Asks whether the other side lives. A second question replaces the first. */
  ping(onAnswer: () => void): void;
  /** Says good-bye and closes; to be called when no stream is open. A server that does not close its side is not waited for. */
  close(): void;
  /** Ends the connection now; its streams end as lost, or untouched where that is sure. */
  destroy(error: Error | null): void;
}
