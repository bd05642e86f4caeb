import { createPrivateKey, type KeyObject } from 'node:crypto';
import type { Clock } from '@postrider/domain';
import { signJwt } from '../jwt/sign-jwt';

/** Apple refuses a token older than 60 minutes, and more than one new token in 20. */
const REFRESH_AFTER_MS = 45 * 60_000;
const KEEP_AT_LEAST_MS = 20 * 60_000;

/** The token that a team's key signs, the same for every connection and application of the process that use this key. */
export class ProviderToken {
  readonly #key: KeyObject;
  #token: { value: string; mintedAt: number } | null = null;

  constructor(
    private readonly teamId: string,
    private readonly keyId: string,
    privateKey: string,
    private readonly clock: Clock,
  ) {
    this.#key = createPrivateKey(privateKey);
  }

  /** The token to send now; a new one every 45 minutes. */
  current(): string {
    const now = this.clock.now().getTime();
    if (!this.#token || now - this.#token.mintedAt >= REFRESH_AFTER_MS || now < this.#token.mintedAt) this.#mint(now);
    return this.#token?.value ?? '';
  }

  /**
   * APNs called `value` expired: gives the one to use instead, or null when it is too young for Apple to take another one
   * (then the machine's clock is wrong).
   */
  replace(value: string): string | null {
    const now = this.clock.now().getTime();
    if (this.#token && this.#token.value !== value) return this.#token.value;
    if (this.#token && now - this.#token.mintedAt < KEEP_AT_LEAST_MS) return null;
    this.#mint(now);
    return this.#token?.value ?? null;
  }

  #mint(now: number): void {
    const claims = { iss: this.teamId, iat: Math.floor(now / 1_000) };
    this.#token = { value: signJwt('ES256', { kid: this.keyId }, claims, this.#key), mintedAt: now };
  }
}

const tokens = new WeakMap<Clock, Map<string, ProviderToken>>();

/** The process's one provider token of a key: Apple counts new tokens by key, not by who made them. */
export function providerToken(
  credentials: { teamId: string; keyId: string; privateKey: string },
  clock: Clock,
): ProviderToken {
  const { teamId, keyId, privateKey } = credentials;
  let byKey = tokens.get(clock);
  if (!byKey) tokens.set(clock, (byKey = new Map<string, ProviderToken>()));
  const name = JSON.stringify([teamId, keyId, privateKey]);
  let token = byKey.get(name);
  if (!token) byKey.set(name, (token = new ProviderToken(teamId, keyId, privateKey, clock)));
  return token;
}
