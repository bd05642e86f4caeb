import fc from 'fast-check';
import { readBoolean, readInteger, readLink, readName } from './values';

describe('the values of a request', () => {
  it('spell booleans in four ways each', () => {
    for (const value of [true, 'true', 1, '1']) expect(readBoolean(value)).toEqual({ value: true });
    for (const value of [false, 'false', 0, '0']) expect(readBoolean(value)).toEqual({ value: false });
    for (const value of ['yes', 'True', '', ' true', 2, null, [], {}, NaN])
      expect(readBoolean(value)).toHaveProperty('problem');
  });

  it('spell whole numbers as numbers or plain decimals', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1_000, max: 1_000 }), (number) => {
        for (const value of [number, String(number), `${number}.0`]) {
          expect(readInteger(value, -1_000, 1_000)).toEqual({ value: number });
        }
      }),
    );
    for (const value of ['1e3', '0x1', '1.', '.5', '+1', '1_000', '', ' 1', 1.5, '1.5', null, true, [1]]) {
      expect(readInteger(value, 0, 1_000)).toHaveProperty('problem');
    }
  });

  it('take names of 1 to 255 characters, in NFC', () => {
    expect(readName('e\u0301')).toEqual({ value: '\u00e9' });
    expect(readName('\u{1F600}'.repeat(255))).toHaveProperty('value');
    for (const value of ['', 'x'.repeat(256), '\u{1F600}'.repeat(256), 'a\0', '\ud800', 1, null]) {
      expect(readName(value)).toHaveProperty('problem');
    }
  });

  it.each([
    'https://shop.example/?q=javascript:1',
    'shop://order/17',
    'intent://scan/#Intent;scheme=zxing;end',
    'tel:+4930123',
    'mailto:a@b.example',
    '/orders/17',
    'datax:1',
    '',
  ])('pass the link %s on as it is', (link) => {
    expect(readLink(link)).toEqual({ value: link });
  });

  it('refuse schemes that run or read something on the device, however they are written', () => {
    const scheme = fc.constantFrom('javascript', 'data', 'vbscript', 'file');
    const noise = fc.array(fc.constantFrom('\t', '\n', '\r'), { maxLength: 2 }).map((parts) => parts.join(''));
    const before = fc
      .array(fc.constantFrom(' ', '\t', '\n', '\u0001', '\u001f'), { maxLength: 3 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(scheme, noise, before, fc.boolean(), fc.nat(3), (name, inside, blanks, isUpper, at) => {
        const written = isUpper ? name.toUpperCase() : name;
        const link = `${blanks}${written.slice(0, at)}${inside}${written.slice(at)}${inside}:x`;
        expect(readLink(link)).toHaveProperty('problem');
      }),
    );
  });
});
