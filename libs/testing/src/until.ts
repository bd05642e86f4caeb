import { setTimeout as pause } from 'node:timers/promises';

/** A little less than the limit of a test, so that the report says what was waited for. */
const LIMIT_MS = 280_000;

/**
 * Waits until `isTrue` says so, on a loaded machine too: the limit only ends a test that hangs.
 *
 * @throws Error with the source of `isTrue`, when it is not true shortly before the test's own limit
 */
export async function untilTrue(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  const endsAt = performance.now() + LIMIT_MS;
  while (!(await isTrue())) {
    if (performance.now() > endsAt) throw new Error(`Not true within ${LIMIT_MS} ms: ${isTrue.toString()}`);
    await pause(5);
  }
}

/** Asks again until the answer is one, and gives it; the test's own time limit is the only other end. */
export async function until<T>(ask: () => Promise<T | null | undefined | false>, everyMs = 50): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (answer !== null && answer !== undefined && answer !== false) return answer;
    await pause(everyMs);
  }
}
