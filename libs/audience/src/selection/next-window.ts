const SMALLEST = 5_000;

/** A statement over this many installations takes a few tenths of a second at worst. */
const LARGEST = 100_000;

/**
 * How many installations to look at next: twice as many while few of them are recipients, half as many when the last stretch
 * held more than was taken. So every statement is short, whether the rules choose everybody or one in a million, and nothing
 * hangs on the planner's guess of how many they choose.
 *
 * @param size how many were looked at last
 * @param found how many recipients that gave
 * @param sliceSize how many recipients one step takes at most
 */
export function nextWindow(size: number, found: number, sliceSize: number): number {
  if (found >= sliceSize) return Math.max(SMALLEST, Math.ceil(size / 2));
  return found <= sliceSize / 2 ? Math.min(LARGEST, Math.max(SMALLEST, size * 2)) : size;
}
