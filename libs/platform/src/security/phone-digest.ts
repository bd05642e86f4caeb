import { createHash, createHmac } from 'node:crypto';
import type { Secret } from '../config/secret';

const BLOCK_BYTES = 64;

/**
 * Replaces phone numbers that must be recognised but not be readable in a database by HMAC-SHA-256 (RFC 2104) digests
 * under keys of its own. A digest cannot be recomputed under another key, because its number is not known: so no key is
 * ever forgotten, and `SECRET_KEY` is not one of them. It only seals them.
 */
export class PhoneDigest {
  readonly #keys: readonly [Buffer, ...Buffer[]];

  /** @param keys the one in use first, then former ones */
  constructor(keys: readonly [Buffer, ...Buffer[]]) {
    this.#keys = keys;
  }

  /** The key that versions before made digests under, from `SECRET_KEY` itself. */
  static formerKeyOf(secretKey: Secret): Buffer {
    return createHash('sha256').update('postrider/phone-digest/1').update(secretKey.reveal()).digest();
  }

  /** Returns all digests of a number: under the key in use, then under former ones. */
  all(phone: string): string[] {
    return this.#keys.map((key) => createHmac('sha256', key).update(phone, 'utf8').digest('hex'));
  }

  /**
   * The key in use as HMAC joins it with the message: `sha256(outer || sha256(inner || number))` is what `all` gives first. For
   * statements that find the number themselves.
   */
  pads(): { inner: Buffer; outer: Buffer } {
    const block = Buffer.concat([this.#keys[0]], BLOCK_BYTES);
    return { inner: block.map((byte) => byte ^ 0x36) as Buffer, outer: block.map((byte) => byte ^ 0x5c) as Buffer };
  }
}
