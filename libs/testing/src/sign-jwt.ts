import { createPrivateKey, sign } from 'node:crypto';

/** Signs claims as a compact JWT, with nothing but node:crypto: ES256 or RS256 by the kind of the key. */
export function signJwt(claims: object, privateKeyPem: string, header: object = {}): string {
  const key = createPrivateKey(privateKeyPem);
  const alg = key.asymmetricKeyType === 'ec' ? 'ES256' : 'RS256';
  const signedPart = `${part({ alg, ...header })}.${part(claims)}`;
  const signature = sign('sha256', Buffer.from(signedPart), { key, dsaEncoding: 'ieee-p1363' });
  return `${signedPart}.${signature.toString('base64url')}`;
}

function part(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
