import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { changedIntegers } from './changed-integers';

describe('integers that JSON would change', () => {
  it.each([
    ['{"data":{"id":9007199254740993}}', ['data.id']],
    ['{"data":{"id":9007199254740992}}', []],
    ['{"data":{"id":-9007199254740993}}', ['data.id']],
    ['{"data":{"id":"9007199254740993"}}', []],
    ['{"data":[1, {"ids" : [0, 12345678901234567890]}]}', ['data[1].ids[1]']],
    ['[{"data":{}},{"data":12345678901234567}]', ['[1].data']],
    ['{"data":{"a\\"{[,":{"b":9007199254740993}},"c":9007199254740993}', ['data.a"{[,.b', 'c']],
    ['{"data":{"n":1234567890123456789e3}}', ['data.n']],
    ['{"data":{"n":90071992547409930e-1}}', ['data.n']],
    ['{"data":{"n":9007199254740993.0}}', ['data.n']],
    ['{"data":{"n":3.14159265358979323846, "m":1000000000000000000000, "k":35.68919712345678901}}', []],
    ['9007199254740993', []],
  ])('in %s stand at %j', (text, paths) => {
    expect(changedIntegers(text)).toEqual(paths);
  });

  it('are found in a number of a million digits without blocking the process', () => {
    const text = `{"a":1.${'0'.repeat(1_000_000)}1,"b":1${'0'.repeat(300)}1}`;
    // The limit only ends what would take hours.
    expect(runInNewContext('find()', { find: () => changedIntegers(text) }, { timeout: 60_000 })).toEqual(['b']);
  });

  it('are exactly those whose value another one takes', () => {
    const integer = fc.bigInt({ min: -(10n ** 22n), max: 10n ** 22n });
    fc.assert(
      fc.property(fc.array(integer, { maxLength: 6 }), (integers) => {
        const text = `{"data":{"list":[${integers.join(',')}]}}`;
        const expected = integers.flatMap((one, index) => (sameDecimal(one) ? [] : [`data.list[${index}]`]));
        expect(changedIntegers(text)).toEqual(expected);
      }),
    );
  });
});

/** True if the shortest text of the double is the integer. */
function sameDecimal(integer: bigint): boolean {
  const [mantissa = '', power = '0'] = String(Number(integer)).split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return BigInt(whole + fraction) * 10n ** BigInt(Number(power) - fraction.length) === integer;
}
