import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Clock } from '@postrider/domain';
import { hashAccessToken, type Secret, type SecretBox } from '@postrider/platform';

/** How long a sign-in lasts. */
export const PANEL_SESSION_SECONDS = 12 * 3_600;

const CONTEXT = 'panel-session';
/** Longer than any value that `open` makes. */
const LONGEST_VALUE = 1_024;

/** What a signed-in browser stands for. A token is looked up again with each request: it may have been revoked since. */
export type PanelSession = { kind: 'operator' } | { kind: 'token'; tokenHash: Buffer };

/** What is sealed in a cookie: `proof` is an HMAC of the admin token, or the hash of an application's token. */
type Sealed = { kind: 'operator' | 'token'; proof: string; until: number };

/**
 * Makes and opens what a signed-in browser shows: sealed under `SECRET_KEY`, so that nobody reads or writes it. Nothing is
 * stored. A new `ADMIN_TOKEN` ends every operator's session, a revoked token its holder's.
 */
export class PanelSessions {
  readonly #operatorProof: string;

  constructor(
    private readonly secretBox: SecretBox,
    private readonly clock: Clock,
    adminToken: Secret,
  ) {
    this.#operatorProof = createHmac('sha256', adminToken.reveal()).update('postrider/panel/1').digest('base64');
  }

  /** A cookie's value for the operator. */
  openForOperator(): string {
    return this.#seal('operator', this.#operatorProof);
  }

  /** A cookie's value for the holder of an application's token. */
  openForToken(token: string): string {
    return this.#seal('token', hashAccessToken(token).toString('base64'));
  }

  /** What a cookie's value stands for; null when it is none of ours, or its time is over. */
  read(value: string | undefined): PanelSession | null {
    const sealed = value === undefined || value.length > LONGEST_VALUE ? null : this.#unseal(value);
    if (sealed === null || sealed.until <= this.clock.now().getTime()) return null;
    if (sealed.kind === 'token') return { kind: 'token', tokenHash: Buffer.from(sealed.proof, 'base64') };
    return isSame(sealed.proof, this.#operatorProof) ? { kind: 'operator' } : null;
  }

  #seal(kind: Sealed['kind'], proof: string): string {
    const until = this.clock.now().getTime() + PANEL_SESSION_SECONDS * 1_000;
    return this.secretBox.seal({ kind, proof, until }, CONTEXT).toString('base64url');
  }

  #unseal(value: string): Sealed | null {
    try {
      return this.secretBox.open<Sealed>(Buffer.from(value, 'base64url'), CONTEXT);
    } catch {
      return null;
    }
  }
}

function isSame(shown: string, expected: string): boolean {
  const [left, right] = [Buffer.from(shown), Buffer.from(expected)];
  return left.length === right.length && timingSafeEqual(left, right);
}
