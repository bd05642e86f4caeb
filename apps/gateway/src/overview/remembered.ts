import type { Clock } from '@postrider/domain';

/** A value and when it was computed. */
export interface AsOf<Value> {
  value: Value;
  asOf: Date;
}

const MOST_KEPT = 2_000;

/**
 * Values that take long to compute and may be a little old. Whoever asks gets the last one at once, and a new one is
 * computed behind his back when it is older than `freshMs`; only the very first is waited for, and not longer than
 * `patienceMs`. One computation a key at a time.
 */
export class Remembered<Value> {
  readonly #values = new Map<string, AsOf<Value>>();
  readonly #underWay = new Map<string, Promise<AsOf<Value>>>();

  constructor(
    private readonly clock: Clock,
    private readonly freshMs: number,
    private readonly patienceMs: number,
  ) {}

  /** @returns null when there is none yet. @throws what `compute` throws, when there is none yet */
  async get(key: string, compute: () => Promise<Value>): Promise<AsOf<Value> | null> {
    const known = this.#values.get(key);
    if (known && this.clock.now().getTime() - known.asOf.getTime() < this.freshMs) return known;
    const computing = this.#underWay.get(key) ?? this.#begin(key, compute);
    if (known) return known;
    return Promise.race([
      computing,
      new Promise<null>((late) => setTimeout(() => late(null), this.patienceMs).unref()),
    ]);
  }

  #begin(key: string, compute: () => Promise<Value>): Promise<AsOf<Value>> {
    const asOf = this.clock.now();
    const computing = compute()
      .then((value) => this.#keep(key, { value, asOf }))
      .finally(() => this.#underWay.delete(key));
    // Whoever waits hears of a failure; when nobody does, the next one asks again.
    computing.catch(() => undefined);
    this.#underWay.set(key, computing);
    return computing;
  }

  #keep(key: string, entry: AsOf<Value>): AsOf<Value> {
    this.#values.delete(key);
    this.#values.set(key, entry);
    for (const oldest of this.#values.keys()) {
      if (this.#values.size <= MOST_KEPT) break;
      this.#values.delete(oldest);
    }
    return entry;
  }
}
