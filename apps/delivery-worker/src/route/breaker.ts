import { backoffMs, type Clock, type SendOutcome } from '@postrider/domain';
import type { SmsOutcome } from '@postrider/vendors';

/** `open`: nothing is sent. `half-open`: one call at a time, to find out if the vendor works again. */
type BreakerState = 'closed' | 'half-open' | 'open';

/** Why a breaker opened. */
export interface BreakerOpening {
  kind: SendOutcome['kind'];
  code: string;
  reason: string;
}

/** The outcomes that a breaker considers. */
type Outcome = SendOutcome | SmsOutcome;
type Trouble = Extract<Outcome, { kind: 'throttled' | 'retryable' | 'ambiguous' }>;

/** When a breaker opens and closes, and for how long it holds the route. Times in milliseconds. */
interface BreakerPolicy {
  firstHoldMs: number;
  longestHoldMs: number;
  shortestHoldMs: number;
  /** The longest hold that a vendor may ask for. */
  longestAskedMs: number;
  /**
   * The kinds of outcomes that mean that the vendor is not available, and how many in a row, the last of this kind, open the
   * breaker.
   */
  trouble: Readonly<Partial<Record<Trouble['kind'], number>>>;
  /** How many refusals of credentials that have worked open the breaker. */
  refusalsInARow: number;
  /** `answer`: any answer that is not trouble. `accepted`: an accepted call, also while the breaker holds. */
  closesWith: 'answer' | 'accepted';
}

/** A vendor that refuses twenty calls in a row, and accepts none between them, is not available. */
export const PUSH_BREAKER: BreakerPolicy = {
  firstHoldMs: 2_000,
  longestHoldMs: 30_000,
  shortestHoldMs: 250,
  longestAskedMs: Infinity,
  trouble: { throttled: 20, retryable: 20, ambiguous: 20 },
  // Wrong credentials get the same answer to every call; one odd answer between good ones is about one device.
  refusalsInARow: 3,
  closesWith: 'answer',
};

/**
 * Opens only while no other push service works (`PushServices`). The push service of a browser is whatever its device names, so what one
 * of them asks for holds the devices of all others no longer than the breaker would by itself. The device waits as long
 * as its push service asks.
 */
export const WEB_PUSH_BREAKER: BreakerPolicy = { ...PUSH_BREAKER, longestAskedMs: PUSH_BREAKER.longestHoldMs };

/**
 * A provider of SMS that refuses one SMS because of the account (no credit, wrong key, too fast) refuses every SMS. One that leaves
 * three in a row without an answer is asked no more until one call is answered: nobody can say if it took them, so they cannot be sent
 * again.
 */
export const SMS_BREAKER: BreakerPolicy = {
  firstHoldMs: 15_000,
  longestHoldMs: 600_000,
  shortestHoldMs: 0,
  longestAskedMs: Infinity,
  trouble: { throttled: 1, ambiguous: 3 },
  refusalsInARow: 1,
  closesWith: 'accepted',
};

/**
 * Notices that a vendor does not work for an application, and holds the route: at once for refused credentials that
 * never worked, after several refusals in a row for others. The hold doubles with each opening, up to the policy's
 * longest; a longer `Retry-After` wins, up to what the policy lets the vendor ask for.
 */
export class Breaker {
  #state: BreakerState = 'closed';
  /** On the scale of `clock.steadyMs()`: a time of day that is set back would hold the route for as long. */
  #openUntil = 0;
  /** How many times in a row it opened. */
  #openings = 0;
  #troubleInARow = 0;
  #configInARow = 0;
  #hasWorked = false;

  /** @param timeScale multiplies the policy's holds, never the pause that a vendor asks for */
  constructor(
    private readonly clock: Clock,
    private readonly timeScale: number,
    private readonly policy = PUSH_BREAKER,
  ) {}

  get state(): BreakerState {
    return this.#state;
  }

  /** True if the vendor has ever accepted a call with these credentials. */
  get hasWorked(): boolean {
    return this.#hasWorked;
  }

  /** When the hold ends, as a time of day: milliseconds since 1970. */
  get openUntil(): number {
    return this.clock.now().getTime() + this.#openUntil - this.clock.steadyMs();
  }

  /** True if nothing may be sent now. */
  get isHolding(): boolean {
    return this.#state === 'open' && this.clock.steadyMs() < this.#openUntil;
  }

  /** How long ago the last hold ended, in milliseconds; negative during a hold. */
  get heldMsAgo(): number {
    return this.clock.steadyMs() - this.#openUntil;
  }

  /** Moves on in time: after the hold the breaker is half-open. */
  advance(): void {
    if (this.#state === 'open' && !this.isHolding) this.#state = 'half-open';
  }

  /** Takes the outcome of a call. @returns the new state if it changed: `opened` or `closed` */
  record(outcome: Outcome): 'opened' | 'closed' | null {
    if (this.#state === 'open' && !this.#endsHold(outcome)) return null;
    switch (outcome.kind) {
      // The vendor was not asked.
      case 'expired':
      // The vendor is available, but the credentials may be wrong: the answer proves neither.
      case 'mismatch':
        return null;
      case 'config':
        return this.#refused();
      case 'throttled':
      case 'retryable':
      case 'ambiguous':
        return this.#trouble(outcome);
      default:
        return this.#answered(outcome.kind === 'accepted');
    }
  }

  /** Opens the breaker for at least `leastMs`, as far as the policy allows that. */
  open(leastMs: number): 'opened' {
    const { firstHoldMs: firstMs, longestHoldMs: maxMs } = this.policy;
    const ownMs = backoffMs({ firstMs, maxMs }, ++this.#openings) * this.timeScale;
    const holdMs = Math.max(ownMs, this.policy.shortestHoldMs, Math.min(leastMs, this.policy.longestAskedMs));
    this.#state = 'open';
    this.#openUntil = this.clock.steadyMs() + holdMs;
    return 'opened';
  }

  /** Opens for `ms` although the vendor did nothing wrong; later holds do not become longer because of it. */
  holdFor(ms: number): void {
    this.#state = 'open';
    this.#openUntil = this.clock.steadyMs() + ms;
  }

  /** Notes that the credentials work: another worker has seen it. */
  noteWorked(): void {
    this.#hasWorked = true;
  }

  /** Ends the hold at once: the next call finds out if the vendor works again. */
  tryNow(): void {
    if (this.#state !== 'open') return;
    this.#openUntil = this.clock.steadyMs();
    this.#openings = 0;
  }

  /** Starts again, because the credentials changed. */
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

  #refused(): 'opened' | null {
    this.#configInARow += 1;
    const isEnough =
      this.#state === 'half-open' || !this.#hasWorked || this.#configInARow >= this.policy.refusalsInARow;
    return isEnough ? this.open(0) : null;
  }

  #answered(wasAccepted: boolean): 'closed' | null {
    this.#troubleInARow = 0;
    if (!wasAccepted && this.policy.closesWith === 'accepted') return null;
    const was = this.#state;
    this.#hasWorked ||= wasAccepted;
    this.#state = 'closed';
    this.#settle();
    return was === 'half-open' ? 'closed' : null;
  }

  #trouble(outcome: Trouble): 'opened' | null {
    const most = this.policy.trouble[outcome.kind];
    if (most === undefined || (outcome.kind === 'throttled' && outcome.scope === 'token')) return null;
    this.#troubleInARow += 1;
    const gaveUp = this.#state === 'half-open' || this.#troubleInARow >= most;
    if (!gaveUp) return null;
    return this.open(outcome.kind === 'ambiguous' ? 0 : (outcome.retryAfterMs ?? 0));
  }

  #settle(): void {
    this.#openings = 0;
    this.#troubleInARow = 0;
    this.#configInARow = 0;
  }
}
