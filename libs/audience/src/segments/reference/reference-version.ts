type Part = bigint | string;

/** A version as numbers and the parts of its pre-release; null without a digit. */
function read(text: string): { numbers: bigint[]; preRelease: Part[] | null } | null {
  const [found] = /\d[^]*/.exec(text) ?? [];
  if (found === undefined) return null;
  const [numbers = ''] = /^\d+(\.\d+)*/.exec(found) ?? [];
  const [, preRelease] = /^-([0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)/.exec(found.slice(numbers.length)) ?? [];
  const parts = preRelease?.split('.').map((part) => (/^\d+$/.test(part) ? BigInt(part) : part));
  return { numbers: numbers.split('.').map(BigInt), preRelease: parts ?? null };
}

function comparePreReleases(a: Part[], b: Part[]): number {
  for (const [at, part] of a.entries()) {
    const other = b[at];
    if (other === undefined) return 1;
    if (part === other) continue;
    if (typeof part !== typeof other) return typeof part === 'bigint' ? -1 : 1;
    return part < other ? -1 : 1;
  }
  return a.length - b.length;
}

function compareNumbers(a: bigint[], b: bigint[]): number {
  for (let at = 0; at < Math.max(a.length, b.length); at++) {
    const difference = (a[at] ?? 0n) - (b[at] ?? 0n);
    if (difference !== 0n) return difference < 0n ? -1 : 1;
  }
  return 0;
}

/** Below zero when `one` comes before `other`, zero when they are equal, null when either is no version. */
export function compareVersions(one: string | null, other: string): number | null {
  const [a, b] = [one === null ? null : read(one), read(other)];
  if (!a || !b) return null;
  const release = compareNumbers(a.numbers, b.numbers);
  if (release !== 0) return release;
  if (!a.preRelease || !b.preRelease) return Number(!a.preRelease) - Number(!b.preRelease);
  return comparePreReleases(a.preRelease, b.preRelease);
}
