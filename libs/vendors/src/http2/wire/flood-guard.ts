import type { Writable } from 'node:stream';
import { ERROR, Http2ProtocolError } from './frame';

/** A server that answers requests which it does not read would let them pile up in our memory. */
const MAX_UNREAD_BYTES = 4_194_304;
/** Servers send a handful of settings when a connection begins, change one now and then, and say once or twice that they leave. */
const MOST_UNASKED = 100;
/**
 * How far the frames of a server may be ahead of its answers. A server that waits for its own work sends two or three for each request
 * in flight, and a PING now and then for the hour in which a connection may be idle.
 */
const MOST_FRAMES_AHEAD = 10_000;
/** An answer and what goes with it, such as windows and a PING, is fewer frames than this. */
const FRAMES_OF_ANSWER = 100;
/** So much of a header list, beyond that of a usual answer, costs as much as a frame. */
const HEADER_BYTES_OF_FRAME = 64;
/** The header list of a usual answer is shorter. Late answers of a slow vendor, which nobody waits for any more, are no flood. */
const USUAL_HEADER_BYTES = 1_024;

/**
 * Counts what a server sends that no request asks for, and that costs us more than it costs the server. Addresses of Web Push
 * come from strangers, and one process sends to all vendors: a server must not use up its processor or its memory.
 */
export class FloodGuard {
  #unasked = 0;
  #ahead = 0;

  constructor(private readonly socket: Writable) {}

  /**
   * Counts a frame of any type.
   *
   * @throws Http2ProtocolError ENHANCE_YOUR_CALM if there were too many for the answers that came
   */
  countFrame(): void {
    this.#count(1);
  }

  /**
   * Counts a header list that nobody waits for: it may be large though its frame is small.
   *
   * @throws Http2ProtocolError ENHANCE_YOUR_CALM if there were too many for the answers that came
   */
  countUnwanted(headerBytes: number): void {
    this.#count(Math.max(0, headerBytes - USUAL_HEADER_BYTES) / HEADER_BYTES_OF_FRAME);
  }

  /**
   * Counts settings and GOAWAY frames: each means a look at every open stream.
   *
   * @throws Http2ProtocolError ENHANCE_YOUR_CALM if there were too many since the last answer
   */
  countUnasked(count: number): void {
    this.#unasked += count;
    if (this.#unasked > MOST_UNASKED) throw saysTooMuch();
  }

  /** A whole answer came. */
  answered(): void {
    this.#unasked = 0;
    this.#ahead = Math.max(0, this.#ahead - FRAMES_OF_ANSWER);
  }

  /** @throws Http2ProtocolError ENHANCE_YOUR_CALM if the server does not read what we write */
  checkUnread(): void {
    if (this.socket.writableLength <= MAX_UNREAD_BYTES) return;
    throw new Http2ProtocolError(ERROR.ENHANCE_YOUR_CALM, 'The server does not read what is written to it');
  }

  #count(cost: number): void {
    this.#ahead += cost;
    if (this.#ahead > MOST_FRAMES_AHEAD) throw saysTooMuch();
  }
}

function saysTooMuch(): Http2ProtocolError {
  return new Http2ProtocolError(ERROR.ENHANCE_YOUR_CALM, 'The server says too much that was not asked for');
}
