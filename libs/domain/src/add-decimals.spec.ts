import fc from 'fast-check';
import { addDecimals } from './add-decimals';

describe('a sum of decimals', () => {
  it('is what a person gets who adds them on paper', () => {
    const sumOf = (amounts: readonly number[]): number => amounts.reduce(addDecimals, 0);
    expect(sumOf(Array.from({ length: 10 }, () => 0.1))).toBe(1);
    expect(sumOf([33.3, 33.3, 33.3])).toBe(99.9);
    expect(sumOf([0.1, 0.2, -0.3])).toBe(0);
    expect(sumOf([1e-7, 2e-7])).toBe(3e-7);
    expect(sumOf([1e15, 0.5])).toBe(1e15 + 0.5);
    expect(sumOf([1e300, 1e-300])).toBe(1e300);
    expect(sumOf([1e308, 1e308])).toBe(Infinity);
  });

  it('is exact for any amounts in cents', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -100_000_000, max: 100_000_000 })), (cents) => {
        const sum = cents.map((amount) => amount / 100).reduce(addDecimals, 0);
        expect(sum).toBe(cents.reduce((before, amount) => before + amount, 0) / 100);
      }),
    );
  });
});
