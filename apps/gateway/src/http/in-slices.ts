import { setImmediate as nextTurn } from 'node:timers/promises';

/** How long the work of one request occupies the event loop at a time: another request needs a few turns of it. */
const SLICE_MS = 5;

/**
 * Calls `work` for each item in order, and lets other requests have their turn every few milliseconds: a request with
 * ten thousand messages must not delay all others.
 * @returns the results of `work`, in the same order
 */
export async function inSlices<Item, Result>(
  items: readonly Item[],
  work: (item: Item, index: number) => Result,
): Promise<Result[]> {
  // Most requests have one message.
  if (items.length === 1) return [work(items[0] as Item, 0)];
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
