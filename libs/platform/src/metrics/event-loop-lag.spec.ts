import { createHistogram } from 'node:perf_hooks';
import { setImmediate as endOfTurn, setTimeout as pause } from 'node:timers/promises';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { measureEventLoopLag } from './event-loop-lag';
import { createMetrics } from './metrics';

/** Keeps the event loop from turning. */
const block = (ms: number): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

/** @returns the seconds of each gauge, rounded to milliseconds */
async function lagIn(registry: Registry): Promise<Record<string, number>> {
  const lines = [...(await registry.metrics()).matchAll(/^nodejs_eventloop_lag_(\w+)_seconds(?:{.*})? (.+)$/gm)];
  return Object.fromEntries(lines.map(([, kind, value]) => [kind, Math.round(Number(value) * 1_000) / 1_000]));
}

describe('the lag of the event loop', () => {
  it('is how late the looks at the loop were since the last reading, and 0 without a look', async () => {
    const registry = new Registry();
    collectDefaultMetrics({ register: registry });
    const looks = createHistogram();
    measureEventLoopLag(registry, looks);
    const none = { min: 0, max: 0, mean: 0, stddev: 0, p50: 0, p90: 0, p99: 0 };
    expect(await lagIn(registry)).toEqual(none);
    for (const ms of [100, 100, 100, 500]) looks.record(ms * 1_000_000);
    expect(await lagIn(registry)).toEqual({ min: 0, max: 0.4, mean: 0.1, stddev: 0.173, p50: 0, p90: 0.4, p99: 0.4 });
    expect(await lagIn(registry)).toEqual(none);
  });

  it('is measured in a process', async () => {
    const metrics = createMetrics('test');
    // The first look only begins the measurement, so it takes two.
    for (let looks = 0; looks < 2; looks += 1) {
      block(300);
      // The loop turns. Of its overdue timers the pause may be the first; at the end of the turn all have run.
      await pause(1);
      await endOfTurn();
    }
    // Tests have one measurement for all, which reading the library's gauge would begin anew.
    await metrics.getSingleMetric('nodejs_eventloop_lag_min_seconds')!.get();
    const { values } = await metrics.getSingleMetric('nodejs_eventloop_lag_max_seconds')!.get();
    expect(values[0]!.value).toBeGreaterThan(0.19);
  });
});
