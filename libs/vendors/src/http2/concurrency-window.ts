/**
 * How many requests may be outstanding: grows by one for each success until the first sign of overload, then
 * additively; shrinks to 0.7 of itself at a sign of overload, once per generation of requests (requests that began
 * before the last cut do not count).
 */
export class ConcurrencyWindow {
  #size: number;
  #threshold: number;
  #cutAt = -Infinity;

  constructor(
    initial: number,
    private readonly max: number,
  ) {
    this.#size = Math.min(initial, max);
    this.#threshold = max;
  }

  get size(): number {
    return Math.floor(this.#size);
  }

  /** @param outstanding how many requests were out: an unused window proves nothing and does not grow */
  onSuccess(outstanding: number): void {
    if (outstanding * 2 < this.#size) return;
    this.#size = Math.min(this.max, this.#size + (this.#size < this.#threshold ? 1 : 1 / this.#size));
  }

  /** @param startedAt when the request that failed was begun, on the same scale as `now` */
  onOverload(startedAt: number, now: number): void {
    if (startedAt < this.#cutAt) return;
    this.#cutAt = now;
    this.#size = Math.max(1, this.#size * 0.7);
    this.#threshold = this.#size;
  }
}
