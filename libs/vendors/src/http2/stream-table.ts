/** As many streams as a server of a vendor allows on one connection have a place of their own. */
const PLACES = 1_024;
const MASK = PLACES - 1;

/**
 * Finds what belongs to an open stream by the number of the stream. Numbers are given in ascending order, so a stream has a place by
 * its number; a stream that is still open when another one needs its place moves to a `Map`.
 *
 * A `Map` alone would keep nearly everything from young collections: V8 links each table that a `Map` has filled with entries that
 * come and go to the table that follows. As soon as one of them is in the old generation, all that follow, and all that they held,
 * stay until the next full collection.
 */
export class StreamTable<T> {
  readonly #ids = new Float64Array(PLACES);
  readonly #values = new Array<T | undefined>(PLACES).fill(undefined);
  readonly #displaced = new Map<number, T>();
  #inPlace = 0;

  /** How many streams are open. */
  get size(): number {
    return this.#inPlace + this.#displaced.size;
  }

  /** Adds a stream. @param id its number, above 0, not in use */
  set(id: number, value: T): void {
    const place = (id >>> 1) & MASK;
    const former = this.#ids[place] as number;
    if (former === 0) this.#inPlace += 1;
    else this.#displaced.set(former, this.#values[place] as T);
    this.#ids[place] = id;
    this.#values[place] = value;
  }

  /** Returns what was set for a stream; undefined if it is not open. */
  get(id: number): T | undefined {
    const place = (id >>> 1) & MASK;
    if (this.#ids[place] === id) return this.#values[place];
    return this.#displaced.size === 0 ? undefined : this.#displaced.get(id);
  }

  /** Removes a stream. @returns true if it was open */
  delete(id: number): boolean {
    const place = (id >>> 1) & MASK;
    if (id === 0 || this.#ids[place] !== id) return this.#displaced.delete(id);
    this.#ids[place] = 0;
    this.#values[place] = undefined;
    this.#inPlace -= 1;
    return true;
  }

  /** Returns what was set for each open stream, in the order of their numbers. */
  values(): T[] {
    const open = [...this.#displaced];
    this.#ids.forEach((id, place) => {
      if (id !== 0) open.push([id, this.#values[place] as T]);
    });
    return open.sort(([one], [other]) => one - other).map(([, value]) => value);
  }
}
