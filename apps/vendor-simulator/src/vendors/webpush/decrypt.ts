import { createDecipheriv, createECDH, hkdfSync } from 'node:crypto';
import type { SubscriptionKeys } from './subscriptions';

const SALT_BYTES = 16;
const HEADER_BYTES = 21;
const KEY_BYTES = 65;
const TAG_BYTES = 16;
const LAST_RECORD = 2;

/**
 * Decrypts an `aes128gcm` body of one record (RFC 8188 §2, RFC 8291 §3).
 *
 * @returns the plain text, or `undefined` when it was not encrypted for these keys
 */
export function decrypt(body: Buffer, keys: SubscriptionKeys): Buffer | undefined {
  if (body.length < HEADER_BYTES + KEY_BYTES + TAG_BYTES + 1 || body[HEADER_BYTES - 1] !== KEY_BYTES) return undefined;
  const salt = body.subarray(0, SALT_BYTES);
  const senderKey = body.subarray(HEADER_BYTES, HEADER_BYTES + KEY_BYTES);
  const record = body.subarray(HEADER_BYTES + KEY_BYTES);
  const recordSize = body.readUInt32BE(SALT_BYTES);
  if (recordSize < 18 || record.length > recordSize) return undefined; // push services send a single record (RFC 8291 §4)
  try {
    return withoutPadding(openRecord(record, salt, senderKey, keys));
  } catch {
    return undefined; // not a point of the curve, or not authentic
  }
}

function openRecord(record: Buffer, salt: Buffer, senderKey: Buffer, keys: SubscriptionKeys): Buffer {
  const ecdh = createECDH('prime256v1');
  ecdh.setPrivateKey(keys.privateKey);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), keys.publicKey, senderKey]);
  const secret = Buffer.from(hkdfSync('sha256', ecdh.computeSecret(senderKey), keys.auth, info, 32));
  const key = Buffer.from(hkdfSync('sha256', secret, salt, 'Content-Encoding: aes128gcm\0', 16));
  const nonce = Buffer.from(hkdfSync('sha256', secret, salt, 'Content-Encoding: nonce\0', 12));
  const decipher = createDecipheriv('aes-128-gcm', key, nonce);
  decipher.setAuthTag(record.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(record.subarray(0, -TAG_BYTES)), decipher.final()]);
}

function withoutPadding(plain: Buffer): Buffer | undefined {
  let end = plain.length - 1;
  while (end >= 0 && plain[end] === 0) end -= 1;
  return end >= 0 && plain[end] === LAST_RECORD ? plain.subarray(0, end) : undefined;
}
