import { setImmediate as nextTurn } from 'node:timers/promises';

/** A request that waits meanwhile takes a few turns of the event loop. */
const SLICE_MS = 5;

/**
 * Does `work` for each item in order, and lets other requests have their turn every few milliseconds: a request of ten
 * thousand messages must not hold everybody else up.
 *
 * @returns what `work` gave, in the same order
 */
export async function inSlices<Item, Result>(
  items: readonly Item[],
  work: (item: Item, index: number) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  let endsAt = performance.now() + SLICE_MS;
  for (const [index, item] of items.entries()) {
    if (performance.now() >= endsAt) {
      await nextTurn();
      endsAt = performance.now() + SLICE_MS;
    }
    results.push(work(item, index));
  }
  return results;
}
