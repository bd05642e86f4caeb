import { type KeyObject, sign } from 'node:crypto';
import type { JsonObject } from '@postrider/domain';

/** Signs a JSON Web Token (RFC 7515): `RS256` with an RSA key, `ES256` with a P-256 one. */
export function signJwt(algorithm: 'RS256' | 'ES256', header: JsonObject, claims: JsonObject, key: KeyObject): string {
  const text = `${encode({ alg: algorithm, typ: 'JWT', ...header })}.${encode(claims)}`;
  // RFC 7518 §3.4: r and s beside each other, not DER.
  const signature = sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' });
  return `${text}.${signature.toString('base64url')}`;
}

function encode(value: JsonObject): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
