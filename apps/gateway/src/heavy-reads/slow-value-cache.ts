import { type Clock, MINUTE_MS } from '@postrider/domain';
import { LRUCache } from 'lru-cache';

/** Values that were computed faster than this are not cached. */
const QUICK_MS = 100;
/**
 * A slow value is served for this many times as long as it took, so that computing takes at most a tenth of the time.
 */
const SERVES_TIMES = 10;
const SERVES_AT_MOST_MS = 15_000;
/** An older value is never served, however long a new one takes. */
const OUTDATED_MS = MINUTE_MS;
const MOST_KEPT = 1_000;

interface Kept<Value> {
  value: Value;
  /** The state that it was computed from. */
  mark: string;
  asOf: number;
  tookMs: number;
}

/**
 * Caches values that are usually fast to compute, but slow in some cases. Fast ones are computed for every caller. A
 * slow one is served for a while. After that, a caller waits at most `patienceMs` for a new one, and then gets the last
 * one. A key has one computation at a time.
 */
export class SlowValueCache<Value> {
  readonly #kept = new LRUCache<string, Kept<Value>>({ max: MOST_KEPT });
  readonly #underWay = new Map<string, { mark: string; computing: Promise<Kept<Value>> }>();

  constructor(
    private readonly clock: Clock,
    private readonly patienceMs: number,
  ) {}

  /**
   * @param mark what the value depends on: a value that was computed under another mark is never returned
   * @throws the errors of `compute`
   */
  async get(key: string, mark: string, compute: () => Promise<Value>): Promise<Value> {
    const kept = this.#kept.get(key);
    const last = kept?.mark === mark && kept.tookMs > QUICK_MS ? kept : null;
    const age = last === null ? Infinity : this.clock.now().getTime() - last.asOf;
    if (last && age < Math.min(last.tookMs * SERVES_TIMES, SERVES_AT_MOST_MS)) return last.value;
    const computing = this.#begin(key, mark, compute);
    if (last === null || age > OUTDATED_MS) return (await computing).value;
    return this.#await(computing, last.value);
  }

  async #await(computing: Promise<Kept<Value>>, last: Value): Promise<Value> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<Value>((resolve) => {
      timer = setTimeout(() => resolve(last), this.patienceMs);
    });
    try {
      return await Promise.race([computing.then(({ value }) => value), late]);
    } finally {
      clearTimeout(timer);
    }
  }

  #begin(key: string, mark: string, compute: () => Promise<Value>): Promise<Kept<Value>> {
    const underWay = this.#underWay.get(key);
    // A computation that began before the call may have missed what the caller knows. Only slow values are shared.
    if (underWay?.mark === mark && this.#kept.get(key)?.mark === mark) return underWay.computing;
    const asOf = this.clock.now().getTime();
    const startedAt = performance.now();
    const computing = compute()
      .then((value) => this.#keep(key, { value, mark, asOf, tookMs: performance.now() - startedAt }))
      .finally(() => {
        if (this.#underWay.get(key)?.computing === computing) this.#underWay.delete(key);
      });
    // Waiting callers get the error. If there are none, the next call computes again.
    computing.catch(() => undefined);
    this.#underWay.set(key, { mark, computing });
    return computing;
  }

  #keep(key: string, entry: Kept<Value>): Kept<Value> {
    if (entry.tookMs > QUICK_MS) this.#kept.set(key, entry);
    else this.#kept.delete(key);
    return entry;
  }
}
