import type { SenderCapacity } from '../sender';
import { ConcurrencyWindow } from './concurrency-window';
import type { Exchange } from './exchange';
import { Fifo } from './fifo';
import { type Http2Call, type Http2Result, type QueuedCall, type Http2PoolOptions, POOL_DEFAULTS } from './http2-call';
import { PooledSession, type SessionListener } from './pooled-session';
import { ReconnectBackoff } from './reconnect-backoff';
import { NotHttp2Error } from './wire/frame';

const TICK_MS = 250;
const INITIAL_WINDOW = 100;
/** How often a call is handed to another connection after one refused it. */
const MAX_REFUSALS = 3;
/** One failed connect may be a server's restart: calls wait for the next try. After two in a row, calls are refused. */
const FAILURES_TO_REFUSE = 2;
const TAKES_NOTHING = new Error('The server takes no requests');
const WAITED_TOO_LONG: Http2Result = {
  kind: 'unsent',
  code: 'WAITED_TOO_LONG',
  reason: 'No connection took the request in time',
  retryAfterMs: null,
};

/**
 * Several connections to one origin, of HTTP/2 unless the server lacks it and that is allowed. Guarantees: every call
 * ends exactly once; a call that a server surely did not process goes out again at once, on another connection, three
 * times at most, not counting connections that the server ended in order; the pool never repeats a call that may have
 * been processed (the page repeats it once: `decide-next-step.ts`); the deadline runs from the moment a call is handed
 * over, and half of it may be spent waiting: requests beyond the room of the connections wait in one queue here, in
 * order, and are made when they are written. If a server cannot be reached, the result is `unsent`, at once while the
 * pool waits to try again.
 */
export class Http2Pool implements SenderCapacity, SessionListener {
  readonly #options: Http2PoolOptions;
  readonly #queue = new Fifo<QueuedCall>();
  readonly #window: ConcurrencyWindow;
  readonly #backoff: ReconnectBackoff;
  #sessions: PooledSession[] = [];
  /** Sessions that take no more requests and whose sockets are not closed yet. */
  readonly #leaving = new Set<PooledSession>();
  /** True if the server does not speak HTTP/2 in clear. */
  #isHttp1 = false;
  #inFlight = 0;
  #waiting: (() => void)[] = [];
  #timer: NodeJS.Timeout | null = null;
  #closed: { promise: Promise<void>; resolve: () => void } | null = null;

  constructor(options: Partial<Http2PoolOptions> & Pick<Http2PoolOptions, 'origin'>) {
    this.#options = { ...POOL_DEFAULTS, ...options };
    this.#window = new ConcurrencyWindow(INITIAL_WINDOW, this.#options.maxInFlight);
    this.#backoff = new ReconnectBackoff(this.#options.backoffMs, this.#options.maxBackoffMs);
  }

  free(): number {
    return this.#closed ? 0 : Math.max(0, this.#window.size - this.#outstanding());
  }

  whenFree(callback: () => void): void {
    if (this.free() > 0) {
      callback();
      return;
    }
    this.#waiting.push(callback);
  }

  /** Sends a call. Its `done` may be called before this returns when no connection can be had. */
  send(call: Http2Call): void {
    if (this.#closed) {
      call.done({ kind: 'unsent', code: 'CLOSED', reason: 'Shutting down', retryAfterMs: null });
      return;
    }
    const waitMs = this.#backoff.waitMs(performance.now());
    if (waitMs > 0 && this.#sessions.length === 0 && this.#backoff.failures >= FAILURES_TO_REFUSE) {
      call.done({ ...this.#backoff.unreachable(), retryAfterMs: Math.ceil(waitMs) });
      return;
    }
    this.#queue.push({ call, since: performance.now(), refusals: 0 });
    this.#keepTime();
    this.#dispatch();
  }

  /** Refuses new calls, lets those in flight end, and closes every connection: afterwards no socket is left. */
  close(): Promise<void> {
    if (!this.#closed) {
      let resolve = (): void => undefined;
      const promise = new Promise<void>((done) => (resolve = done));
      this.#closed = { promise, resolve };
      this.#failQueue({ kind: 'unsent', code: 'CLOSED', reason: 'Shutting down', retryAfterMs: null });
      for (const session of [...this.#sessions]) session.drain();
      this.#settle();
    }
    return this.#closed.promise;
  }

  onReady(): void {
    this.#dispatch();
  }

  onEnd(session: PooledSession, exchange: Exchange): void {
    this.#inFlight--;
    const result = exchange.result();
    const { queued } = exchange;
    const isRefused = this.#isRefused(result);
    if (result.kind === 'answer') this.#backoff.succeeded();
    // Servers that are replaced end all their connections at a time: each takes requests on the next connection.
    if (isRefused && !(result.kind === 'unsent' && session.endedInOrder)) queued.refusals += 1;
    if (isRefused && this.#mayGoAgain(queued)) {
      this.#queue.unshift(queued);
      // A server that refuses streams on a living connection would refuse the next one there too.
      if (this.#sessions.includes(session)) session.drain();
    } else {
      if (queued.refusals >= MAX_REFUSALS) this.#backoff.failed(exchange.startedAt, performance.now(), TAKES_NOTHING);
      this.#learn(exchange, result);
      queued.call.done(result);
    }
    this.#dispatch();
    this.#settle();
  }

  onRetired(session: PooledSession, failure: Error | null): void {
    this.#sessions = this.#sessions.filter((other) => other !== session);
    this.#leaving.add(session);
    if (failure && !this.#findsHttp1(failure)) {
      this.#backoff.failed(session.startedAt, performance.now(), failure);
      if (this.#sessions.length === 0 && this.#backoff.failures >= FAILURES_TO_REFUSE) {
        this.#failQueue(this.#backoff.unreachable());
      }
    }
    this.#dispatch();
  }

  onGone(session: PooledSession): void {
    this.#leaving.delete(session);
    this.#settle();
  }

  /**
   * In clear there is no agreement on a version: a server that does not know HTTP/2 answers its first bytes with
   * something else, and is asked again in HTTP/1.1. If that fails too, HTTP/2 is tried again.
   */
  #findsHttp1(failure: Error): boolean {
    const { origin, allowHttp1 } = this.#options;
    const mayFind = allowHttp1 && origin.protocol === 'http:' && !this.#isHttp1;
    this.#isHttp1 = mayFind && failure instanceof NotHttp2Error;
    return this.#isHttp1;
  }

  #isRefused(result: Http2Result): boolean {
    if (result.kind === 'unsent') return true;
    return result.kind === 'answer' && this.#options.isRefusal(result.status, result.body);
  }

  /** A request that was refused late has not enough time for another answer. */
  #mayGoAgain({ refusals, since }: QueuedCall): boolean {
    return refusals < MAX_REFUSALS && !this.#closed && since > this.#latestStart(performance.now());
  }

  /** A call that was handed over before is not written any more: there would be too little time left for its answer. */
  #latestStart(now: number): number {
    return now - this.#options.deadlineMs / 2;
  }

  #outstanding(): number {
    return this.#inFlight + this.#queue.length;
  }

  #dispatch(): void {
    const now = performance.now();
    this.#giveUpWaiting(now);
    for (const session of this.#sessions) {
      if (this.#queue.length === 0) break;
      let room = session.room(now);
      while (room > 0 && this.#queue.length > 0) room = this.#start(session, now) ? room - 1 : session.room(now);
    }
    if (this.#queue.length > 0) this.#openAnother(now);
    this.#announceCapacity();
  }

  /** @returns true if the next call is on the wire; if not, the session's room may have changed */
  #start(session: PooledSession, now: number): boolean {
    const queued = this.#queue.shift() as QueuedCall;
    const start = startOn(session, queued, now);
    if (start === 'started') {
      this.#inFlight++;
      return true;
    }
    if (start === 'elsewhere') {
      this.#queue.unshift(queued);
      session.drain();
    } else {
      queued.call.done(start);
    }
    return false;
  }

  /** One connection is opened at a time: the need for a further one is known when this one has its share. */
  #openAnother(now: number): void {
    if (this.#closed || this.#sessions.length >= this.#options.maxSessions) return;
    if (this.#sessions.some((session) => session.isConnecting) || this.#backoff.waitMs(now) > 0) return;
    this.#sessions.push(new PooledSession(this.#options, this, this.#isHttp1));
  }

  #keepTime(): void {
    if (this.#timer) return;
    const { deadlineMs, probeAfterMs } = this.#options;
    const tickMs = Math.max(5, Math.min(TICK_MS, deadlineMs / 10, probeAfterMs / 4));
    const look = (): void => {
      // Node runs timers before sockets: what came until now is read first, however long the process stands still.
      const now = performance.now();
      setImmediate(() => this.#tick(now));
    };
    this.#timer = setInterval(look, tickMs).unref();
  }

  #tick(now: number): void {
    for (const session of [...this.#sessions, ...this.#leaving]) session.tick(now);
    if (this.#queue.length > 0) this.#dispatch();
    if (this.#sessions.length === 0 && this.#leaving.size === 0 && this.#queue.length === 0) this.#stopTimer();
  }

  #giveUpWaiting(now: number): void {
    const before = this.#latestStart(now);
    let given = this.#queue.first;
    if (given === undefined || given.since > before) return;
    for (; given !== undefined && given.since <= before; given = this.#queue.first) {
      this.#queue.shift();
      this.#window.onOverload(given.since, now);
      given.call.done(this.#backoff.failures > 0 ? this.#backoff.unreachable() : WAITED_TOO_LONG);
    }
    this.#announceCapacity();
  }

  #learn(exchange: Exchange, result: Http2Result): void {
    const overloaded =
      result.kind === 'answer'
        ? this.#options.isOverload(result.status)
        : exchange.isOverdue || result.kind === 'unsent';
    if (overloaded) this.#window.onOverload(exchange.startedAt, performance.now());
    else if (result.kind === 'answer') this.#window.onSuccess(this.#outstanding() + 1);
  }

  #announceCapacity(): void {
    while (this.#waiting.length > 0 && this.free() > 0) this.#waiting.shift()?.();
  }

  #failQueue(result: Http2Result): void {
    for (const { call } of this.#queue.takeAll()) call.done(result);
  }

  #settle(): void {
    if (!this.#closed || this.#inFlight > 0 || this.#sessions.length + this.#leaving.size > 0) return;
    this.#stopTimer();
    this.#closed.resolve();
  }

  #stopTimer(): void {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
  }
}

function startOn(session: PooledSession, queued: QueuedCall, now: number): 'started' | 'elsewhere' | Http2Result {
  try {
    const start = session.start(queued, now);
    return start === 'withdrawn' ? { kind: 'withdrawn' } : start;
  } catch (error) {
    return { kind: 'unsent', code: 'NOT_SENDABLE', reason: (error as Error).message, retryAfterMs: null };
  }
}
