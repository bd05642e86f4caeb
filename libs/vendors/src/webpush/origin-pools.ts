import { Http2Pool } from '../http2/http2-pool';
import type { SenderCapacity, SenderOptions } from '../sender';

const SESSIONS_PER_ORIGIN = 4;
const MAX_ORIGINS = 64;
const MAX_IN_FLIGHT = 1_000;
/** The share of all requests in flight that a host may hold which answers. */
const SHARE_OF_ONE = 3 / 4;
/** The share of a host which does not, and the share of all of these together. */
const SHARE_OF_SILENT_ONE = 1 / 16;
const SHARE_OF_SILENT = 1 / 4;
const LEAST_SHARE = 4;
/** A host that leaves requests without an answer for this long is silent. */
const SILENT_AFTER_MS = 2_000;

/** One push service and its requests in flight. */
export class PushHost {
  outstanding = 0;
  hasAnswered = false;
  /** When it last answered, or was sent a request while it had none in flight. From `performance.now()`. */
  heardAt = 0;
  /** True if it was silent until its requests ended: it is, until it answers. Otherwise its next requests would show it again. */
  #wasSilent = false;

  constructor(readonly pool: Http2Pool) {}

  isSilent(now: number): boolean {
    return this.#wasSilent || (this.outstanding > 0 && now - this.heardAt > SILENT_AFTER_MS);
  }

  /** Notes that a request ended. */
  ended(isAnswered: boolean, now: number): void {
    this.#wasSilent = !isAnswered && this.isSilent(now);
    this.outstanding--;
    if (!isAnswered) return;
    this.hasAnswered = true;
    this.heardAt = now;
  }
}

/**
 * A connection pool for each push service that subscriptions name. Endpoints come from devices, so the number of pools is
 * bounded (the one unused for longest is closed first), and so is what one of them may hold: a host that does not answer
 * holds a small share of all requests in flight, and what would be more is refused at once; one that answers holds the
 * larger part, and what would be more is waited with.
 */
export class OriginPools implements SenderCapacity {
  /** In the order of their last use. */
  readonly #hosts = new Map<string, PushHost>();
  readonly #retired = new Set<Promise<void>>();
  readonly #waiting: (() => void)[] = [];
  readonly #max: number;
  #outstanding = 0;
  #closed = false;
  #recheck: NodeJS.Timeout | null = null;

  constructor(private readonly options: SenderOptions) {
    this.#max = options.maxInFlight ?? MAX_IN_FLIGHT;
  }

  /**
   * Returns how many requests fit beside all others, and into the share of any host that answers: the host of the next
   * request is not known.
   */
  free(): number {
    if (this.#closed) return 0;
    const now = performance.now();
    let free = this.#max - this.#outstanding;
    for (const host of this.#hosts.values()) {
      if (!host.isSilent(now)) free = Math.min(free, this.#shareOf(host, now) - host.outstanding);
    }
    return Math.max(0, free);
  }

  whenFree(callback: () => void): void {
    if (this.free() > 0) {
      callback();
      return;
    }
    this.#waiting.push(callback);
    // A host may fall silent, which frees the others, and nothing else would tell.
    this.#recheck ??= setTimeout(() => this.#callBack(), SILENT_AFTER_MS / 4).unref();
  }

  /** The host of an endpoint, with one request more in flight; null when it holds all that it may. */
  begin(endpoint: URL): PushHost | null {
    const now = performance.now();
    const host = this.#hosts.get(endpoint.origin) ?? this.#open(endpoint);
    this.#hosts.delete(endpoint.origin);
    this.#hosts.set(endpoint.origin, host);
    if (host.outstanding >= this.#shareOf(host, now) || this.#isOneTooManySilent(host, now)) return null;
    if (host.outstanding === 0) host.heardAt = now;
    host.outstanding++;
    this.#outstanding++;
    return host;
  }

  /** Counts one request less in flight. @param isAnswered true if the host answered it */
  end(host: PushHost, isAnswered: boolean): void {
    host.ended(isAnswered, performance.now());
    this.#outstanding--;
    this.#callBack();
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#recheck !== null) clearTimeout(this.#recheck);
    await Promise.all([...[...this.#hosts.values()].map(({ pool }) => pool.close()), ...this.#retired]);
  }

  #shareOf(host: PushHost, now: number): number {
    const share = host.hasAnswered && !host.isSilent(now) ? SHARE_OF_ONE : SHARE_OF_SILENT_ONE;
    return Math.max(LEAST_SHARE, Math.floor(this.#max * share));
  }

  #isOneTooManySilent(host: PushHost, now: number): boolean {
    if (!host.isSilent(now)) return false;
    let held = 0;
    for (const other of this.#hosts.values()) if (other.isSilent(now)) held += other.outstanding;
    return held >= Math.max(LEAST_SHARE, this.#max * SHARE_OF_SILENT);
  }

  #callBack(): void {
    if (this.#recheck !== null) clearTimeout(this.#recheck);
    this.#recheck = null;
    while (this.#waiting.length > 0 && this.free() > 0) this.#waiting.shift()?.();
    if (this.#waiting.length > 0) this.#recheck ??= setTimeout(() => this.#callBack(), SILENT_AFTER_MS / 4).unref();
  }

  #open(endpoint: URL): PushHost {
    const oldest = this.#hosts.size >= MAX_ORIGINS ? this.#hosts.entries().next().value : undefined;
    if (oldest) {
      this.#hosts.delete(oldest[0]);
      const closing = oldest[1].pool.close().finally(() => this.#retired.delete(closing));
      this.#retired.add(closing);
    }
    const { maxSessions, deadlineMs, http2Client, proxy } = this.options;
    const pool = new Http2Pool({
      origin: new URL(endpoint.origin),
      // The endpoint is a stranger's, not the operator's: what may be private among theirs has a switch of its own.
      allowPrivateEndpoints: this.options.allowPrivatePushServices ?? false,
      isFromStrangers: true,
      allowHttp1: true,
      ...(proxy ? { proxy } : {}),
      maxSessions: maxSessions ?? SESSIONS_PER_ORIGIN,
      ...(deadlineMs ? { deadlineMs } : {}),
      ...(http2Client ? { client: http2Client } : {}),
    });
    if (this.#closed) void pool.close();
    return new PushHost(pool);
  }
}
