/** Sorts below END, so that a pre-release comes before its release. */
const PRE_RELEASE = '!';
/** Sorts below PART, so that 1.2 comes before 1.2.1. */
const END = '+';
const PART = 'p';
/** Numeric identifiers of a pre-release sort below the others (semver 2.0, 11.4.3). */
const NUMERIC = 'n';
const TEXT = 's';
/** Sorts below every character of an identifier, so that `rc` comes before `rc-2`. */
const TEXT_END = ' ';

/** How many lengths one character encodes. Every MORE before it adds as many. */
const LENGTHS = 64;
const MORE = '~';
const FIRST_LENGTH = '0'.charCodeAt(0);

/**
 * A text whose order by code point is the order of versions: numeric parts compare as numbers of any length, `1.2`
 * equals `1.2.0`, a pre-release comes before its release and sorts as in semver 2.0, and build metadata does not count.
 * A version starts at its first digit (`Android 10` is 10) and ends where its form ends (`14.4 LTS` is 14.4).
 *
 * @returns null if the text has no digit
 */
export function versionSortKey(text: string): string | null {
  const match = /(\d+(?:\.\d+)*)(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?/.exec(text);
  if (!match) return null;
  const [, numbers = '', preRelease] = match;
  const parts = numbers.split('.').map(withoutLeadingZeros);
  while (parts.at(-1) === '') parts.pop();
  const release = parts.map((digits) => PART + sized(digits)).join('');
  if (preRelease === undefined) return release + END;
  return release + PRE_RELEASE + preRelease.split('.').map(identifierKey).join('');
}

function identifierKey(identifier: string): string {
  if (/^\d+$/.test(identifier)) return NUMERIC + sized(withoutLeadingZeros(identifier));
  return TEXT + identifier + TEXT_END;
}

function withoutLeadingZeros(digits: string): string {
  return digits.replace(/^0+/, '');
}

/** The digits behind their number, so that a longer number sorts behind a shorter one. */
function sized(digits: string): string {
  const length = String.fromCharCode(FIRST_LENGTH + (digits.length % LENGTHS));
  return MORE.repeat(Math.floor(digits.length / LENGTHS)) + length + digits;
}
