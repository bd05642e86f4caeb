import type { Clock } from '@postrider/domain';
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
 * One application's route to its SMS provider: how many calls are under way, and whether it is held because the
 * provider refuses the account (no credit, wrong key, too fast) rather than an SMS, or does not answer.
 */
export class SmsRoute {
  sender: SmsSender | null = null;
  /** The revision of the credentials in use; null: there are none. */
  revision: string | null = null;
  /** True if all workers were told that the provider takes SMS with these credentials. */
  isKnownToWork = false;
  /** Why it was held last. */
  lastError: { kind: string; code: string; reason: string; at: Date } | null = null;
  /** True if an SMS is sent again when nobody can say if the provider took it. */
  resendsUnknown = false;
  #inFlight = 0;
  #waiting: (() => void)[] = [];
  /** Notices that calls bring nothing but trouble. */
  readonly calls = new CallTrouble();
  readonly #breaker: Breaker;
  #called = 0;
  /** Why the breaker holds. */
  #why = { code: '', reason: '' };

  /** @param timeScale multiplies the holds, never the pause that a provider asks for */
  constructor(
    readonly appId: string,
    clock: Clock,
    timeScale: number,
  ) {
    this.#breaker = new Breaker(clock, timeScale, SMS_BREAKER);
  }

  /** Returns the hold that is in force. */
  currentHold(): RouteHold | null {
    return this.#breaker.isHolding ? { until: this.#breaker.openUntil, ...this.#why } : null;
  }

  /** True if the provider was in trouble when it was asked last: one call at a time finds out if that is over. */
  get isHalfOpen(): boolean {
    return this.#breaker.state !== 'closed';
  }

  /** The number of calls under way. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /**
   * Takes room for up to `wanted` calls; while half-open, for one call in all. @returns the number of calls, each of
   * which must be released
   */
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

  /** Resolves when the next call ends. */
  nextReleased(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Makes a call with `send`, and notes how long it takes and how it ends. */
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
   * @returns the hold that the outcome began; null if it began none
   */
  recordOutcome(outcome: SmsOutcome): RouteHold | null {
    this.#breaker.advance();
    if (this.#breaker.record(outcome) !== 'opened') return null;
    const { code, reason } = outcome as Extract<SmsOutcome, { code: string }>;
    this.#why = { code, reason };
    return { until: this.#breaker.openUntil, code, reason };
  }

  /** Holds the route for so long, for a reason that does not concern the provider. */
  holdFor(ms: number, code: string, reason: string): void {
    this.#breaker.holdFor(ms);
    this.#why = { code, reason };
  }

  /** Starts again, with other credentials. */
  reset(sender: SmsSender | null, revision: string | null, resendsUnknown = false): void {
    this.sender = sender;
    this.resendsUnknown = resendsUnknown;
    this.revision = revision;
    this.isKnownToWork = false;
    this.#breaker.reset();
    this.calls.reset();
  }
}
