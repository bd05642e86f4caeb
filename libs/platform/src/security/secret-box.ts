import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import type { JsonValue } from '@postrider/domain';
import type { Secret } from '../config/secret';

const VERSION = 1;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const CIPHER = 'aes-256-gcm';

/** A sealed value that does not open. */
export class UnopenedSeal extends Error {
  constructor(readonly context: string) {
    super(
      `${context} cannot be decrypted: it was encrypted with another key than SECRET_KEY and SECRET_KEY_PREVIOUS, or was changed`,
    );
    this.name = 'UnopenedSeal';
  }
}

/** @returns what `open` returns; null if it does not open (`UnopenedSeal`) */
export function unlessUnopened<Value>(open: () => Value): Value | null {
  try {
    return open();
  } catch (error) {
    if (error instanceof UnopenedSeal) return null;
    throw error;
  }
}

/**
 * Encrypts what must not be readable in a database dump (vendor credentials, identity keys): AES-256-GCM under a key
 * derived from `SECRET_KEY`. `context` (`vendor:<appId>:<vendor>`) is authenticated too, so a sealed value copied to
 * another row does not open there. While the key is changed, what was sealed under `SECRET_KEY_PREVIOUS` opens too.
 */
export class SecretBox {
  readonly #key: Buffer;
  readonly #previous: Buffer | null;

  constructor(secretKey: Secret, previous?: Secret) {
    this.#key = keyOf(secretKey);
    this.#previous = previous === undefined ? null : keyOf(previous);
  }

  /** @returns version (1 byte), nonce (12), tag (16) and ciphertext */
  seal(value: JsonValue, context: string): Buffer {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(CIPHER, this.#key, iv).setAAD(Buffer.from(context));
    const text = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()]);
    return Buffer.concat([Buffer.of(VERSION), iv, cipher.getAuthTag(), text]);
  }

  /** @throws UnopenedSeal when the value was sealed under another key or context, or was changed since */
  open<T extends JsonValue>(sealed: Buffer, context: string): T {
    const text = openWith(this.#key, sealed, context) ?? this.#openWithPrevious(sealed, context);
    if (text === null) throw new UnopenedSeal(context);
    return JSON.parse(text) as T;
  }

  /**
   * The same value sealed under `SECRET_KEY`; null when it is already.
   *
   * @throws UnopenedSeal as `open` does
   */
  reseal(sealed: Buffer, context: string): Buffer | null {
    if (openWith(this.#key, sealed, context) !== null) return null;
    const text = this.#openWithPrevious(sealed, context);
    if (text === null) throw new UnopenedSeal(context);
    return this.seal(JSON.parse(text) as JsonValue, context);
  }

  #openWithPrevious(sealed: Buffer, context: string): string | null {
    return this.#previous && openWith(this.#previous, sealed, context);
  }
}

function keyOf(secretKey: Secret): Buffer {
  return createHash('sha256').update('postrider/secret-box/1').update(secretKey.reveal()).digest();
}

function openWith(key: Buffer, sealed: Buffer, context: string): string | null {
  if (sealed[0] !== VERSION) return null;
  const iv = sealed.subarray(1, 1 + IV_BYTES);
  const tag = sealed.subarray(1 + IV_BYTES, 1 + IV_BYTES + TAG_BYTES);
  if (tag.length < TAG_BYTES) return null;
  const decipher = createDecipheriv(CIPHER, key, iv).setAAD(Buffer.from(context)).setAuthTag(tag);
  const text = decipher.update(sealed.subarray(1 + IV_BYTES + TAG_BYTES));
  try {
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}
