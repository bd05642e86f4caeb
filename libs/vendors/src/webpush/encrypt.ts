import { createCipheriv, createECDH, createHmac, type ECDH, randomBytes } from 'node:crypto';

const CURVE = 'prime256v1';
const KEY_BYTES = 16;
const NONCE_BYTES = 12;
const RECORD_BYTES = 4_096;
/** Ends the plaintext of the last record (RFC 8188 §2). */
const LAST_RECORD = Buffer.of(2);
const CEK_INFO = Buffer.from('Content-Encoding: aes128gcm\0');
const NONCE_INFO = Buffer.from('Content-Encoding: nonce\0');

/** The keys a browser gave with its subscription. */
export interface SubscriberKeys {
  /** Uncompressed P-256 point. */
  p256dh: Buffer;
  auth: Buffer;
}

/**
 * Encrypts a message for one browser: `aes128gcm` of RFC 8188 with the keys of RFC 8291, in one record.
 * @param sender a key pair for this message alone; @param salt 16 random bytes: only tests pass these two
 * @throws if the browser's key is not a point of the curve
 */
export function encrypt(
  plaintext: Buffer,
  keys: SubscriberKeys,
  sender: ECDH = newPair(),
  salt: Buffer = randomBytes(KEY_BYTES),
): Buffer {
  const asPublic = sender.getPublicKey();
  const ecdhSecret = sender.computeSecret(keys.p256dh);
  // RFC 8291 §3.4: the key of this pair, then (RFC 8188 §2.2) the key and the nonce of this message.
  const keyInfo = Buffer.concat([Buffer.from('WebPush: info\0'), keys.p256dh, asPublic]);
  const ikm = hkdf(keys.auth, ecdhSecret, keyInfo, 32);
  const key = hkdf(salt, ikm, CEK_INFO, KEY_BYTES);
  const nonce = hkdf(salt, ikm, NONCE_INFO, NONCE_BYTES);
  const cipher = createCipheriv('aes-128-gcm', key, nonce);
  const header = Buffer.alloc(5);
  header.writeUInt32BE(RECORD_BYTES);
  header.writeUInt8(asPublic.length, 4);
  const ciphertext = [cipher.update(plaintext), cipher.update(LAST_RECORD), cipher.final(), cipher.getAuthTag()];
  return Buffer.concat([salt, header, asPublic, ...ciphertext]);
}

function newPair(): ECDH {
  const pair = createECDH(CURVE);
  pair.generateKeys();
  return pair;
}

/** HKDF-SHA-256 for at most 32 bytes, hence one block (RFC 5869). */
function hkdf(salt: Buffer, keyMaterial: Buffer, info: Buffer, length: number): Buffer {
  const pseudoRandomKey = createHmac('sha256', salt).update(keyMaterial).digest();
  return createHmac('sha256', pseudoRandomKey).update(info).update(Buffer.of(1)).digest().subarray(0, length);
}
