import type { CrowdProcess } from './crowd-process';

/** Returns how many messages a second a crowd gets, from the first publish to the last of `count` that arrive. */
export async function crowdRate(
  crowd: CrowdProcess,
  count: number,
  publish: () => Promise<void> | void,
): Promise<number> {
  const all = crowd.received + count;
  const begun = performance.now();
  void publish();
  await crowd.until(all);
  return count / ((performance.now() - begun) / 1_000);
}
