import fc from 'fast-check';
import { Histogram, Registry } from 'prom-client';
import { CallTimes } from './call-times';

const NAMES = { name: 'call_seconds', help: 'Time of a call' };
const BUCKETS = [0.005, 0.1, 1, 20];

/** The lines of a registry, in no particular order. */
async function linesOf(registry: Registry): Promise<string[]> {
  return (await registry.metrics()).split('\n').sort();
}

describe('times of calls', () => {
  it('are published as a histogram of prom-client’s would be', async () => {
    const seconds = fc.oneof(fc.double({ min: 0, max: 30, noNaN: true }), fc.constantFrom(...BUCKETS));
    const call = fc.tuple(fc.constantFrom('fcm', 'apns'), seconds);
    await fc.assert(
      fc.asyncProperty(fc.array(call), async (calls) => {
        const [ours, theirs] = [new Registry(), new Registry()];
        const times = new CallTimes({ ...NAMES, labelNames: ['vendor'], buckets: BUCKETS, registry: ours });
        const histogram = new Histogram({ ...NAMES, labelNames: ['vendor'], buckets: BUCKETS, registers: [theirs] });
        for (const [vendor, value] of calls) {
          times.observe(vendor, value);
          histogram.observe({ vendor }, value);
        }
        expect(await linesOf(ours)).toEqual(await linesOf(theirs));
      }),
    );
  });
});
