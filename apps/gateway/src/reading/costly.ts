import type { Clock } from '@postrider/domain';

/** What was quickly computed is computed anew for whoever asks. */
const QUICK_MS = 100;
/** What took longer serves for this many times as long, so that it never takes more than a tenth of the time. */
const SERVES_TIMES = 10;
const SERVES_AT_MOST_MS = 15_000;
/** A value so old is shown to nobody, however long a new one takes. */
const OUTDATED_MS = 60_000;
const MOST_KEPT = 1_000;

interface Kept<Value> {
  value: Value;
  /** What it was computed from. */
  mark: string;
  asOf: number;
  tookMs: number;
}

/**
 * Values whose computing costs little in most cases and much in some. Cheap ones are computed for everybody who asks. One that
 * cost much may serve for a while; after that, whoever asks waits for a new one for `patienceMs` at most, and gets the last one
 * then. One computation a key at a time.
 */
export class Costly<Value> {
  readonly #kept = new Map<string, Kept<Value>>();
  readonly #underWay = new Map<string, { mark: string; computing: Promise<Kept<Value>> }>();

  constructor(
    private readonly clock: Clock,
    private readonly patienceMs: number,
  ) {}

  /**
   * @param mark what the value depends on: one that was computed under another mark is never given
   * @throws what `compute` throws
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
    // A computation that began before somebody asked may have missed what he knows; only a costly value is shared.
    if (underWay?.mark === mark && this.#kept.get(key)?.mark === mark) return underWay.computing;
    const asOf = this.clock.now().getTime();
    const startedAt = performance.now();
    const computing = compute()
      .then((value) => this.#keep(key, { value, mark, asOf, tookMs: performance.now() - startedAt }))
      .finally(() => {
        if (this.#underWay.get(key)?.computing === computing) this.#underWay.delete(key);
      });
    // Whoever waits hears of a failure; when nobody does, the next one asks again.
    computing.catch(() => undefined);
    this.#underWay.set(key, { mark, computing });
    return computing;
  }

  #keep(key: string, entry: Kept<Value>): Kept<Value> {
    this.#kept.delete(key);
    if (entry.tookMs > QUICK_MS) this.#kept.set(key, entry);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= MOST_KEPT) break;
      this.#kept.delete(oldest);
    }
    return entry;
  }
}
