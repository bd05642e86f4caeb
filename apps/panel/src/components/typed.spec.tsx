import { screen } from '@testing-library/react';
import { show } from '../testing/show';
import { balanceBidi, JsonView, spellInvisible, Typed } from './typed';

describe('what somebody typed', () => {
  it('stands in its own direction, closed against what stands beside it', () => {
    show(
      <p>
        <Typed text={'سلام \u2067'} /> opened
      </p>,
    );
    const text = screen.getByText(/سلام/);
    expect([text.tagName, text.dir]).toEqual(['BDI', 'auto']);
    expect(text.textContent).toBe('سلام \u2067\u2069');
  });

  it('is text, whatever markup it holds, and says which letters would turn it round', () => {
    show(<Typed text={'<b>a\u202Egnp.exe</b>'} />);
    expect(screen.getByText('<b>a[U+202E]gnp.exe</b>')).toBeTruthy();
  });

  it('is cut where it is as long as a book, and says how long it is', () => {
    show(<Typed text={'x'.repeat(5_000)} />);
    expect(screen.getByText(/^x{4000}… \(5000 characters in all\)$/)).toBeTruthy();
  });

  it('shows letters without a width where it is data', () => {
    show(<JsonView value={{ name: 'a\u200Bb' }} label="the data" />);
    expect(screen.getByLabelText('the data').textContent).toContain('"a\\u200bb"');
  });
});

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
