import { setImmediate as turn } from 'node:timers/promises';
import { createMetrics } from './metrics';

/** Keeps the event loop from turning. */
const block = (ms: number): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

describe('the lag of the event loop', () => {
  it('is how late the loop was since the last reading, and 0 where it was not looked at', async () => {
    const metrics = createMetrics('test');
    const read = async (kind: string): Promise<number> => {
      const { values } = await metrics.getSingleMetric(`nodejs_eventloop_lag_${kind}_seconds`)!.get();
      return values[0]!.value;
    };
    expect(await read('min')).toBe(0);
    // The first look only begins the measurement, so it takes two. They should be 100 ms apart, and are 300 ms or more.
    for (let looks = 0; looks < 2; looks += 1) {
      block(300);
      await turn();
    }
    expect(await read('min')).toBeGreaterThan(0.19);
    expect(await read('p99')).toBeGreaterThan(0.19);
    expect(await read('min')).toBe(0);
  });
});
