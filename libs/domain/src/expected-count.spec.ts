import fc from 'fast-check';
import { isAsExpected } from './expected-count';

describe('an expected number of devices', () => {
  it.each([
    [100, 0.29, 129, true],
    [100, 0.29, 130, false],
    [100, 0.29, 71, true],
    [100, 0.29, 70, false],
    [0, 1, 0, true],
    [0, 1, 1, false],
    [7, 0, 7, true],
    [7, 0, 8, false],
    [49, 0.02, 49, true],
    [49, 0.02, 50, false],
    [50, 0.02, 51, true],
  ])('of %d with the tolerance %d: %d devices are as expected: %s', (count, tolerance, now, isSo) => {
    expect(isAsExpected(now, { count, tolerance })).toBe(isSo);
  });

  it('allows exactly the devices that the tolerance is a share of, in decimal arithmetic', () => {
    const SCALE = 10_000;
    fc.assert(
      fc.property(
        fc.nat(20_000_000),
        fc.integer({ min: 0, max: SCALE }),
        fc.integer({ min: -3, max: 3 }),
        fc.boolean(),
        (count, share, beyond, isMore) => {
          const allowed = Number((BigInt(share) * BigInt(count)) / BigInt(SCALE));
          const difference = Math.max(0, allowed + beyond);
          const now = isMore ? count + difference : count - difference;
          expect(isAsExpected(now, { count, tolerance: share / SCALE })).toBe(difference <= allowed);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
