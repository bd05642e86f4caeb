import { hash, randomBytes } from 'node:crypto';

const RANDOM_BYTES = 32;

/** A new access token, to be shown once: `pr_` and 256 random bits in hexadecimal. Store `hashAccessToken` of it only. */
export function generateAccessToken(): string {
  return `pr_${randomBytes(RANDOM_BYTES).toString('hex')}`;
}

/**
 * What is stored of an access token and what it is looked up by: its SHA-256. A token is 256 random bits, so a plain hash
 * cannot be searched backwards.
 */
export function hashAccessToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}
