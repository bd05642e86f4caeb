import fc from 'fast-check';
import { addDecimals } from './add-decimals';

describe('a sum of decimal numbers', () => {
  it.each([
    [0.1, 0.2, 0.3],
    [19.99, 39.98, 59.97],
    [1.005, -1, 0.005],
    [-0.3, 0.1, -0.2],
    [1e-7, 2e-7, 3e-7],
    [1e21, 1, 1e21],
    [1e308, 1e-300, 1e308],
    [2, 3, 5],
    [5.5, -5.5, 0],
    [1e308, 1e308, Infinity],
    [Infinity, 1.5, Infinity],
  ])('%d and %d make %d', (a, b, sum) => {
    expect(addDecimals(a, b)).toBe(sum);
  });

  it('of any number of cents is exact', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -1_000_000, max: 1_000_000 }), { maxLength: 200 }), (cents) => {
        const sum = cents.reduce((now, cent) => addDecimals(now, cent / 100), 0);
        expect(sum).toBe(cents.reduce((now, cent) => now + cent, 0) / 100);
      }),
    );
  });
});
