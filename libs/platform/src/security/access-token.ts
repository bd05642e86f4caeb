import { hash, randomBytes } from 'node:crypto';

const RANDOM_BYTES = 32;

/** A new access token, to be shown once: `pr_` and 256 random bits in hexadecimal. Store `hashAccessToken` of it only. */
export function generateAccessToken(): string {
  return `pr_${randomBytes(RANDOM_BYTES).toString('hex')}`;
}

/**
 * Returns the SHA-256 of an access token, which is stored and by which the token is looked up. A token is 256 random
 * bits, so a plain hash cannot be reversed.
 */
export function hashAccessToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}
