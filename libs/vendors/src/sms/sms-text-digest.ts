import { createHash } from 'node:crypto';

/** The SHA-256 of the text of an SMS. A record of it recognises the text among others without holding it. */
export function smsTextDigest(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest();
}
