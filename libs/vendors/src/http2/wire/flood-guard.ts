import type { Writable } from 'node:stream';
import { ERROR, Http2ProtocolError } from './frame';

/** A server that makes us answer and does not read the answers is flooding. */
const MAX_UNREAD_BYTES = 4_194_304;
/** Servers send a handful of settings when a connection begins, change one now and then, and say once or twice that they leave. */
const MOST_UNASKED = 100;

/**
 * Counts what a server sends that no request asks for, and that costs us more than it costs the server. Addresses of Web Push
 * come from strangers, and one process sends to all vendors: a server must not use up its processor or its memory.
 */
export class FloodGuard {
  #unasked = 0;

  constructor(private readonly socket: Writable) {}

  /**
   * Counts settings and GOAWAY frames: each means a look at every open stream.
   *
   * @throws Http2ProtocolError ENHANCE_YOUR_CALM if there were too many since the last answer
   */
  countUnasked(count: number): void {
    this.#unasked += count;
    if (this.#unasked <= MOST_UNASKED) return;
    throw new Http2ProtocolError(ERROR.ENHANCE_YOUR_CALM, 'The server says too much that was not asked for');
  }

  /** A whole answer came. */
  answered(): void {
    this.#unasked = 0;
  }

  /** @throws Http2ProtocolError ENHANCE_YOUR_CALM if the server does not read what it made us write */
  checkUnread(): void {
    if (this.socket.writableLength <= MAX_UNREAD_BYTES) return;
    throw new Http2ProtocolError(ERROR.ENHANCE_YOUR_CALM, 'The server asks and does not read the answers');
  }
}
