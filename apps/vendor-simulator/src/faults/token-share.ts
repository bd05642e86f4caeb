/**
 * Returns the place of a token among all tokens, from 0 up to but not including 1.
 * It follows from its hash alone (FNV-1a, then mixed): the same place every time, in every process.
 */
export function shareOf(token: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < token.length; index += 1) hash = Math.imul(hash ^ token.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}

/** True if a token belongs to a share of all tokens. A smaller share is a part of a larger one. */
export function isInShare(token: string, share: number): boolean {
  return shareOf(token) < share;
}
