import { smsParts } from './sms-parts';

describe('the parts of an SMS', () => {
  it.each([
    ['nothing', '', 1],
    ['160 letters', 'a'.repeat(160), 1],
    ['161 letters', 'a'.repeat(161), 2],
    ['two full parts', 'a'.repeat(306), 2],
    ['one letter more', 'a'.repeat(307), 3],
    ['letters of the GSM alphabet', 'é'.repeat(100) + 'Ω'.repeat(60), 1],
    ['signs that count twice', '€'.repeat(80), 1],
    ['one of them more', '€'.repeat(81), 2],
    ['a sign that counts twice at the end of a part', `${'a'.repeat(152)}€${'a'.repeat(152)}`, 3],
    ['70 letters of another alphabet', 'س'.repeat(70), 1],
    ['71 of them', 'س'.repeat(71), 2],
    ['a single one among Latin letters', `${'a'.repeat(70)}س`, 2],
    ['35 emoji', '🍵'.repeat(35), 1],
    ['an emoji at the end of a part', `${'س'.repeat(66)}🍵${'س'.repeat(66)}`, 3],
  ])('of %s', (_, text, parts) => {
    expect(smsParts(text)).toBe(parts);
  });
});
