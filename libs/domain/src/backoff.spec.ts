import fc from 'fast-check';
import { backoffMs, withJitter } from './backoff';

describe('a wait after failures', () => {
  it('doubles with each failure, up to its limit', () => {
    const waits = [1, 2, 3, 4, 5].map((failures) => backoffMs({ firstMs: 100, maxMs: 1_000 }, failures));
    expect(waits).toEqual([100, 200, 400, 800, 1_000]);
  });

  it('never leaves its range and never shrinks, however often it failed', () => {
    const range = fc.record({ firstMs: fc.integer({ min: 0, max: 60_000 }), moreMs: fc.nat(86_400_000) });
    fc.assert(
      fc.property(range, fc.integer({ min: 1, max: 1_000_000 }), ({ firstMs, moreMs }, failures) => {
        const backoff = { firstMs, maxMs: firstMs + moreMs };
        const waitMs = backoffMs(backoff, failures);
        expect(waitMs).toBeGreaterThanOrEqual(firstMs);
        expect(waitMs).toBeLessThanOrEqual(backoff.maxMs);
        expect(backoffMs(backoff, failures + 1)).toBeGreaterThanOrEqual(waitMs);
      }),
    );
  });

  it('is longer by chance, by a share of it at most', () => {
    expect([0, 0.5, 1].map((chance) => withJitter(1_000, 0.25, () => chance))).toEqual([1_000, 1_125, 1_250]);
  });
});
