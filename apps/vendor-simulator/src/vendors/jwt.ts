import { type KeyObject, verify } from 'node:crypto';

/** A token taken apart, nothing of it believed yet. */
export interface Jwt {
  header: Record<string, unknown>;
  claims: Record<string, unknown>;
  signedPart: string;
  signature: Buffer;
}

/** Splits a compact JWT into its parts; `undefined` if it is not one. */
export function parseJwt(token: string): Jwt | undefined {
  const parts = token.split('.');
  const [header, claims, signature] = parts;
  if (parts.length !== 3 || header === undefined || claims === undefined || signature === undefined) return undefined;
  const parsed = { header: parsePart(header), claims: parsePart(claims) };
  if (parsed.header === undefined || parsed.claims === undefined) return undefined;
  return {
    header: parsed.header,
    claims: parsed.claims,
    signedPart: `${header}.${claims}`,
    signature: Buffer.from(signature, 'base64url'),
  };
}

/** True if an ES256 token was signed by the owner of the key (RFC 7518 §3.4). */
export function isSignedEs256(jwt: Jwt, publicKey: KeyObject): boolean {
  if (jwt.header.alg !== 'ES256') return false;
  return verify('sha256', Buffer.from(jwt.signedPart), { key: publicKey, dsaEncoding: 'ieee-p1363' }, jwt.signature);
}

/** True if an RS256 token was signed by the owner of the key (RFC 7518 §3.3). */
export function isSignedRs256(jwt: Jwt, publicKey: KeyObject): boolean {
  return jwt.header.alg === 'RS256' && verify('sha256', Buffer.from(jwt.signedPart), publicKey, jwt.signature);
}

function parsePart(part: string): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(Buffer.from(part, 'base64url').toString('utf8')) as unknown;
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
