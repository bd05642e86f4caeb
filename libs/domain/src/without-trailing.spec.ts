import fc from 'fast-check';
import { withoutTrailing } from './without-trailing';

describe('a text without a character at its end', () => {
  it('is what the expression with + and $ leaves', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('/', 'a', '\n') }), (text) => {
        expect(withoutTrailing(text, '/')).toBe(text.replace(/\/+$/, ''));
      }),
    );
  });

  it('is the text itself where it ends otherwise, also after a million of them', () => {
    const text = `${'0'.repeat(1_000_000)}1`;
    expect(withoutTrailing(text, '0')).toBe(text);
  });
});
