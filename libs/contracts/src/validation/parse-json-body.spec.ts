import fc from 'fast-check';
import { parseJsonBody } from './parse-json-body';

function refusal(text: string): string[] {
  try {
    parseJsonBody(Buffer.from(text));
    return [];
  } catch (error) {
    return (error as { options: { details: { path: string }[] } }).options.details.map(({ path }) => path);
  }
}

describe('the body of a request', () => {
  it('is what JSON.parse gives, for any JSON within the rules', () => {
    const key = fc
      .string()
      .filter((text) => !['__proto__', 'constructor', 'prototype'].includes(text) && !text.includes('\0'));
    const text = fc.string({ unit: 'grapheme' }).filter((value) => !value.includes('\0'));
    const json = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        text,
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        tie('list'),
        tie('object'),
      ),
      list: fc.array(tie('value'), { maxLength: 4 }),
      object: fc.dictionary(key, tie('value'), { maxKeys: 4 }),
    })).value;
    fc.assert(
      fc.property(json, (value) => {
        expect(parseJsonBody(Buffer.from(JSON.stringify(value)))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it.each(['__proto__', 'constructor', 'prototype'])(
    'must not hold %s as a key, at any depth and in any spelling',
    (key) => {
      const escaped = Array.from(key, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
      expect(refusal(`{"${key}":1}`)).toEqual([key]);
      expect(refusal(`[{"a":[{"${key}":{}}]}]`)).toEqual([`[0].a[0].${key}`]);
      expect(refusal(`{"data":{"${escaped}":1}}`)).toEqual([`data.${key}`]);
      expect(refusal(`{"data":{"a":"${key}"}}`)).toEqual([]);
    },
  );

  it('must not contain NUL or half a surrogate pair, in a value or a key', () => {
    expect(refusal('{"a":"x\\u0000"}')).toEqual(['a']);
    expect(refusal('{"a":["\\uD800"]}')).toEqual(['a[0]']);
    expect(refusal('{"a":{"\\udc00":1}}')).toHaveLength(1);
    expect(refusal('{"a":"\\ud83d\\ude00"}')).toEqual([]);
  });

  it('is at most 32 levels deep', () => {
    const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
    expect(refusal(nested(32))).toEqual([]);
    expect(refusal(nested(33))).toEqual(['[0]'.repeat(32)]);
    expect(refusal(nested(200_000))).toHaveLength(1);
  });

  it('names each of several bad places', () => {
    expect(refusal('{"a":{"constructor":1},"b":["x",{"prototype":1}],"c":1e400}')).toEqual([
      'a.constructor',
      'b[1].prototype',
      'c',
    ]);
  });

  it.each(['{', '{"a":}', "{'a':1}", '{"a":1}x', 'undefined', '\u0000', '{"a":"\t"}'])('must be JSON: %j', (text) => {
    expect(refusal(text)).toEqual(['']);
  });

  it('is not repeated when it is broken', () => {
    expect(() => parseJsonBody(Buffer.from('{"content":"secret",}'))).toThrow('The body is not valid JSON');
    try {
      parseJsonBody(Buffer.from('{"content":"secret",}'));
    } catch (error) {
      expect(JSON.stringify(error)).not.toContain('secret');
    }
  });
});
