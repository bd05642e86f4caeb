import { createECDH } from 'node:crypto';
import type { ErrorDetail } from '@postrider/domain';

const CURVE = 'prime256v1';
const PRIVATE_KEY_BYTES = 32;

/** A VAPID key pair (RFC 8292), base64url. */
export interface VapidPair {
  publicKey: string;
  privateKey: string;
}

/** A new pair. */
export function newVapidPair(): VapidPair {
  const ecdh = createECDH(CURVE);
  ecdh.generateKeys();
  const privateKey = Buffer.alloc(PRIVATE_KEY_BYTES);
  const bytes = ecdh.getPrivateKey();
  bytes.copy(privateKey, PRIVATE_KEY_BYTES - bytes.length);
  return { publicKey: ecdh.getPublicKey().toString('base64url'), privateKey: privateKey.toString('base64url') };
}

/** The pair of a private key. @throws when it is none of the curve */
export function vapidPairOf(privateKey: string): VapidPair {
  const bytes = Buffer.from(privateKey, 'base64url');
  if (bytes.length !== PRIVATE_KEY_BYTES) throw new RangeError(`A key of ${bytes.length} bytes`);
  const ecdh = createECDH(CURVE);
  ecdh.setPrivateKey(bytes);
  return { publicKey: ecdh.getPublicKey().toString('base64url'), privateKey: bytes.toString('base64url') };
}

/** What is wrong with a pair: the private key is none, or the public one belongs to another. */
export function problemsOfPair({ publicKey, privateKey }: Partial<VapidPair>): ErrorDetail[] {
  if (privateKey === undefined) return [];
  let pair: VapidPair;
  try {
    pair = vapidPairOf(privateKey);
  } catch {
    return [{ path: 'privateKey', message: 'must be a P-256 private key of 32 bytes in base64url' }];
  }
  if (publicKey === undefined || publicKey.replace(/=+$/, '') === pair.publicKey) return [];
  return [{ path: 'publicKey', message: 'does not belong to privateKey' }];
}
