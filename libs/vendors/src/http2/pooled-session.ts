import type { Socket } from 'node:net';
import { Http1Connection } from './http1-connection';
import type { ClientConnection, ConnectionListener } from './client-connection';
import { Exchange } from './exchange';
import type { QueuedCall, Http2PoolOptions } from './http2-call';
import { type HttpVersion, openSocket } from './open-socket';
import { StreamTable } from './stream-table';
import { ERROR } from './wire/frame';
import { NodeConnection } from './node/node-connection';
import { Http2Connection } from './wire/http2-connection';

/** A connection that ends this soon, and without an answer, is a failure to connect. */
const YOUNG_MS = 10_000;

/** Hears the events of a session. */
export interface SessionListener {
  /** It takes requests, or takes more than before. */
  onReady(session: PooledSession): void;
  /** One of its requests ended. */
  onEnd(session: PooledSession, exchange: Exchange): void;
  /** It will take no more requests; those in flight continue. `failure` if it never answered anything. */
  onRetired(session: PooledSession, failure: Error | null): void;
  /** Its socket is closed. Comes after `onRetired`. */
  onGone(session: PooledSession): void;
}

/**
 * One connection and when it is used: `connecting → ready → draining → closed`. It never holds more streams than
 * the server allows, so waiting requests stay in the pool and can go elsewhere.
 */
export class PooledSession {
  readonly #inFlight = new StreamTable<Exchange>();
  #state: 'connecting' | 'ready' | 'draining' | 'closed' = 'connecting';
  #socket: Socket | null = null;
  #connection: ClientConnection | null = null;
  #answered = false;
  #saidGoAwayInOrder = false;
  #heardAt = performance.now();
  #usedAt = performance.now();
  #readyAt = 0;
  #probeStartedAt: number | null = null;
  /** When it began to connect, on the scale of `performance.now()`. */
  readonly startedAt = performance.now();
  readonly #connectBy: number;

  /** @param isHttp1 true if it is known that the server does not speak HTTP/2 in clear */
  constructor(
    private readonly options: Http2PoolOptions,
    private readonly listener: SessionListener,
    isHttp1: boolean,
  ) {
    this.#connectBy = this.startedAt + options.connectTimeoutMs;
    try {
      this.#socket = openSocket(options, {
        onOpen: (socket, version) => this.#onOpen(socket, isHttp1 ? 'http/1.1' : version),
        onFailure: (error) => this.#onClose(error),
      });
      this.#socket.once('close', () => {
        this.#onClose(null);
        listener.onGone(this);
      });
    } catch (error) {
      queueMicrotask(() => {
        this.#onClose(error as Error);
        listener.onGone(this);
      });
    }
  }

  get isConnecting(): boolean {
    return this.#state === 'connecting';
  }

  get isReady(): boolean {
    return this.#state === 'ready';
  }

  /** True if the server answered requests here and then ended the connection in order: it takes requests on another one. */
  get endedInOrder(): boolean {
    return this.#answered && this.#saidGoAwayInOrder;
  }

  /** Returns how many requests it takes now. 0 while a PING checks if a silent connection still lives. */
  room(now: number): number {
    if (this.#state !== 'ready' || this.#connection?.isUsedUp !== false) return 0;
    if (this.#inFlight.size === 0 && now - this.#heardAt > this.options.probeAfterMs) this.#probe();
    if (this.#probeStartedAt !== null && this.#inFlight.size === 0) return 0;
    return this.#limit() - this.#inFlight.size;
  }

  /**
   * Sends a request, unless its call will not have it so; only while `room()` is above 0.
   *
   * @throws when the headers cannot be put on the wire
   */
  start(queued: QueuedCall, now: number): 'started' | 'elsewhere' | 'withdrawn' {
    if (!this.#connection) throw new Error('Not connected');
    const request = queued.call.compose(this);
    if (typeof request === 'string') return request;
    this.#usedAt = now;
    const exchange = new Exchange(queued, now, this);
    exchange.streamId = this.#connection.request(request.headers, request.body, exchange);
    this.#inFlight.set(exchange.streamId, exchange);
    if (this.#connection.isUsedUp) this.drain();
    return 'started';
  }

  /** Called a few times a second: ends overdue calls, checks if silent connections live, closes idle ones. */
  tick(now: number): void {
    if (this.#state === 'connecting') {
      if (now > this.#connectBy) this.destroy(new Error('Connecting took too long'));
      return;
    }
    this.#giveUpOverdue(now);
    this.#checkAlive(now);
    if (this.#inFlight.size === 0 && this.isReady && now - this.#usedAt > this.options.idleCloseMs) this.drain();
  }

  /** Takes no more requests and closes when the last one in flight has ended. */
  drain(): void {
    this.#retire(null);
    if (this.#connection) this.#closeWhenDone();
    else this.destroy();
  }

  /** Ends the connection now; requests in flight end as `unanswered`, or `unsent` where that is sure. */
  destroy(error: Error | null = null): void {
    if (this.#connection) {
      this.#connection.destroy(error);
      return;
    }
    this.#onClose(error);
    this.#socket?.destroy();
  }

  /** An answer came to one of its requests. */
  onAnswer(): void {
    this.#answered = true;
    this.#heardAt = performance.now();
  }

  /** One of its requests ended. */
  onEnd(exchange: Exchange): void {
    this.#inFlight.delete(exchange.streamId);
    this.listener.onEnd(this, exchange);
    if (this.#state === 'draining') this.#closeWhenDone();
  }

  #onOpen(socket: Socket, version: HttpVersion): void {
    if (this.#state !== 'connecting') {
      socket.destroy();
      return;
    }
    const { protocol, host } = this.options.origin;
    const origin = { scheme: protocol.slice(0, -1), authority: host };
    const listener: ConnectionListener = {
      onSettings: () => this.#onSettings(),
      onGoAway: (errorCode) => this.#onGoAway(errorCode),
      onClose: (error) => this.#onClose(error),
    };
    const Http2 = this.options.client === 'node' ? NodeConnection : Http2Connection;
    const Connection = version === 'h2' ? Http2 : Http1Connection;
    this.#connection = new Connection(socket, origin, listener);
  }

  #limit(): number {
    if (this.options.firstStreamAlone && !this.#answered) return 1;
    const peer = this.#connection?.maxConcurrentStreams ?? 0;
    return Math.min(peer, this.options.maxStreamsPerSession);
  }

  /** The server's first SETTINGS make a connection ready: only now is it known how many streams it allows. */
  #onSettings(): void {
    if (this.#state === 'connecting') {
      this.#state = 'ready';
      this.#heardAt = this.#usedAt = this.#readyAt = performance.now();
    }
    if (this.isReady) this.listener.onReady(this);
  }

  #closeWhenDone(): void {
    if (this.#inFlight.size === 0) this.#connection?.close();
  }

  #giveUpOverdue(now: number): void {
    for (const exchange of this.#inFlight.values()) {
      if (now - exchange.queued.since <= this.options.deadlineMs) continue;
      exchange.markOverdue();
      this.#connection?.reset(exchange.streamId, ERROR.CANCEL);
    }
  }

  #checkAlive(now: number): void {
    if (this.#probeStartedAt !== null) {
      if (now - this.#probeStartedAt > this.options.probeTimeoutMs) this.destroy(new Error('PING was not answered'));
    } else if (this.#inFlight.size > 0 && now - this.#heardAt > this.options.probeAfterMs) {
      this.#probe();
    }
  }

  #probe(): void {
    if (this.#probeStartedAt !== null || !this.#connection) return;
    this.#probeStartedAt = performance.now();
    this.#connection.ping(() => {
      this.#probeStartedAt = null;
      this.#heardAt = performance.now();
      if (this.isReady) this.listener.onReady(this);
    });
  }

  #retire(failure: Error | null): void {
    if (this.#state === 'draining' || this.#state === 'closed') return;
    this.#state = 'draining';
    this.listener.onRetired(this, failure);
  }

  #onGoAway(errorCode: number): void {
    this.#saidGoAwayInOrder = errorCode === ERROR.NO_ERROR;
    this.#retire(this.#failure(null));
    this.#closeWhenDone();
  }

  #onClose(error: Error | null): void {
    if (this.#state === 'closed') return;
    this.#retire(this.#failure(error));
    this.#state = 'closed';
  }

  /** A server that greets and closes is as far away as one that cannot be reached. */
  #failure(error: Error | null): Error | null {
    if (this.#state === 'connecting') return error ?? new Error('The connection was closed');
    if (this.#answered || performance.now() - this.#readyAt > YOUNG_MS) return null;
    return error ?? new Error('The server closed the connection before it answered anything');
  }
}
