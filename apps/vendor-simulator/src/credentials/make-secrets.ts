import { createECDH, generateKeyPairSync, randomBytes } from 'node:crypto';
import type { SimulatorSecrets } from './credentials';

/** Makes secrets of the vendors' real kinds and sizes. */
export function makeSecrets(): SimulatorSecrets {
  const serviceAccount = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const providerKey = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const vapid = createECDH('prime256v1');
  return {
    fcmPrivateKey: serviceAccount.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    apnsKeyId: appleId(),
    apnsTeamId: appleId(),
    apnsPrivateKey: providerKey.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    hmsAppId: String(100_000_000 + (randomBytes(4).readUInt32BE() % 900_000_000)),
    hmsClientSecret: randomBytes(32).toString('hex'),
    vapidPublicKey: vapid.generateKeys('base64url'),
    // `createECDH` drops leading zeros of the scalar. VAPID keys have 32 bytes.
    vapidPrivateKey: Buffer.from(vapid.getPrivateKey('hex').padStart(64, '0'), 'hex').toString('base64url'),
    twilioAccountSid: `AC${randomBytes(16).toString('hex')}`,
    twilioAuthToken: randomBytes(16).toString('hex'),
    kavenegarApiKey: randomBytes(32).toString('hex'),
    subscriptionSeed: randomBytes(32).toString('base64url'),
  };
}

/** Ten characters, as Apple's key and team ids are. */
function appleId(): string {
  const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
  return Array.from(randomBytes(10), (byte) => alphabet[byte % alphabet.length]).join('');
}
