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
 * Values that take long to compute and may be a little old. Callers get the last value at once. If it is older than
 * `freshMs`, a new one is computed in the background. Only the very first one is waited for, at most `patienceMs`. A
 * key has one computation at a time.
 */
export class Remembered<Value> {
  readonly #values: LRUCache<string, AsOf<Value>, () => Promise<Value>>;

  constructor(
    clock: Clock,
    freshMs: number,
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
    const computing = this.#values.fetch(key, { context: compute });
    return (await Promise.race([computing, pause(this.patienceMs, null, { ref: false })])) ?? null;
  }
}
