import fc from 'fast-check';
import { timestampOf } from './time';

describe('a moment to the microsecond', () => {
  it('is written with all of its digits', () => {
    expect(timestampOf(1_796_301_296_000_007)).toBe('2026-12-03T12:34:56.000007Z');
    expect(timestampOf(-1)).toBe('1969-12-31T23:59:59.999999Z');
  });

  it('is the millisecond that JavaScript knows, and three digits more', () => {
    fc.assert(
      fc.property(fc.date({ noInvalidDate: true }), fc.integer({ min: 0, max: 999 }), (date, rest) => {
        const micros = date.getTime() * 1_000 + rest;
        fc.pre(Number.isSafeInteger(micros));
        const written = date.toISOString();
        expect(timestampOf(micros)).toBe(`${written.slice(0, -1)}${String(rest).padStart(3, '0')}Z`);
      }),
    );
  });
});
