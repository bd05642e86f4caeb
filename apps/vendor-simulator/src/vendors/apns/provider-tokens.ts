import { createPublicKey, type KeyObject } from 'node:crypto';
import type { Clock } from '@postrider/domain';
import type { ConnectionMemory } from '../../wire/exchange';
import { isSignedEs256, parseJwt } from '../jwt';
import type { ApnsReason } from './apns-answers';

const GOOD_FOR_SECONDS = 3_600;
const MIN_SECONDS_BETWEEN_TOKENS = 1_200;
const MOST_REMEMBERED = 1_000;

/** Who may send: one key of one team. */
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
   * Says what is wrong with an `authorization` header; `undefined` when it is in order.
   *
   * A connection whose tokens change more often than every 20 minutes, by their own `iat`, is told so.
   */
  problemOf(authorization: string | undefined, connection: ConnectionMemory): ApnsReason | undefined {
    if (authorization === undefined || !/^bearer /i.test(authorization)) return 'MissingProviderToken';
    const token = this.verified(authorization.slice('bearer '.length));
    if ('reason' in token) return token.reason;
    const age = this.clock.now().getTime() / 1_000 - token.issuedAt;
    if (age > GOOD_FOR_SECONDS) return 'ExpiredProviderToken';
    if (age < -GOOD_FOR_SECONDS) return 'InvalidProviderToken';
    return changesTooOften(token.issuedAt, connection) ? 'TooManyProviderTokenUpdates' : undefined;
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

/** Remembers the newest token of a connection; requests with the one before it may still be under way. */
function changesTooOften(issuedAt: number, connection: ConnectionMemory): boolean {
  const last = connection.providerTokenIssuedAt;
  if (last === undefined || issuedAt >= last + MIN_SECONDS_BETWEEN_TOKENS) connection.providerTokenIssuedAt = issuedAt;
  else if (issuedAt > last) return true;
  return false;
}
