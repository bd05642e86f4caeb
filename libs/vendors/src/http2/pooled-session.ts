import { type ClientHttp2Session, connect, type SecureClientSessionOptions } from 'node:http2';
import { assertPublicEndpoint, publicLookup } from '../net/guarded-lookup';
import { Exchange } from './exchange';
import type { QueuedCall } from './http2-call';
import type { Http2PoolOptions } from './http2-pool-options';

/** What a session tells its pool. */
export interface SessionListener {
  /** It takes requests, or takes more than before. */
  onReady(session: PooledSession): void;
  /** One of its requests ended. */
  onEnd(session: PooledSession, exchange: Exchange): void;
  /** It will take no more requests; those in flight go on. `failure` when it never got ready. */
  onRetired(session: PooledSession, failure: Error | null): void;
}

/**
 * One HTTP/2 connection: `connecting → ready → draining → closed`. It never holds more streams than the server allows, so
 * nothing ever queues inside node:http2, where a GOAWAY would make it unclear what was sent.
 */
export class PooledSession {
  readonly inFlight = new Set<Exchange>();
  #state: 'connecting' | 'ready' | 'draining' | 'closed' = 'connecting';
  #session: ClientHttp2Session | null = null;
  #lastStreamId: number | null = null;
  #answered = false;
  #heardAt = performance.now();
  #usedAt = performance.now();
  #probeStartedAt: number | null = null;
  #error: Error | null = null;
  readonly #connectBy: number;

  constructor(
    private readonly options: Http2PoolOptions,
    private readonly listener: SessionListener,
  ) {
    this.#connectBy = performance.now() + options.connectTimeoutMs;
    try {
      this.#session = this.#connect();
    } catch (error) {
      this.#error = error as Error;
      queueMicrotask(() => this.#onClose());
    }
  }

  get isConnecting(): boolean {
    return this.#state === 'connecting';
  }

  get isReady(): boolean {
    return this.#state === 'ready';
  }

  /** The highest stream the server said it processed, when it sent GOAWAY. */
  get lastStreamId(): number | null {
    return this.#lastStreamId;
  }

  /** How many requests it takes now. 0 while a PING asks whether a silent connection still lives. */
  room(now: number): number {
    if (this.#state !== 'ready' || !this.#session || this.#session.closed || this.#session.destroyed) return 0;
    if (this.inFlight.size === 0 && now - this.#heardAt > this.options.probeAfterMs) this.#probe(now);
    if (this.#probeStartedAt !== null && this.inFlight.size === 0) return 0;
    return this.#limit() - this.inFlight.size;
  }

  /**
   * Sends a request; only while `room()` is above 0.
   *
   * @throws when the headers cannot be put on the wire
   */
  start(queued: QueuedCall, now: number): void {
    if (!this.#session) throw new Error('Not connected');
    this.#usedAt = now;
    const stream = this.#session.request(queued.call.headers, { endStream: false });
    this.inFlight.add(new Exchange(queued, stream, now, this.#onExchangeEnd, this.#onAnswer));
  }

  /** Called a few times a second: ends what is overdue, asks silent connections whether they live, closes idle ones. */
  tick(now: number): void {
    if (this.#state === 'connecting') {
      if (now > this.#connectBy) this.destroy(new Error('Connecting took too long'));
      return;
    }
    this.#giveUpOverdue(now);
    this.#checkPulse(now);
    if (this.inFlight.size === 0 && this.isReady && now - this.#usedAt > this.options.idleCloseMs) this.drain();
  }

  /** Takes no more requests and closes when the last one in flight has ended. */
  drain(): void {
    this.#retire(null);
    this.#closeWhenDone();
  }

  /** Ends the connection now; requests in flight end as `unanswered`, or `unsent` where that is sure. */
  destroy(error?: Error): void {
    this.#error ??= error ?? null;
    if (error) this.#session?.destroy(error);
    else this.#session?.destroy();
  }

  #connect(): ClientHttp2Session {
    const { origin, ca, allowPrivateEndpoints } = this.options;
    if (!allowPrivateEndpoints) {
      assertPublicEndpoint(origin);
    }
    const options: SecureClientSessionOptions = {
      settings: { enablePush: false },
      ...(ca ? { ca } : {}),
      ...(allowPrivateEndpoints ? {} : { lookup: publicLookup }),
    };
    const session = connect(origin, options);
    session.on('remoteSettings', () => this.#onSettings());
    session.on('goaway', (_code: number, lastStreamId: number) => {
      this.#lastStreamId = lastStreamId;
      this.#retire(null);
    });
    session.on('error', (error: Error) => (this.#error ??= error));
    session.once('close', () => this.#onClose());
    return session;
  }

  #limit(): number {
    if (this.options.firstStreamAlone && !this.#answered) return 1;
    const peer = this.#session?.remoteSettings.maxConcurrentStreams ?? Infinity;
    return Math.min(peer, this.options.maxStreamsPerSession);
  }

  /** The server's first SETTINGS make a connection ready: only now is it known how many streams it allows. */
  #onSettings(): void {
    if (this.#state === 'connecting') {
      this.#state = 'ready';
      this.#heardAt = this.#usedAt = performance.now();
    }
    if (this.isReady) this.listener.onReady(this);
  }

  readonly #onAnswer = (): void => {
    this.#answered = true;
    this.#heardAt = performance.now();
  };

  readonly #onExchangeEnd = (exchange: Exchange): void => {
    this.inFlight.delete(exchange);
    this.listener.onEnd(this, exchange);
    if (this.#state === 'draining') this.#closeWhenDone();
  };

  /** Not before the last one has ended: node:http2 would send its GOAWAY ahead of requests begun a moment ago. */
  #closeWhenDone(): void {
    if (this.inFlight.size === 0 && this.#session && !this.#session.closed) this.#session.close();
  }

  /** Requests end in no order but begin in one: the first that is still in time ends the search. */
  #giveUpOverdue(now: number): void {
    for (const exchange of this.inFlight) {
      if (now - exchange.startedAt <= this.options.deadlineMs) break;
      if (!exchange.isOverdue) exchange.giveUp();
    }
  }

  #checkPulse(now: number): void {
    if (this.#probeStartedAt !== null) {
      if (now - this.#probeStartedAt > this.options.probeTimeoutMs) this.destroy(new Error('PING was not answered'));
    } else if (this.inFlight.size > 0 && now - this.#heardAt > this.options.probeAfterMs) {
      this.#probe(now);
    }
  }

  #probe(now: number): void {
    if (this.#probeStartedAt !== null || !this.#session) return;
    this.#probeStartedAt = now;
    const sent = this.#session.ping((error) => {
      this.#probeStartedAt = null;
      if (error) return;
      this.#heardAt = performance.now();
      if (this.isReady) this.listener.onReady(this);
    });
    if (!sent) this.destroy(new Error('PING could not be sent'));
  }

  #retire(failure: Error | null): void {
    if (this.#state === 'draining' || this.#state === 'closed') return;
    this.#state = 'draining';
    this.listener.onRetired(this, failure);
  }

  #onClose(): void {
    this.#retire(this.#state === 'connecting' ? (this.#error ?? new Error('The connection was closed')) : null);
    this.#state = 'closed';
  }
}
