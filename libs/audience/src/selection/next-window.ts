const SMALLEST = 5_000;

/** A statement over this many installations takes a few tenths of a second at worst. */
const LARGEST = 100_000;

/**
 * Returns how many installations to read next: twice as many while few of them are recipients, half as many if the last
 * window held as many as one slice takes. So every statement is short, whether the rules choose everybody or one in a
 * million, and nothing depends on the estimate of the planner.
 * @param size how many were read last
 * @param found how many recipients these contained
 * @param sliceSize how many recipients one slice takes at most
 */
export function nextWindow(size: number, found: number, sliceSize: number): number {
  if (found >= sliceSize) return Math.max(SMALLEST, Math.ceil(size / 2));
  return found <= sliceSize / 2 ? Math.min(LARGEST, Math.max(SMALLEST, size * 2)) : size;
}
