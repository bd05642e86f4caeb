import { type Clock, HOUR_MS } from '@postrider/domain';
import { createExpiringCache } from '@postrider/platform';
import type { LRUCache } from 'lru-cache';
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

/** Makes the `Authorization` of Web Push requests: one signature per push service and eleven hours. */
export class Vapid {
  readonly #key: KeyObject;
  readonly #headers: LRUCache<string, string>;

  constructor(
    private readonly credentials: WebPushCredentials,
    private readonly clock: Clock,
  ) {
    this.#headers = createExpiringCache(clock, MAX_ORIGINS, LIFE_MS - REFRESH_AHEAD_MS);
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
    const known = this.#headers.get(origin);
    if (known !== undefined) return known;
    const [start, now] = [this.clock.steadyMs(), this.clock.now().getTime()];
    const { subject: sub, publicKey } = this.credentials;
    const claims = { aud: origin, exp: Math.floor((now + LIFE_MS) / 1_000), sub };
    const value = `vapid t=${signJwt('ES256', {}, claims, this.#key)}, k=${publicKey}`;
    this.#headers.set(origin, value, { start });
    return value;
  }
}
