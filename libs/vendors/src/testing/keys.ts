import { generateKeyPairSync } from 'node:crypto';

/** A private key in PEM form and the public key that checks its signatures. */
interface TestKey {
  privateKey: string;
  publicKey: string;
}

/** A key like a Firebase service account's. */
export function rsaKey(): TestKey {
  return generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
}

/** A key like an Apple team's. */
export function p256Key(): TestKey {
  return generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
}
