import type { PushVendor, SendOutcome } from '@postrider/domain';
import type { ClaimedPage, VendorTrouble } from '@postrider/persistence';
import type { Sender } from '@postrider/vendors';
import type { BreakerOpening, Breaker } from './breaker';
import { CallTrouble } from './call-trouble';
import type { PushServices } from './push-services';
import { RefusalClassifier } from './refusal-classifier';
import { returnsAfterMs } from './returns-after';

/** A page whose route is not held, but that has devices held back, waits this long, and up to a second more. */
const HELD_BACK_MS = 5_000;
const SPREAD_MS = 1_000;
/** Longer than what a worker knows of a route may be old: two seconds, and the time between two looks. */
const UNTRIED_FOR_MS = 5_000;

/** The pages that wait for a route in this process. */
export interface RoutePages {
  readonly isEmpty: boolean;
  /** Stops them: nothing more of them is sent for now. */
  stopAll(): void;
}

/** Is called when a route is held and when it works again, once each. */
export interface RouteListener {
  held(route: Route, why: BreakerOpening): void;
  resumed(route: Route): void;
  /** A page was put back because the route was held, but the route works again by now. */
  putBackLate(route: Route): void;
}

/** One application at one vendor: the sender and its state. */
export class Route {
  /** Null: there is nothing to send with. */
  sender: Sender | null = null;
  /** The revision of the credentials that the sender was made from. */
  revision: string | null = null;
  inFlight = 0;
  /** The trouble that all workers share, as it was a few seconds ago. */
  trouble: VendorTrouble | null = null;
  /** Why it was held last. */
  lastError: (BreakerOpening & { at: Date }) | null = null;
  /** When the vendor accepted something last, in milliseconds since 1970; 0: not yet with these credentials. */
  lastAcceptedAt = 0;
  /** Notices since when all calls have failed. */
  readonly calls = new CallTrouble();
  readonly #refusals = new RefusalClassifier();
  /** The number of pages that were put back since the route was held. */
  #putBack = 0;
  #pages: RoutePages | null = null;

  constructor(
    readonly appId: string,
    readonly vendor: PushVendor,
    readonly breaker: Breaker,
    private readonly listener: RouteListener,
    /** The push services of Web Push; null for a vendor that is one service. */
    private readonly services: PushServices | null = null,
  ) {}

  /** True if this route allows a call to start now. */
  canSend(): boolean {
    if (this.sender === null || this.breaker.isHolding) return false;
    return this.breaker.state === 'closed' ? this.sender.capacity.free() > 0 : this.inFlight === 0;
  }

  /**
   * Returns what a vendor's answer for a device means here, if it does not show whether the device or the credentials
   * are wrong.
   */
  classify(
    outcome: SendOutcome,
    page: Pick<ClaimedPage, 'attempt' | 'firstAttemptAt'>,
    token: string,
    now: number,
  ): SendOutcome {
    if (outcome.kind === 'accepted') {
      this.lastAcceptedAt = now;
      this.services?.noteAccepted(token);
      this.#refusals.reset();
      return outcome;
    }
    const context = {
      token,
      attempt: page.attempt,
      firstAttemptAt: page.firstAttemptAt.getTime(),
      isProven: this.breaker.hasWorked,
      lastAcceptedAt: this.lastAcceptedAt,
      wasAccepted: this.services?.hasAccepted(token) ?? false,
      isOneServiceAlone: this.services?.isAnotherWorking(token) ?? false,
    };
    return this.#refusals.classify(outcome, context, now);
  }

  /**
   * Takes the outcome of a call, as `classify` returned it. Trouble with one push service, while another one works, is no reason to hold
   * the route: the devices of that service wait, each by itself.
   * @returns the new state of the breaker if it changed
   */
  record(outcome: SendOutcome, token: string): 'opened' | 'closed' | null {
    if (isTrouble(outcome) && this.services?.isAnotherWorking(token)) return null;
    return this.breaker.record(outcome);
  }

  /** Starts again, with other credentials. */
  reset(): void {
    this.breaker.reset();
    this.#refusals.reset();
    this.calls.reset();
    this.services?.reset();
    this.lastAcceptedAt = 0;
  }

  get isIdle(): boolean {
    return this.inFlight === 0 && (this.#pages?.isEmpty ?? true);
  }

  /**
   * True if pages were put back during a hold that has just ended, and no page has come since to find out if the route works.
   */
  get isUntried(): boolean {
    const { state, isHolding, heldMsAgo } = this.breaker;
    if (this.#putBack === 0 || isHolding || this.inFlight > 0) return false;
    return state === 'open' || (state === 'half-open' && heldMsAgo < UNTRIED_FOR_MS);
  }

  /** Sets the pages that wait for this route: they are stopped whenever it is held. */
  attach(pages: RoutePages): void {
    this.#pages = pages;
  }

  /** Holds the route: every page in hand stops. */
  hold(why: BreakerOpening): void {
    this.#putBack = 0;
    this.#pages?.stopAll();
    this.listener.held(this, why);
  }

  /** Notes that the route works again. */
  resume(): void {
    this.listener.resumed(this);
  }

  /** Returns when a page that is put back now is worth claiming again. */
  resumesAt(now: Date): Date {
    if (!this.breaker.isHolding) return new Date(now.getTime() + HELD_BACK_MS + Math.random() * SPREAD_MS);
    return new Date(this.breaker.openUntil + returnsAfterMs(this.#putBack++, Math.random()));
  }

  /** Notes that the pages that were put back are released, because another worker has seen that the route works. */
  noteReleased(): void {
    this.#putBack = 0;
  }

  /** Notes that a page which was stopped because the route was held is put back: it waits until it is released. */
  notePutBack(): void {
    if (this.breaker.state === 'closed') this.listener.putBackLate(this);
  }
}

function isTrouble({ kind }: SendOutcome): boolean {
  return kind === 'throttled' || kind === 'retryable' || kind === 'ambiguous';
}
