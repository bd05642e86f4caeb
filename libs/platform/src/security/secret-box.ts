import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import type { JsonValue } from '@postrider/domain';
import type { Secret } from '../config/secret';

const VERSION = 1;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts what must not be readable in a database dump (vendor credentials, identity keys): AES-256-GCM under a key
 * derived from `SECRET_KEY`. `context` (`vendor:<appId>:<vendor>`) is authenticated too, so a sealed value copied to
 * another row does not open there.
 */
export class SecretBox {
  readonly #key: Buffer;

  constructor(secretKey: Secret) {
    this.#key = createHash('sha256').update('postrider/secret-box/1').update(secretKey.reveal()).digest();
  }

  /** @returns version (1 byte), nonce (12), tag (16) and ciphertext */
  seal(value: JsonValue, context: string): Buffer {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#key, iv).setAAD(Buffer.from(context));
    const text = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()]);
    return Buffer.concat([Buffer.of(VERSION), iv, cipher.getAuthTag(), text]);
  }

  /** @throws when the value was sealed under another key or context, or was changed since */
  open<T extends JsonValue>(sealed: Buffer, context: string): T {
    if (sealed[0] !== VERSION) throw new Error('Unknown version of a sealed value');
    const iv = sealed.subarray(1, 1 + IV_BYTES);
    const tag = sealed.subarray(1 + IV_BYTES, 1 + IV_BYTES + TAG_BYTES);
    const decipher = createDecipheriv('aes-256-gcm', this.#key, iv).setAAD(Buffer.from(context)).setAuthTag(tag);
    const text = Buffer.concat([decipher.update(sealed.subarray(1 + IV_BYTES + TAG_BYTES)), decipher.final()]);
    return JSON.parse(text.toString('utf8')) as T;
  }
}
