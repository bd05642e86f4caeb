import { Http2Pool } from '../http2/http2-pool';
import type { SenderCapacity } from '../sender';
import type { SenderOptions } from '../sender-options';

const SESSIONS_PER_ORIGIN = 4;
const MAX_ORIGINS = 64;
const MAX_IN_FLIGHT = 1_000;

/**
 * A connection pool for each push service that subscriptions name. Endpoints come from devices, so the number of pools is
 * bounded: the one unused for longest is closed first.
 */
export class OriginPools implements SenderCapacity {
  /** In the order of last use. */
  readonly #pools = new Map<string, Http2Pool>();
  readonly #retired = new Set<Promise<void>>();
  readonly #waiting: (() => void)[] = [];
  readonly #max: number;
  #outstanding = 0;
  #closed = false;

  constructor(private readonly options: SenderOptions) {
    this.#max = options.maxInFlight ?? MAX_IN_FLIGHT;
  }

  free(): number {
    return this.#closed ? 0 : Math.max(0, this.#max - this.#outstanding);
  }

  whenFree(callback: () => void): void {
    if (this.free() > 0) {
      callback();
      return;
    }
    this.#waiting.push(callback);
  }

  /** The pool for an endpoint; counts one request as begun. */
  begin(endpoint: URL): Http2Pool {
    this.#outstanding++;
    const known = this.#pools.get(endpoint.origin);
    const pool = known ?? this.#open(endpoint);
    this.#pools.delete(endpoint.origin);
    this.#pools.set(endpoint.origin, pool);
    return pool;
  }

  /** Counts one request as ended. */
  end(): void {
    this.#outstanding--;
    while (this.#waiting.length > 0 && this.free() > 0) this.#waiting.shift()?.();
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...[...this.#pools.values()].map((pool) => pool.close()), ...this.#retired]);
  }

  #open(endpoint: URL): Http2Pool {
    const oldest = this.#pools.size >= MAX_ORIGINS ? this.#pools.entries().next().value : undefined;
    if (oldest) {
      this.#pools.delete(oldest[0]);
      const closing = oldest[1].close().finally(() => this.#retired.delete(closing));
      this.#retired.add(closing);
    }
    const { allowPrivateEndpoints, maxSessions, deadlineMs } = this.options;
    const pool = new Http2Pool({
      origin: new URL(endpoint.origin),
      allowPrivateEndpoints,
      maxSessions: maxSessions ?? SESSIONS_PER_ORIGIN,
      ...(deadlineMs ? { deadlineMs } : {}),
    });
    if (this.#closed) void pool.close();
    return pool;
  }
}
