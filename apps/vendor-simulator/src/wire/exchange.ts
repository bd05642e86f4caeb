import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';

/** The answer of a simulated API: a status, headers, and a body that is already text. */
export interface Answer {
  status: number;
  headers?: OutgoingHttpHeaders;
  body?: string;
}

/** What the simulated APIs remember about one connection. */
export interface ConnectionMemory {
  /** Requests that came over it. */
  requests: number;
  /** The newest stream of an HTTP/2 connection. */
  newestStream?: number;
  /** Streams behind this one are refused: the connection takes no further requests. */
  lastStream?: number;
  /** The provider token that APNs sees on it, and since when, in milliseconds since 1970. */
  providerToken?: { token: string; since: number };
}

/** The error codes of RST_STREAM (RFC 9113 §7) that a fault may name. */
export const RESET_CODES = {
  NO_ERROR: 0,
  PROTOCOL_ERROR: 1,
  INTERNAL_ERROR: 2,
  REFUSED_STREAM: 7,
  CANCEL: 8,
  ENHANCE_YOUR_CALM: 11,
} as const;

/** The name of one of these error codes. */
export type ResetCode = keyof typeof RESET_CODES;

/** A request that has arrived completely, as a simulated API reads it. */
export interface ArrivedRequest {
  readonly httpVersion: '1.1' | '2';
  readonly method: string;
  /** The path without its query. */
  readonly path: string;
  readonly query: string;
  /** Host and port as the caller wrote them. */
  readonly authority: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly connection: ConnectionMemory;
}

/** A request and the ways to deal with it; each may be called after the caller has gone, and then does nothing. */
export interface Exchange extends ArrivedRequest {
  answer(answer: Answer): void;
  /** Resets the stream without an answer (HTTP/1.1: closes the socket). */
  reset(code: ResetCode): void;
  /** Sends GOAWAY: the connection takes no further requests; those under way are still answered. */
  announceGoAway(): void;
  /** Destroys the socket under everything that is on it. */
  dropConnection(): void;
}

/** The largest request body that is read; longer ones are answered 413. A Huawei request of 1,000 tokens fits. */
export const MAX_BODY_BYTES = 1_048_576;
