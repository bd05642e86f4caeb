import { backoffMs, type SendOutcome } from '@postrider/domain';
import type { SmsOutcome } from '@postrider/vendors';

/** `open`: nothing is sent. `half-open`: one call at a time, to see whether it works again. */
export type BreakerState = 'closed' | 'half-open' | 'open';

/** Why a breaker opened. */
export interface BreakerOpening {
  kind: SendOutcome['kind'];
  code: string;
  reason: string;
}

/** What a breaker looks at in an outcome. */
type Outcome = SendOutcome | SmsOutcome;
type Trouble = Extract<Outcome, { kind: 'throttled' | 'retryable' | 'ambiguous' }>;

/** When a breaker opens and closes, and for how long it holds. Times in milliseconds. */
export interface BreakerPolicy {
  firstHoldMs: number;
  longestHoldMs: number;
  shortestHoldMs: number;
  /** The answers that say that the vendor is not available, and how many of them in a row open the breaker. */
  trouble: ReadonlySet<Trouble['kind']>;
  troubleInARow: number;
  /** How many refusals of credentials that have worked open the breaker. */
  refusalsInARow: number;
  /** `answer`: any answer that is no trouble. `accepted`: one that was taken, also while the breaker holds. */
  closesWith: 'answer' | 'accepted';
}

/** A vendor that refuses twenty in a row, with nothing taken between them, is not there. */
export const PUSH_BREAKER: BreakerPolicy = {
  firstHoldMs: 2_000,
  longestHoldMs: 30_000,
  shortestHoldMs: 250,
  trouble: new Set(['throttled', 'retryable', 'ambiguous']),
  troubleInARow: 20,
  // Wrong credentials answer every call the same; one odd answer between good ones is about one device.
  refusalsInARow: 3,
  closesWith: 'answer',
};

/** A provider of SMS that complains about the account once (no credit, wrong key, too fast) does so about every SMS. */
export const SMS_BREAKER: BreakerPolicy = {
  firstHoldMs: 15_000,
  longestHoldMs: 600_000,
  shortestHoldMs: 0,
  trouble: new Set(['throttled']),
  troubleInARow: 1,
  refusalsInARow: 1,
  closesWith: 'accepted',
};

/**
 * Notices that a vendor does not work for an application, and holds the route: at once for refused credentials that never
 * worked, after a few in a row for others. The hold doubles with each opening, up to the policy's longest, and a longer
 * `Retry-After` is kept to.
 */
export class Breaker {
  #state: BreakerState = 'closed';
  #openUntil = 0;
  /** Times in a row that it opened. */
  #openings = 0;
  #troubleInARow = 0;
  #configInARow = 0;
  #hasWorked = false;

  /** @param timeScale multiplies the policy's holds, never what a vendor asks for */
  constructor(
    private readonly timeScale: number,
    private readonly policy = PUSH_BREAKER,
  ) {}

  get state(): BreakerState {
    return this.#state;
  }

  /** True if the vendor has ever taken something with these credentials. */
  get hasWorked(): boolean {
    return this.#hasWorked;
  }

  /** Milliseconds since 1970. */
  get openUntil(): number {
    return this.#openUntil;
  }

  /** Time has gone by: after the hold the breaker is half-open. */
  advance(now: number): void {
    if (this.#state === 'open' && now >= this.#openUntil) this.#state = 'half-open';
  }

  /** True if nothing may be sent now. */
  isHolding(now: number): boolean {
    return this.#state === 'open' && now < this.#openUntil;
  }

  /** Takes what came of a call. @returns true if the state changed, and to what */
  record(outcome: Outcome, now: number): 'opened' | 'closed' | null {
    if (this.#state === 'open' && !this.#endsHold(outcome)) return null;
    switch (outcome.kind) {
      // The vendor was not asked.
      case 'expired':
      // The vendor is there, but it may be our credentials: says nothing either way.
      case 'mismatch':
        return null;
      case 'config':
        return this.#refused(now);
      case 'throttled':
      case 'retryable':
      case 'ambiguous':
        return this.#trouble(outcome, now);
      default:
        return this.#answered(outcome.kind === 'accepted');
    }
  }

  /** Opens, for at least `leastMs`. */
  open(now: number, leastMs: number): 'opened' {
    const { firstHoldMs: firstMs, longestHoldMs: maxMs } = this.policy;
    const ownMs = backoffMs({ firstMs, maxMs }, ++this.#openings) * this.timeScale;
    const holdMs = Math.max(ownMs, this.policy.shortestHoldMs, leastMs);
    this.#state = 'open';
    this.#openUntil = now + holdMs;
    return 'opened';
  }

  /** Opens until `until` (milliseconds since 1970) although the vendor did nothing wrong; no later hold is longer for it. */
  holdUntil(until: number): void {
    this.#state = 'open';
    this.#openUntil = until;
  }

  /** Others know that these credentials work. */
  trust(): void {
    this.#hasWorked = true;
  }

  /** Ends the hold, however long it was to be: the next call finds out whether it works again. */
  tryNow(now: number): void {
    if (this.#state !== 'open') return;
    this.#openUntil = now;
    this.#openings = 0;
  }

  /** Starts anew: the credentials changed. */
  reset(): void {
    this.#state = 'closed';
    this.#openUntil = 0;
    this.#hasWorked = false;
    this.#settle();
  }

  /** True if a call that began before the breaker opened ends the hold. */
  #endsHold({ kind }: Outcome): boolean {
    return kind === 'accepted' && this.policy.closesWith === 'accepted';
  }

  #refused(now: number): 'opened' | null {
    this.#configInARow += 1;
    const isEnough =
      this.#state === 'half-open' || !this.#hasWorked || this.#configInARow >= this.policy.refusalsInARow;
    return isEnough ? this.open(now, 0) : null;
  }

  #answered(wasAccepted: boolean): 'closed' | null {
    if (!wasAccepted && this.policy.closesWith === 'accepted') return null;
    const was = this.#state;
    this.#hasWorked ||= wasAccepted;
    this.#state = 'closed';
    this.#settle();
    return was === 'half-open' ? 'closed' : null;
  }

  #trouble(outcome: Trouble, now: number): 'opened' | null {
    if (!this.policy.trouble.has(outcome.kind)) return null;
    if (outcome.kind === 'throttled' && outcome.scope === 'token') return null;
    this.#troubleInARow += 1;
    const gaveUp = this.#state === 'half-open' || this.#troubleInARow >= this.policy.troubleInARow;
    if (!gaveUp) return null;
    return this.open(now, outcome.kind === 'ambiguous' ? 0 : (outcome.retryAfterMs ?? 0));
  }

  #settle(): void {
    this.#openings = 0;
    this.#troubleInARow = 0;
    this.#configInARow = 0;
  }
}
