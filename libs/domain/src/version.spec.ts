import fc from 'fast-check';
import { versionSortKey } from './version';

/** Compares versions part by part, in a simple way. */
function compareVersions(one: string, other: string): number {
  const [a, b] = [read(one), read(other)];
  for (let at = 0; at < Math.max(a.numbers.length, b.numbers.length); at++) {
    const difference = (a.numbers[at] ?? 0n) - (b.numbers[at] ?? 0n);
    if (difference !== 0n) return difference < 0n ? -1 : 1;
  }
  if (a.preRelease === null || b.preRelease === null) {
    return Number(a.preRelease === null) - Number(b.preRelease === null);
  }
  for (let at = 0; at < Math.max(a.preRelease.length, b.preRelease.length); at++) {
    const difference = compareIdentifiers(a.preRelease[at], b.preRelease[at]);
    if (difference !== 0) return difference;
  }
  return 0;
}

function compareIdentifiers(a: string | undefined, b: string | undefined): number {
  if (a === undefined || b === undefined) return Number(a !== undefined) - Number(b !== undefined);
  const [aIsNumber, bIsNumber] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (aIsNumber !== bIsNumber) return aIsNumber ? -1 : 1;
  if (aIsNumber) return BigInt(a) < BigInt(b) ? -1 : Number(BigInt(a) > BigInt(b));
  return a < b ? -1 : Number(a > b);
}

function read(version: string): { numbers: bigint[]; preRelease: string[] | null } {
  const text = version.slice(version.search(/\d/));
  const [numbers = ''] = /^[\d.]+/.exec(text) ?? [];
  const rest = text.slice(numbers.length).replace(/\+.*$/, '');
  return {
    numbers: numbers.split('.').map(BigInt),
    preRelease: rest.startsWith('-') ? rest.slice(1).split('.') : null,
  };
}

const digits = fc.oneof(
  { weight: 6, arbitrary: fc.nat(12).map(String) },
  { weight: 1, arbitrary: fc.bigInt(0n, 10n ** 200n).map(String) },
  { weight: 1, arbitrary: fc.nat(99).map((n) => `00${n}`) },
);
const identifier = fc.oneof(digits, fc.constantFrom('alpha', 'beta', 'rc', 'RC', 'rc-2', 'x', '1a', '-', '-1'));
const version = fc
  .record({
    prefix: fc.constantFrom('', 'v', 'Android ', 'iOS-'),
    numbers: fc.array(digits, { minLength: 1, maxLength: 5 }),
    preRelease: fc.option(fc.array(identifier, { minLength: 1, maxLength: 3 }), { freq: 2 }),
    build: fc.constantFrom('', '+5', '+sha.1-2'),
  })
  .map((v) => v.prefix + v.numbers.join('.') + (v.preRelease ? `-${v.preRelease.join('.')}` : '') + v.build);

describe('the sort key of a version', () => {
  it.each([
    ['9.2', '10.0'],
    ['1.2', '1.2.1'],
    ['1.2.0-rc.1', '1.2'],
    ['1.0.0-alpha', '1.0.0-alpha.1'],
    ['1.0.0-alpha.1', '1.0.0-alpha.beta'],
    ['1.0.0-alpha.beta', '1.0.0-beta'],
    ['1.0.0-beta.2', '1.0.0-beta.11'],
    ['1.0.0-rc.1', '1.0.0'],
    ['1.2', '1.2.1-rc.1'],
    ['Android 9', 'Android 10'],
    ['99999999999999999999', '100000000000000000000'],
  ])('orders %s before %s', (lower, higher) => {
    expect(versionSortKey(lower)! < versionSortKey(higher)!).toBe(true);
  });

  it.each([
    ['1.2', '1.2.0'],
    ['1.2', '01.2.0.0'],
    ['1.2+5', '1.2.0+sha.7'],
    ['Android 10', '10'],
    ['14.4 LTS', '14.4'],
    ['1.2.x', '1.2'],
    ['0', '0.0.0'],
    ['1.2-rc.01', '1.2.0-rc.1'],
  ])('holds %s and %s to be equal', (one, other) => {
    expect(versionSortKey(one)).toBe(versionSortKey(other));
  });

  it('is null for a text without a digit', () => {
    expect(versionSortKey('unknown')).toBeNull();
    expect(versionSortKey('')).toBeNull();
  });

  it('agrees with a comparison part by part, whatever the versions', () => {
    fc.assert(
      fc.property(version, version, (one, other) => {
        const [a, b] = [versionSortKey(one)!, versionSortKey(other)!];
        expect(a < b ? -1 : Number(a > b)).toBe(compareVersions(one, other));
      }),
      { numRuns: Number(process.env.PROPERTY_RUNS ?? 1_000) },
    );
  });
});
