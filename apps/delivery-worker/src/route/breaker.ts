import type { SendOutcome } from '@postrider/domain';

/** `open`: nothing is sent. `half-open`: one call at a time, to see whether it works again. */
export type BreakerState = 'closed' | 'half-open' | 'open';

/** Why a breaker opened. */
export interface BreakerOpening {
  kind: SendOutcome['kind'];
  code: string;
  reason: string;
}

type Trouble = Extract<SendOutcome, { kind: 'throttled' | 'retryable' | 'ambiguous' }>;

const FIRST_HOLD_MS = 2_000;
const LONGEST_HOLD_MS = 30_000;
const SHORTEST_HOLD_MS = 250;
/** This many refusals in a row, with nothing taken between them, and the vendor is not there. */
const TROUBLE_IN_A_ROW = 20;
/** Wrong credentials answer every call the same; one odd answer between good ones is about one device. */
const REFUSED_CREDENTIALS_IN_A_ROW = 3;

/**
 * Notices that a vendor does not work for an application, and holds the route: at once for refused credentials that never
 * worked, after a few in a row for others. The hold doubles with each opening, up to half a minute, and a longer `Retry-After` is
 * kept to. It closes with the first call that the vendor answers properly.
 */
export class Breaker {
  #state: BreakerState = 'closed';
  #openUntil = 0;
  #holdMs = FIRST_HOLD_MS;
  #troubleInARow = 0;
  #configInARow = 0;
  #hasWorked = false;

  constructor(private readonly timeScale: number) {}

  get state(): BreakerState {
    return this.#state;
  }

  /** Whether the vendor has ever taken something with these credentials. */
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

  /** Whether nothing may be sent now. */
  isHolding(now: number): boolean {
    return this.#state === 'open' && now < this.#openUntil;
  }

  /** Takes what came of a call. @returns whether the state changed, and to what */
  record(outcome: SendOutcome, now: number): 'opened' | 'closed' | null {
    if (this.#state === 'open') return null;
    switch (outcome.kind) {
      // The vendor was not asked.
      case 'expired':
        return null;
      case 'config':
        this.#configInARow += 1;
        return this.#isRefused() ? this.open(now, 0) : null;
      // The vendor is there, but it may be our credentials: says nothing either way.
      case 'mismatch':
        return null;
      case 'throttled':
      case 'retryable':
      case 'ambiguous':
        return this.#trouble(outcome, now);
      default:
        return this.#worked(outcome.kind === 'accepted');
    }
  }

  /** Opens, for at least `leastMs`. */
  open(now: number, leastMs: number): 'opened' {
    const holdMs = Math.max(this.#holdMs * this.timeScale, SHORTEST_HOLD_MS, leastMs);
    this.#state = 'open';
    this.#openUntil = now + holdMs;
    this.#holdMs = Math.min(this.#holdMs * 2, LONGEST_HOLD_MS);
    return 'opened';
  }

  /** Others know that these credentials work. */
  trust(): void {
    this.#hasWorked = true;
  }

  /** Ends the hold, however long it was to be: the next call finds out whether it works again. */
  tryNow(now: number): void {
    if (this.#state !== 'open') return;
    this.#openUntil = now;
    this.#holdMs = FIRST_HOLD_MS;
  }

  /** Starts anew: the credentials changed. */
  reset(): void {
    this.#state = 'closed';
    this.#openUntil = 0;
    this.#hasWorked = false;
    this.#settle();
  }

  #isRefused(): boolean {
    return this.#state === 'half-open' || !this.#hasWorked || this.#configInARow >= REFUSED_CREDENTIALS_IN_A_ROW;
  }

  #worked(wasAccepted: boolean): 'closed' | null {
    const was = this.#state;
    this.#hasWorked ||= wasAccepted;
    this.#state = 'closed';
    this.#settle();
    return was === 'half-open' ? 'closed' : null;
  }

  #trouble(outcome: Trouble, now: number): 'opened' | null {
    if (outcome.kind === 'throttled' && outcome.scope === 'token') return null;
    this.#troubleInARow += 1;
    const gaveUp = this.#state === 'half-open' || this.#troubleInARow >= TROUBLE_IN_A_ROW;
    if (!gaveUp) return null;
    return this.open(now, outcome.kind === 'ambiguous' ? 0 : (outcome.retryAfterMs ?? 0));
  }

  #settle(): void {
    this.#holdMs = FIRST_HOLD_MS;
    this.#troubleInARow = 0;
    this.#configInARow = 0;
  }
}
