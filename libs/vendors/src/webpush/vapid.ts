import { type Clock, HOUR_MS } from '@postrider/domain';
import { LRUCache } from 'lru-cache';
import { createPrivateKey, type KeyObject } from 'node:crypto';
import { signJwt } from '../jwt/sign-jwt';

/** A VAPID key pair (RFC 8292), base64url, and whom a push service may write to about it. */
export type WebPushCredentials = {
  subject: string;
  publicKey: string;
  privateKey: string;
};

/** RFC 8292 §2 allows 24 hours. */
const LIFE_MS = 12 * HOUR_MS;
const REFRESH_AHEAD_MS = HOUR_MS;
/** Endpoints come from devices: a hostile one must not fill the memory with origins. */
const MAX_ORIGINS = 1_000;

/**
 * Makes the `Authorization` of Web Push requests: one signature per push service and eleven hours. The time of day decides, as it does at
 * the push service: the steady time of a machine stands still while it is suspended.
 */
export class Vapid {
  readonly #key: KeyObject;
  readonly #headers = new LRUCache<string, { value: string; signedAt: number }>({ max: MAX_ORIGINS });

  constructor(
    private readonly credentials: WebPushCredentials,
    private readonly clock: Clock,
  ) {
    const point = Buffer.from(credentials.publicKey, 'base64url');
    const jwk = {
      kty: 'EC',
      crv: 'P-256',
      d: credentials.privateKey,
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    };
    this.#key = createPrivateKey({ key: jwk, format: 'jwk' });
  }

  /** @param origin scheme, host and port of the subscription's endpoint */
  authorization(origin: string): string {
    const now = this.clock.now().getTime();
    const known = this.#headers.get(origin);
    // One that was signed later than now is the work of a clock that was ahead.
    if (known !== undefined && Math.abs(now - known.signedAt) < LIFE_MS - REFRESH_AHEAD_MS) return known.value;
    const { subject: sub, publicKey } = this.credentials;
    const claims = { aud: origin, exp: Math.floor((now + LIFE_MS) / 1_000), sub };
    const value = `vapid t=${signJwt('ES256', {}, claims, this.#key)}, k=${publicKey}`;
    this.#headers.set(origin, { value, signedAt: now });
    return value;
  }
}
