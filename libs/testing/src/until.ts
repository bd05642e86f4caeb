import { setTimeout as pause } from 'node:timers/promises';

/** A little less than the limit of a test, so that the report says what was waited for. */
const LIMIT_MS = 280_000;
/** The first pause between two looks, and the longest. */
const SHORTEST_MS = 5;
const LONGEST_MS = 100;
/** A pause is this part of what was waited so far. */
const PART_OF_WAITED = 0.1;

/**
 * Waits until `isTrue` says so, on a loaded machine too: the limit only ends a test that hangs.
 *
 * @throws Error with the source of `isTrue`, when it is not true shortly before the test's own limit
 */
export async function untilTrue(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  const beganAt = performance.now();
  while (!(await isTrue())) {
    const waitedMs = performance.now() - beganAt;
    if (waitedMs > LIMIT_MS) throw new Error(`Not true within ${LIMIT_MS} ms: ${isTrue.toString()}`);
    await pause(pauseAfter(waitedMs));
  }
}

/** Asks again until the answer is one, and gives it; the test's own time limit is the only other end. */
export async function until<T>(ask: () => Promise<T | null | undefined | false>, everyMs?: number): Promise<T> {
  const beganAt = performance.now();
  for (;;) {
    const answer = await ask();
    if (answer !== null && answer !== undefined && answer !== false) return answer;
    await pause(everyMs ?? pauseAfter(performance.now() - beganAt));
  }
}

/**
 * Returns how long to wait before the next look. A look is often a statement over the partitions of all days, or a request: work for
 * the system that is to make it true. What is awaited for long is looked at seldom, and noticed at most a tenth late.
 */
function pauseAfter(waitedMs: number): number {
  return Math.min(LONGEST_MS, Math.max(SHORTEST_MS, PART_OF_WAITED * waitedMs));
}
