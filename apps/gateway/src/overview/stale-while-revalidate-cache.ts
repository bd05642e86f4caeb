import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '@postrider/domain';
import { LRUCache } from 'lru-cache';

/** A value and the time of its computation. */
export interface AsOf<Value> {
  value: Value;
  asOf: Date;
}

const MOST_KEPT = 2_000;

/**
 * A value that is this many times older than allowed is returned only to callers whose patience has ended: nobody asked
 * for a long time.
 */
const TOO_OLD = 2;

/**
 * Caches values that take long to compute and may be slightly old (stale-while-revalidate, RFC 5861). Callers get the
 * last one at once, and a new one is computed in the background when it is older than `freshMs`. Callers wait for the
 * very first one, and for a new one if the last is much older, but not longer than `patienceMs`. There is one
 * computation of a key at a time.
 */
export class StaleWhileRevalidateCache<Value> {
  readonly #values: LRUCache<string, AsOf<Value>, () => Promise<Value>>;

  constructor(
    private readonly clock: Clock,
    private readonly freshMs: number,
    private readonly patienceMs: number,
  ) {
    this.#values = new LRUCache({
      max: MOST_KEPT,
      ttl: freshMs - 1,
      ttlResolution: 0,
      perf: { now: () => clock.steadyMs() },
      allowStale: true,
      noDeleteOnFetchRejection: true,
      ignoreFetchAbort: true,
      fetchMethod: async (_key, _last, { context: compute, options }) => {
        const [asOf, begunAt] = [clock.now(), clock.steadyMs()];
        const value = await compute();
        // Its age counts from the beginning of its computation.
        options.ttl = Math.max(1, freshMs - 1 - (clock.steadyMs() - begunAt));
        return { value, asOf };
      },
    });
  }

  /** @returns null if there is none yet. @throws the errors of `compute`, if there is none yet */
  async get(key: string, compute: () => Promise<Value>): Promise<AsOf<Value> | null> {
    const known = this.#values.peek(key, { allowStale: true }) ?? null;
    const isOld = known !== null && this.clock.now().getTime() - known.asOf.getTime() > TOO_OLD * this.freshMs;
    const fetched = this.#values.fetch(key, { context: compute, allowStale: !isOld });
    const computing = isOld ? fetched.catch(() => known) : fetched;
    return (await Promise.race([computing, pause(this.patienceMs, null, { ref: false })])) ?? known;
  }
}
