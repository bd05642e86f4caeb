import { createPublicKey, type KeyObject } from 'node:crypto';
import { type Clock, MINUTE_MS } from '@postrider/domain';
import type { ConnectionMemory } from '../../wire/exchange';
import { isSignedEs256, parseJwt } from '../jwt';
import type { ApnsReason } from './apns-answers';

const GOOD_FOR_SECONDS = 3_600;
const MIN_MS_BETWEEN_TOKENS = 20 * MINUTE_MS;
const MOST_REMEMBERED = 1_000;

/** The identity of a sender: one key of one team. */
export interface ProviderKey {
  keyId: string;
  teamId: string;
  privateKey: string;
}

/** Checks APNs provider tokens; a signature is verified once and remembered by its token. */
export class ProviderTokens {
  private readonly publicKey: KeyObject;
  private readonly known = new Map<string, { issuedAt: number } | { reason: ApnsReason }>();

  constructor(
    private readonly key: ProviderKey,
    private readonly clock: Clock,
  ) {
    this.publicKey = createPublicKey(key.privateKey);
  }

  /**
   * Returns the problem with an `authorization` header; `undefined` if there is none.
   * A connection whose tokens change more often than every 20 minutes gets an error, whenever the tokens were made.
   */
  problemOf(authorization: string | undefined, connection: ConnectionMemory): ApnsReason | undefined {
    if (authorization === undefined || !/^bearer /i.test(authorization)) return 'MissingProviderToken';
    const text = authorization.slice('bearer '.length);
    const token = this.verified(text);
    if ('reason' in token) return token.reason;
    const now = this.clock.now().getTime();
    const age = now / 1_000 - token.issuedAt;
    if (age > GOOD_FOR_SECONDS) return 'ExpiredProviderToken';
    if (age < -GOOD_FOR_SECONDS) return 'InvalidProviderToken';
    return changesTooOften(text, now, connection) ? 'TooManyProviderTokenUpdates' : undefined;
  }

  private verified(token: string): { issuedAt: number } | { reason: ApnsReason } {
    const known = this.known.get(token);
    if (known !== undefined) return known;
    const verdict = this.verify(token);
    if (this.known.size >= MOST_REMEMBERED) this.known.clear();
    this.known.set(token, verdict);
    return verdict;
  }

  private verify(token: string): { issuedAt: number } | { reason: ApnsReason } {
    const jwt = parseJwt(token);
    if (jwt === undefined || jwt.header.kid !== this.key.keyId || jwt.claims.iss !== this.key.teamId) {
      return { reason: 'InvalidProviderToken' };
    }
    const issuedAt = jwt.claims.iat;
    if (typeof issuedAt !== 'number' || !isSignedEs256(jwt, this.publicKey)) return { reason: 'InvalidProviderToken' };
    return { issuedAt };
  }
}

/** Remembers the token of a connection and since when; one that is refused changes nothing. */
function changesTooOften(token: string, now: number, connection: ConnectionMemory): boolean {
  const last = connection.providerToken;
  if (last?.token === token) return false;
  if (last !== undefined && now < last.since + MIN_MS_BETWEEN_TOKENS) return true;
  connection.providerToken = { token, since: now };
  return false;
}
