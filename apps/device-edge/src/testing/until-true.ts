import { setTimeout as pause } from 'node:timers/promises';

/** Waits until `isTrue` says so. @throws after `limitMs` */
export async function untilTrue(isTrue: () => boolean | Promise<boolean>, limitMs = 15_000): Promise<void> {
  const endsAt = Date.now() + limitMs;
  while (!(await isTrue())) {
    if (Date.now() > endsAt) throw new Error(`Not true within ${limitMs} ms: ${isTrue.toString()}`);
    await pause(10);
  }
}
