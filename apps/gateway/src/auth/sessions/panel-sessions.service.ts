import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@postrider/domain';
import { SignInsRepository } from '@postrider/persistence';
import {
  CLOCK,
  CONFIG,
  createExpiringCache,
  type GatewayConfig,
  hashAccessToken,
  SecretBox,
} from '@postrider/platform';
import type { LRUCache } from 'lru-cache';

/** How long a sign-in lasts. */
export const PANEL_SESSION_SECONDS = 12 * 3_600;

const CONTEXT = 'panel-session/2';
/** Longer than any value that `open` makes. */
const LONGEST_VALUE = 1_024;

/**
 * The identity of a signed-in browser. A token is looked up again with each request, because it may have been revoked.
 */
export type PanelSession = { kind: 'operator' } | { kind: 'token'; tokenHash: Buffer };

/**
 * The sealed content of a cookie: `proof` is an HMAC of the admin token, or the hash of an application's token; `id`
 * identifies the session when it is ended.
 */
type Sealed = { kind: 'operator' | 'token'; proof: string; until: number; id: string };

/** A session that was ended at another gateway is refused here within this time. */
const REMEMBERED_MS = 4_000;
const REMEMBERED_SESSIONS = 10_000;

/**
 * Makes and opens the session cookies of the panel and the queues board. They are sealed under `SECRET_KEY`, so that
 * nobody else can read or write them. Only sessions that were ended early are stored. A new `ADMIN_TOKEN` ends every
 * operator's session, and the revocation of a token ends its holder's.
 */
@Injectable()
export class PanelSessions {
  readonly #operatorProof: string;
  readonly #ended: LRUCache<string, { isEnded: boolean }>;

  constructor(
    private readonly secretBox: SecretBox,
    private readonly signIns: SignInsRepository,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) { adminToken }: Pick<GatewayConfig, 'adminToken'>,
  ) {
    this.#ended = createExpiringCache(clock, REMEMBERED_SESSIONS, REMEMBERED_MS);
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

  /**
   * The session of a cookie's value. Null if the value is not one of ours, its time is over, or the session was ended.
   * Synchronously, from the cache, if it was read lately.
   */
  read(value: string | undefined): PanelSession | null | Promise<PanelSession | null> {
    const sealed = this.#holding(value);
    if (sealed === null) return null;
    const remembered = this.#ended.get(sealed.id);
    if (remembered) return remembered.isEnded ? null : sessionOf(sealed);
    const start = this.clock.steadyMs();
    return this.signIns.isSessionEnded(sealed.id).then((isEnded) => {
      this.#ended.set(sealed.id, { isEnded }, { start });
      return isEnded ? null : sessionOf(sealed);
    });
  }

  /** Ends the session of a cookie's value, at all gateways. Any other value is ignored. */
  async end(value: string | undefined): Promise<void> {
    const sealed = this.#holding(value);
    if (sealed === null) return;
    const now = this.clock.now();
    await this.signIns.endSession(sealed.id, new Date(sealed.until), now);
    this.#ended.set(sealed.id, { isEnded: true }, { start: this.clock.steadyMs() });
  }

  /** The content of a value that is ours, whose time is not over, and whose proof is valid. */
  #holding(value: string | undefined): Sealed | null {
    const sealed = value === undefined || value.length > LONGEST_VALUE ? null : this.#unseal(value);
    if (sealed === null || sealed.until <= this.clock.now().getTime()) return null;
    return sealed.kind === 'token' || isSame(sealed.proof, this.#operatorProof) ? sealed : null;
  }

  #seal(kind: Sealed['kind'], proof: string): string {
    const until = this.clock.now().getTime() + PANEL_SESSION_SECONDS * 1_000;
    return this.secretBox.seal({ kind, proof, until, id: randomUUID() }, CONTEXT).toString('base64url');
  }

  #unseal(value: string): Sealed | null {
    try {
      return this.secretBox.open<Sealed>(Buffer.from(value, 'base64url'), CONTEXT);
    } catch {
      return null;
    }
  }
}

function sessionOf({ kind, proof }: Sealed): PanelSession {
  return kind === 'token' ? { kind, tokenHash: Buffer.from(proof, 'base64') } : { kind };
}

function isSame(shown: string, expected: string): boolean {
  const [left, right] = [Buffer.from(shown), Buffer.from(expected)];
  return left.length === right.length && timingSafeEqual(left, right);
}
