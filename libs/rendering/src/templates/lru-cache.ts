/** Keeps the `size` values that were asked for last. */
export class LruCache<K, V extends object | string> {
  readonly #values = new Map<K, V>();

  constructor(private readonly size: number) {}

  /** The value for `key`, made when it is not kept. What `make` throws is not kept. */
  remember(key: K, make: () => V): V {
    const known = this.#values.get(key);
    const value = known ?? make();
    if (known !== undefined) this.#values.delete(key);
    this.#values.set(key, value);
    if (this.#values.size > this.size) {
      const [oldest] = this.#values.keys();
      this.#values.delete(oldest as K);
    }
    return value;
  }
}
