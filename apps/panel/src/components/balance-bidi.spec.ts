import { balanceBidi, spellInvisible } from './balance-bidi';

describe('text with marks of direction', () => {
  it.each([
    ['plain text stays as it is', 'سلام hello', 'سلام hello'],
    ['an isolate that is left open is closed', 'a\u2066b\u2067c', 'a\u2066b\u2067c\u2069\u2069'],
    ['an end without a beginning is dropped', '\u2069a\u2068b\u2069\u2069c', 'a\u2068b\u2069c'],
    ['an override is written out, so that nothing is read backwards', 'a\u202Egnp.exe', 'a[U+202E]gnp.exe'],
    ['what Persian and emoji are joined with stays', 'می\u200Cشود 👩\u200D👧', 'می\u200Cشود 👩\u200D👧'],
  ])('%s', (_, text, balanced) => {
    expect(balanceBidi(text)).toBe(balanced);
  });
});

describe('data with letters that cannot be seen', () => {
  it('shows them as escapes, and stays the same data', () => {
    const value = { text: 'safe \u202Egnp.exe\u2066\u200F\uFEFF', name: 'می\u200Cشود' };
    const shown = spellInvisible(JSON.stringify(value));
    expect(shown).toContain('safe \\u202egnp.exe\\u2066\\u200f\\ufeff');
    expect(shown).toContain('می\u200Cشود');
    expect(JSON.parse(shown)).toEqual(value);
  });
});
