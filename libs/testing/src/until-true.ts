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
