import { normaliseName, normaliseText } from './normalise-text';

describe('text from outside', () => {
  it('is brought to NFC', () => {
    expect(normaliseText('Cafe\u0301')).toBe('Caf\u00e9');
  });

  it.each(['a\0b', '\ud800', 'x\udc00y'])('%j is refused', (text) => {
    expect(normaliseText(text)).toBeNull();
    expect(normaliseName(text)).toBeNull();
  });

  it('of every single UTF-16 unit is as the two rules say, the plain ones too', () => {
    for (let unit = 0; unit < 0x1_0000; unit++) {
      const text = String.fromCharCode(unit);
      const isUnstorable = unit === 0 || (unit >= 0xd800 && unit <= 0xdfff);
      const expected = isUnstorable ? null : text.normalize('NFC');
      // One `expect` for each character would take seconds.
      if (normaliseText(text) !== expected) throw new Error(`U+${unit.toString(16)}`);
    }
  });

  it('that piles marks on a letter stays as it is, because sorting them could block the process for minutes', () => {
    const text = `e${'\u0301\u0323'.repeat(2_000)}`;
    expect(normaliseText(text)).toBe(text);
    expect(normaliseText(`Cafe\u0301 ${text}`)).toBe(`Cafe\u0301 ${text}`);
    expect(normaliseName(text)).toBeNull();
  });

  it('with many marks on a letter is brought to NFC', () => {
    const marks = '\u0301\u0323'.repeat(40);
    expect(normaliseText(`e${marks}`)).toBe(`e${marks}`.normalize('NFC'));
  });

  it('as a name has 1 to 255 characters, counted after NFC and as code points', () => {
    expect(normaliseName('')).toBeNull();
    expect(normaliseName('e\u0301'.repeat(255))).toBe('\u00e9'.repeat(255));
    expect(normaliseName('\u{1f600}'.repeat(255))).toBe('\u{1f600}'.repeat(255));
    expect(normaliseName('\u{1f600}'.repeat(256))).toBeNull();
  });
});
