import { balanceBidi } from './balance-bidi';

describe('text with marks of direction', () => {
  it.each([
    ['plain text stays as it is', 'سلام hello', 'سلام hello'],
    ['an isolate that is left open is closed', 'a\u2066b\u2067c', 'a\u2066b\u2067c\u2069\u2069'],
    ['an end without a beginning is dropped', '\u2069a\u2068b\u2069\u2069c', 'a\u2068b\u2069c'],
    ['overrides stay: they end with the isolate around them', 'a\u202Eb', 'a\u202Eb'],
  ])('%s', (_, text, balanced) => {
    expect(balanceBidi(text)).toBe(balanced);
  });
});
