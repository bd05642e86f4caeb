import { SMS_CONNECTIONS, type SmsOutcome, type SmsSender } from '@postrider/vendors';
import { Breaker, SMS_BREAKER } from '../route/breaker';
import { CallTrouble } from '../route/call-trouble';

/** Why an application's fallbacks wait, and until when (milliseconds since 1970). */
export interface RouteHold {
  until: number;
  code: string;
  reason: string;
}

/**
 * One application's way to its SMS provider: how many calls are under way, and whether it is held because the provider finds
 * fault with the account (no credit, wrong key, too fast) rather than with an SMS.
 */
export class SmsRoute {
  sender: SmsSender | null = null;
  /** The revision of the credentials in use; null: there are none. */
  revision: string | null = null;
  /** True if all workers were told that the provider takes SMS with these credentials. */
  isKnownToWork = false;
  /** Why it was held last. */
  lastError: { kind: string; code: string; reason: string; at: Date } | null = null;
  /** Whether an SMS of which nobody can say whether the provider took it is sent again. */
  resendsUnknown = false;
  #inFlight = 0;
  #waiting: (() => void)[] = [];
  /** Whether calls bring nothing but trouble. */
  readonly calls = new CallTrouble();
  readonly #breaker: Breaker;
  #called = 0;
  /** Why the breaker holds. */
  #why = { code: '', reason: '' };

  /** @param timeScale multiplies the holds, never what a provider asks for */
  constructor(
    readonly appId: string,
    timeScale: number,
  ) {
    this.#breaker = new Breaker(timeScale, SMS_BREAKER);
  }

  /** The hold that is in force. */
  holdAt(now: number): RouteHold | null {
    return this.#breaker.isHolding(now) ? { until: this.#breaker.openUntil, ...this.#why } : null;
  }

  /** True if the last answer was a complaint about the account: one call at a time finds out whether that is over. */
  get isHalfOpen(): boolean {
    return this.#breaker.state !== 'closed';
  }

  /** Calls under way. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /** Takes room for up to `wanted` calls; half-open for one in all. @returns for how many; each has to be released */
  acquire(wanted: number): number {
    const most = this.isHalfOpen ? 1 : SMS_CONNECTIONS;
    const taken = Math.max(0, Math.min(wanted, most - this.#inFlight));
    this.#inFlight += taken;
    return taken;
  }

  /** Gives room back. */
  release(count: number): void {
    if (count === 0) return;
    this.#inFlight -= count;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }

  /** Resolves when a call ends the next time. */
  nextReleased(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Makes a call by `send`, and notices how long it is under way and what comes of it. */
  async call(send: () => Promise<SmsOutcome>, now: () => number): Promise<SmsOutcome> {
    let outcome: SmsOutcome = { kind: 'ambiguous', code: 'NO_ANSWER', reason: 'The call was broken off' };
    this.#called++;
    this.calls.begun(now());
    try {
      outcome = await send();
      return outcome;
    } finally {
      this.#called--;
      this.calls.answered(outcome, now(), this.#called);
    }
  }

  /**
   * Records an outcome.
   *
   * @returns the hold that it began; null when it began none
   */
  recordOutcome(outcome: SmsOutcome, now: number): RouteHold | null {
    this.#breaker.advance(now);
    if (this.#breaker.record(outcome, now) !== 'opened') return null;
    const { code, reason } = outcome as Extract<SmsOutcome, { code: string }>;
    this.#why = { code, reason };
    return { until: this.#breaker.openUntil, code, reason };
  }

  /** Holds the route until then, for a reason that is none of the provider's. */
  hold(until: number, code: string, reason: string): void {
    this.#breaker.holdUntil(until);
    this.#why = { code, reason };
  }

  /** Begins anew, with other credentials. */
  reset(sender: SmsSender | null, revision: string | null, resendsUnknown = false): void {
    this.sender = sender;
    this.resendsUnknown = resendsUnknown;
    this.revision = revision;
    this.isKnownToWork = false;
    this.#breaker.reset();
    this.calls.reset();
  }
}
