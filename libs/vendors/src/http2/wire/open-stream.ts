import type { IncomingHttpHeaders } from 'node:http2';

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

/** Takes the answer to one request. */
export interface StreamReceiver {
  /** Once, before any data. */
  onHead(status: number, headers: IncomingHttpHeaders): void;
  /** @param data only valid during the call @returns whether more is wanted: if not, the stream ends as cut */
  onData(data: Buffer, isLast: boolean): boolean;
  /** Exactly once, last of all. */
  onEnd(end: StreamEnd): void;
}

/** A stream that was begun and has not ended. */
export interface OpenStream {
  readonly id: number;
  readonly receiver: StreamReceiver;
  /** How many octets the server takes of its body now; may fall below 0 (RFC 9113 §6.9.2). */
  window: number;
  /** What could not be sent of its body yet. */
  unsent: Buffer | null;
  hasHead: boolean;
  /** How much content the answer announced; null when it did not. */
  announced: number | null;
  /** How much content came. */
  received: number;
}
