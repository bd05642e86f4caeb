import { randomBytes } from 'node:crypto';
import type { Clock } from '@postrider/domain';

const MOST_TOKENS = 10_000;

/** The access tokens that one token endpoint has handed out, and until when each is good. */
export class AccessTokens {
  private readonly goodUntil = new Map<string, number>();

  /** @param prefix how this vendor's tokens begin */
  constructor(
    private readonly prefix: string,
    private readonly clock: Clock,
  ) {}

  /** Makes a token that is good for so many seconds. */
  issue(seconds: number): string {
    const token = this.prefix + randomBytes(48).toString('base64url');
    this.goodUntil.set(`Bearer ${token}`, this.clock.now().getTime() + seconds * 1_000);
    const oldest = this.goodUntil.keys().next();
    if (this.goodUntil.size > MOST_TOKENS && !oldest.done) this.goodUntil.delete(oldest.value);
    return token;
  }

  /** True if an `authorization` header carries one of them that is still good. */
  isGood(authorization: string | undefined): boolean {
    return this.stateOf(authorization) === 'good';
  }

  /** Returns the state of an `authorization` header's token for this vendor. */
  stateOf(authorization: string | undefined): 'good' | 'expired' | 'unknown' {
    const until = authorization === undefined ? undefined : this.goodUntil.get(authorization);
    if (until === undefined) return 'unknown';
    return until > this.clock.now().getTime() ? 'good' : 'expired';
  }
}
