import fc from 'fast-check';
import { isInShare } from './token-share';

describe('a share of all tokens', () => {
  it('is about as large as it says, for tokens that differ in a digit as for random ones', () => {
    const tokens = Array.from({ length: 20_000 }, (_, index) => `device-token-of-the-usual-length-${index}`);
    for (const share of [0.01, 0.3, 0.9]) {
      const hit = tokens.filter((token) => isInShare(token, share)).length / tokens.length;
      expect(Math.abs(hit - share)).toBeLessThan(0.015);
    }
  });

  it('is a part of every larger share, and nobody is in a share of nothing', () => {
    fc.assert(
      fc.property(fc.string(), fc.double({ min: 0, max: 1, noNaN: true }), (token, share) => {
        expect(isInShare(token, 1)).toBe(true);
        expect(isInShare(token, 0)).toBe(false);
        if (isInShare(token, share)) expect(isInShare(token, Math.min(1, share * 1.5))).toBe(true);
      }),
    );
  });
});
