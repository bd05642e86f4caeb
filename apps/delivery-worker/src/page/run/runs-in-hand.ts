import type { PageRun } from './page-run';

/**
 * The pages that something in this process has in hand, in their order.
 *
 * There are few of them at a time, and very many one after the other. A `Set` would keep them and their devices from young
 * collections: V8 links each table that a `Set` has filled to the one that follows. As soon as one of them is in the old generation,
 * all that follow, and all that they held, stay until the next full collection.
 */
export class RunsInHand implements Iterable<PageRun> {
  #runs: PageRun[] = [];

  get size(): number {
    return this.#runs.length;
  }

  /** Adds a page that is not among them. */
  add(run: PageRun): void {
    this.#runs.push(run);
  }

  /** Removes a page, if it is among them. */
  delete(run: PageRun): void {
    const place = this.#runs.indexOf(run);
    if (place >= 0) this.#runs.splice(place, 1);
  }

  /** Iterates over those that are in hand now, whatever is added or removed meanwhile. */
  [Symbol.iterator](): IterableIterator<PageRun> {
    return [...this.#runs].values();
  }
}
