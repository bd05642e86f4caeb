/**
 * Remembers what was asked for lately: between `capacity` and twice as many entries, the least lately used gone first. A look
 * costs no more than one into a `Map`: entries age by the whole generation.
 */
export class RecentMap<Value> {
  #young = new Map<string, Value>();
  #old = new Map<string, Value>();

  constructor(private readonly capacity: number) {}

  get(key: string): Value | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.set(key, old);
    return old;
  }

  set(key: string, value: Value): void {
    if (this.#young.size >= this.capacity && !this.#young.has(key)) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, value);
  }
}
