/**
 * A small memory of answers that may be a few seconds old: each entry lives `ttlMs`, and the oldest make room when there
 * are more than `capacity`.
 */
export class ExpiringMap<Value> {
  readonly #entries = new Map<string, { value: Value; until: number }>();

  constructor(
    private readonly capacity: number,
    private readonly ttlMs: number,
  ) {}

  /** The value, or undefined when there is none or its time is over. */
  get(key: string, nowMs: number): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    if (entry.until > nowMs) return entry.value;
    this.#entries.delete(key);
    return undefined;
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }

  set(key: string, value: Value, nowMs: number): void {
    this.#entries.delete(key);
    this.#entries.set(key, { value, until: nowMs + this.ttlMs });
    if (this.#entries.size <= this.capacity) return;
    for (const oldest of this.#entries.keys()) {
      this.#entries.delete(oldest);
      return;
    }
  }
}
