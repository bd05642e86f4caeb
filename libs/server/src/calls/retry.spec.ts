import fc from 'fast-check';
import { type FailureCode, PostriderError } from '../postrider-error';
import { DEFAULT_RETRY, mayRepeat, type Repeat, waitMs } from './retry';

const RETRY = { maxRetries: 4, leastMs: 500, mostMs: 60_000 };

describe('a call that failed', () => {
  const repeats = (code: FailureCode, facts: ConstructorParameters<typeof PostriderError>[2]): Repeat[] =>
    (['always', 'key', 'refused'] as const).filter((repeat) => mayRepeat(new PostriderError(code, '', facts), repeat));

  it('is repeated whatever it does if it was refused for the moment', () => {
    expect(repeats('RATE_LIMITED', { status: 429, isRefused: true })).toEqual(['always', 'key', 'refused']);
    expect(repeats('UNREACHABLE', { isRefused: true })).toEqual(['always', 'key', 'refused']);
  });

  it('is repeated only if that is safe, where nobody knows whether it was carried out', () => {
    expect(repeats('TIMEOUT', {})).toEqual(['always', 'key']);
    expect(repeats('INTERNAL', { status: 500 })).toEqual(['always', 'key']);
  });

  it('is not repeated if it would fail again', () => {
    expect(repeats('INVALID_REQUEST', { status: 400, isRefused: true })).toEqual([]);
  });

  it('is repeated under its key while the first request with the key still runs', () => {
    expect(repeats('CONFLICT', { status: 409, isRefused: true })).toEqual(['key']);
  });
});

describe('the wait before a repetition', () => {
  it('doubles, within the longest, and differs from caller to caller', () => {
    const longest = [1, 2, 3, 4, 9, 99].map((failures) => waitMs({ retryAfterMs: null }, failures, RETRY, () => 1));
    expect(longest).toEqual([500, 1_000, 2_000, 4_000, 60_000, 60_000]);
    expect(waitMs({ retryAfterMs: null }, 3, RETRY, () => 0)).toBe(1_000);
    expect([0, 1].map((random) => waitMs({ retryAfterMs: 60_000 }, 1, RETRY, () => random))).toEqual([60_125, 60_250]);
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
