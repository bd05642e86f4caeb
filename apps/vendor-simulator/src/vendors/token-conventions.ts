/** The behaviour that a token asks for by its beginning, without any fault rule: for a first look, and for demos. */
type Convention = 'dead' | 'bad' | 'flaky' | 'slow';

const PREFIXES: readonly [string, Convention][] = [
  ['dead-', 'dead'],
  ['bad-', 'bad'],
  ['flaky-', 'flaky'],
  ['slow-', 'slow'],
  // APNs tokens are hexadecimal. Eight digits: of 4,000,000,000 real tokens one begins like this by chance.
  ['deaddead', 'dead'],
  ['badbadba', 'bad'],
];

/** The convention that a token follows, if any. */
export function conventionOf(token: string): Convention | undefined {
  for (const [prefix, convention] of PREFIXES) if (token.startsWith(prefix)) return convention;
  return undefined;
}

/** True if a token follows a convention: such a one need not look like the vendor's own. */
export function isConventional(token: string): boolean {
  return conventionOf(token) !== undefined;
}
