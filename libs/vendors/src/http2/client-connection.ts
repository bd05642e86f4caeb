import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http2';

/** How a stream ended. */
export type StreamEnd =
  /** The answer is whole. */
  | { kind: 'complete' }
  /** The answer was too long: the receiver wanted no more of it. */
  | { kind: 'cut' }
  /** The server surely did not process the request (RFC 9113 §8.7), or nothing of it was written. */
  | { kind: 'untouched' }
  /** One of the sides reset the stream. */
  | { kind: 'reset'; errorCode: number }
  /** The connection was lost. */
  | { kind: 'lost'; error: Error | null };

/** Receives the answer to one request. */
export interface StreamReceiver {
  /** Called once, before any data. */
  onHead(status: number, headers: IncomingHttpHeaders): void;
  /** @param data only valid during the call @returns true if more is wanted: if not, the stream ends as cut */
  onData(data: Buffer, isLast: boolean): boolean;
  /** Exactly once, last of all. */
  onEnd(end: StreamEnd): void;
}

/** A stream that was begun and has not ended. */
export interface OpenStream {
  readonly id: number;
  readonly receiver: StreamReceiver;
  /** How many octets of its body the server accepts now; may fall below 0 (RFC 9113 §6.9.2). */
  window: number;
  /** The part of its body that could not be sent yet. */
  unsent: Buffer | null;
  hasHead: boolean;
  /** The content length that the answer announced; null if it did not. */
  announced: number | null;
  /** The number of bytes that came. */
  received: number;
}

/** Hears the events of a connection. */
export interface ConnectionListener {
  /** The server sent its settings or changed them. */
  onSettings(): void;
  /** The server takes no more requests on this connection: with the code NO_ERROR it ends it in order. */
  onGoAway(errorCode: number): void;
  /** It is of no more use, and all of its streams have ended. `error` is null when it was closed in order. */
  onClose(error: Error | null): void;
}

/** The client's side of one connection of HTTP/2, whichever framing it uses, or of HTTP/1.1. Every stream ends exactly once. */
export interface ClientConnection {
  /** How many streams the server allows at a time. */
  readonly maxConcurrentStreams: number;
  /** True if it takes no further requests, because it is closed or its stream numbers are used up. */
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
  /**
   * Closes in order, HTTP/2 with a GOAWAY; call it when no stream is open. It does not wait for a server that does not
   * close its side.
   */
  close(): void;
  /** Ends the connection now; its streams end as lost, or untouched where that is sure. */
  destroy(error: Error | null): void;
}
