import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { type Clock, MINUTE_MS } from '@postrider/domain';
import { signJwt } from '../jwt/sign-jwt';
import type { IssuedToken, ProviderTokenStore } from '../sender';

/** Apple refuses a token older than 60 minutes: a new one comes in good time, and the old one goes. */
const RENEW_AFTER_MS = 45 * MINUTE_MS;
const USE_AT_MOST_MS = 55 * MINUTE_MS;
/** It also refuses one of the future. Clocks that differ by less are in order. */
const AHEAD_AT_MOST_MS = 5 * MINUTE_MS;
/** Apple refuses a second token within 20 minutes. */
const KEEP_AT_LEAST_MS = 20 * MINUTE_MS;
/** A store that gives nothing newer is not asked with every request. */
const ASK_AGAIN_AFTER_MS = 10_000;
/** The other tokens of a connection come by another way, which may be faster: a minute more. */
const KEEP_ON_CONNECTION_MS = KEEP_AT_LEAST_MS + MINUTE_MS;

/** The token that a team's key signs: the same for every connection and application of the process that use this key. */
export class ProviderToken {
  readonly #key: KeyObject;
  readonly #name: string;
  #token: IssuedToken | null = null;
  #expired: string | null = null;
  #askedAt = -Infinity;
  #renewing: Promise<void> | null = null;

  constructor(
    private readonly credentials: { teamId: string; keyId: string; privateKey: string },
    private readonly clock: Clock,
    private readonly store: ProviderTokenStore | null,
  ) {
    this.#key = createPrivateKey(credentials.privateKey);
    // A key id says nothing of who stored which key under it: applications share a token only with the same key.
    const publicKey = createPublicKey(this.#key).export({ type: 'spki', format: 'der' });
    const fingerprint = createHash('sha256').update(credentials.teamId).update(publicKey).digest('hex').slice(0, 32);
    this.#name = `apns:jwt:${credentials.keyId}:${fingerprint}`;
  }

  /** The token to use now, or null: then `renewed` brings one. Begins its renewal, every 45 minutes. */
  current(now: number): IssuedToken | null {
    if (this.#isDue(now)) void this.renewed();
    return this.#token !== null && this.isUsable(this.#token, now) ? this.#token : null;
  }

  /** True if Apple still takes a token. */
  isUsable(token: IssuedToken, now: number): boolean {
    const ageMs = now - token.issuedAt;
    return ageMs < USE_AT_MOST_MS && ageMs >= -AHEAD_AT_MOST_MS && token.value !== this.#expired;
  }

  /** Resolves when there is a token to use, and never rejects. */
  renewed(): Promise<void> {
    const now = this.clock.now().getTime();
    return this.#renew(now - RENEW_AFTER_MS);
  }

  /**
   * Replaces `value`, which APNs called expired.
   * @returns true if there is another token now; false if it is too young for Apple to accept another (the machine's
   * clock is wrong)
   */
  async replace(value: string): Promise<boolean> {
    const now = this.clock.now().getTime();
    const token = this.#token;
    if (token?.value === value) {
      if (now - token.issuedAt < KEEP_AT_LEAST_MS) return false;
      this.#expired = value;
      await this.#renew(now - KEEP_AT_LEAST_MS);
    }
    return this.#token?.value !== value;
  }

  #isDue(now: number): boolean {
    if (this.#token === null || now < this.#askedAt) return true;
    return now - this.#token.issuedAt >= RENEW_AFTER_MS && now - this.#askedAt >= ASK_AGAIN_AFTER_MS;
  }

  #renew(renewBefore: number): Promise<void> {
    if (this.#renewing) return this.#renewing;
    const offered = this.#mint();
    this.#askedAt = offered.issuedAt;
    if (this.store === null) {
      this.#token = offered;
      return Promise.resolve();
    }
    this.#renewing = this.store
      .share(this.#name, offered, renewBefore)
      .catch(() => offered)
      .then((shared) => {
        // A token that another process made by a wrong clock is of no use.
        this.#token = this.isUsable(shared, offered.issuedAt) ? shared : offered;
        this.#renewing = null;
      });
    return this.#renewing;
  }

  #mint(): IssuedToken {
    const issuedAt = this.clock.now().getTime();
    const { teamId: iss, keyId: kid } = this.credentials;
    const claims = { iss, iat: Math.floor(issuedAt / 1_000) };
    return { value: signJwt('ES256', { kid }, claims, this.#key), issuedAt };
  }
}

/**
 * Which provider token goes over which connection: APNs takes a second one on a connection only 20 minutes after the first.
 * A connection keeps the one that it began with for as long, and takes nothing more when that one is used up before.
 */
export class ConnectionTokens {
  readonly #used = new WeakMap<object, { token: IssuedToken; since: number }>();

  constructor(private readonly source: ProviderToken) {}

  /**
   * Returns the token for the next request on a connection; null if there is none at all, and the request must wait for
   * one.
   */
  next(connection: object, now: number): IssuedToken | 'elsewhere' | null {
    const current = this.source.current(now);
    const used = this.#used.get(connection);
    if (used !== undefined && used.token.value === current?.value) return current;
    if (current !== null && (used === undefined || now - used.since >= KEEP_ON_CONNECTION_MS)) {
      this.#used.set(connection, { token: current, since: now });
      return current;
    }
    if (used === undefined) return null;
    return this.source.isUsable(used.token, now) ? used.token : 'elsewhere';
  }
}

const tokens = new WeakMap<object, Map<string, ProviderToken>>();

/** The process's one provider token of a key: Apple counts new tokens by key, not by who made them. */
export function providerToken(
  credentials: { teamId: string; keyId: string; privateKey: string },
  clock: Clock,
  store: ProviderTokenStore | null,
): ProviderToken {
  const owner = store ?? clock;
  let byKey = tokens.get(owner);
  if (!byKey) tokens.set(owner, (byKey = new Map<string, ProviderToken>()));
  const { teamId, keyId, privateKey } = credentials;
  const name = JSON.stringify([teamId, keyId, privateKey]);
  let token = byKey.get(name);
  if (!token) byKey.set(name, (token = new ProviderToken(credentials, clock, store)));
  return token;
}
