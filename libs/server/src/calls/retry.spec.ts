import fc from 'fast-check';
import { DEFAULT_RETRY, waitMs } from './retry';

const RETRY = { maxRetries: 4, leastMs: 500, mostMs: 60_000 };

describe('the wait before a repetition', () => {
  it('doubles, within the longest, and differs from caller to caller', () => {
    const longest = [1, 2, 3, 4, 9, 99].map((failures) => waitMs({ retryAfterMs: null }, failures, RETRY, () => 1));
    expect(longest).toEqual([500, 1_000, 2_000, 4_000, 60_000, 60_000]);
    expect(waitMs({ retryAfterMs: null }, 3, RETRY, () => 0)).toBe(1_000);
  });

  it('is never shorter than the service asks, and is refused if that is longer than the longest', () => {
    fc.assert(
      fc.property(
        fc.nat(100_000),
        fc.integer({ min: 1, max: 50 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (ms, failures, random) => {
          const wait = waitMs({ retryAfterMs: ms }, failures, DEFAULT_RETRY, () => random);
          if (ms > DEFAULT_RETRY.mostMs) expect(wait).toBeNull();
          else expect(wait).toBeGreaterThanOrEqual(ms);
        },
      ),
    );
  });
});
