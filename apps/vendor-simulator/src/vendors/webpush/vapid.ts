import { createPublicKey, type KeyObject } from 'node:crypto';
import { type Clock, DAY_SECONDS } from '@postrider/domain';
import { isSignedEs256, parseJwt } from '../jwt';

const CLOCK_SKEW_SECONDS = 60;
const MOST_REMEMBERED = 1_000;

interface Signed {
  claims: Record<string, unknown>;
  publicKey: string;
}

/** Checks `authorization: vapid t=…, k=…` headers (RFC 8292); a signature is verified once and remembered. */
export class Vapid {
  private readonly known = new Map<string, Signed | undefined>();

  constructor(private readonly clock: Clock) {}

  /**
   * Reads a header.
   * @param origin the origin that the token must be for
   * @returns the sender's public key, or the problem
   */
  read(authorization: string | undefined, origin: string): { publicKey: string } | { problem: string } {
    if (authorization === undefined) return { problem: 'missing VAPID authorization' };
    const signed = this.verified(authorization);
    if (signed === undefined) return { problem: 'invalid VAPID token or signature' };
    const problem = this.claimProblem(signed.claims, origin);
    return problem === undefined ? { publicKey: signed.publicKey } : { problem };
  }

  private verified(authorization: string): Signed | undefined {
    if (this.known.has(authorization)) return this.known.get(authorization);
    const signed = verify(authorization);
    if (this.known.size >= MOST_REMEMBERED) this.known.clear();
    this.known.set(authorization, signed);
    return signed;
  }

  private claimProblem(claims: Record<string, unknown>, origin: string): string | undefined {
    const now = this.clock.now().getTime() / 1_000;
    const { aud, exp, sub } = claims;
    if (aud !== origin) return `aud must be ${origin}`;
    if (typeof exp !== 'number' || exp < now) return 'the token has expired';
    if (exp > now + DAY_SECONDS + CLOCK_SKEW_SECONDS) return 'exp must be within 24 hours';
    if (typeof sub !== 'string' || !/^(mailto:|https:)/.test(sub)) return 'sub must be mailto: or https:';
    return undefined;
  }
}

function verify(authorization: string): Signed | undefined {
  if (!/^vapid\s/i.test(authorization)) return undefined;
  const token = parameter(authorization, 't');
  const publicKey = parameter(authorization, 'k');
  if (token === undefined || publicKey === undefined) return undefined;
  const jwt = parseJwt(token);
  const key = keyOf(publicKey);
  if (jwt === undefined || key === undefined || !isSignedEs256(jwt, key)) return undefined;
  return { claims: jwt.claims, publicKey };
}

/** Returns one parameter of the `vapid` scheme; they come in any order (RFC 8292 §3). */
function parameter(authorization: string, name: 't' | 'k'): string | undefined {
  const pairs = authorization.slice('vapid '.length).split(',');
  const found = pairs.map((pair) => pair.trim()).find((pair) => pair.startsWith(`${name}=`));
  return found?.slice(2);
}

/** A raw point as a key, `undefined` when it is none. */
function keyOf(publicKey: string): KeyObject | undefined {
  const raw = Buffer.from(publicKey, 'base64url');
  if (raw.length !== 65 || raw[0] !== 4) return undefined;
  try {
    const [x, y] = [raw.subarray(1, 33).toString('base64url'), raw.subarray(33).toString('base64url')];
    return createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' });
  } catch {
    return undefined;
  }
}
