import type { SendOutcome } from '@postrider/domain';

/** Calls that bring nothing but trouble for longer than this keep messages from leaving. */
const FAILING_AFTER_MS = 3_000;
/** A vendor answers within a second; the deadline of a call is some ten seconds later. */
const SILENT_AFTER_MS = 4_000;

/** What came of a call that took nothing along. */
export interface CallError {
  kind: SendOutcome['kind'];
  code: string;
  reason: string;
  at: Date;
}

/** Calls that failed one after the other, with nothing that was answered properly between. */
export interface CallsFailing {
  /** Milliseconds since 1970. */
  since: number;
  error: CallError;
}

/**
 * Notices that nothing leaves over a route, whatever the reason and whether or not its breaker has opened: access tokens that
 * are not to be had, connections that fail, calls that time out or get no answer at all.
 */
export class CallTrouble {
  #failingSince: number | null = null;
  #silentSince: number | null = null;
  #lastError: CallError | null = null;

  /** What came of the last call that failed. */
  get lastError(): CallError | null {
    return this.#lastError;
  }

  /** A call begins. */
  begun(now: number): void {
    this.#silentSince ??= now;
  }

  /** A call came back. @param inFlight how many are still under way */
  answered(outcome: SendOutcome, now: number, inFlight: number): void {
    this.#silentSince = inFlight > 0 ? now : null;
    switch (outcome.kind) {
      case 'accepted':
      case 'token_invalid':
      case 'request_invalid':
        this.#failingSince = null;
        return;
      case 'throttled':
        if (outcome.scope === 'route') this.#failed(outcome, now);
        return;
      default:
        this.#failed(outcome, now);
    }
  }

  /** Since when nothing leaves, and why; null while all is well or it has lasted a moment only. */
  failingAt(now: number): CallsFailing | null {
    if (this.#failingSince !== null && this.#lastError !== null && now - this.#failingSince >= FAILING_AFTER_MS) {
      return { since: this.#failingSince, error: this.#lastError };
    }
    if (this.#silentSince === null || now - this.#silentSince < SILENT_AFTER_MS) return null;
    const reason = `Nothing was answered for ${Math.floor((now - this.#silentSince) / 1_000)} s`;
    const error: CallError = { kind: 'ambiguous', code: 'NO_ANSWER', reason, at: new Date(now) };
    return { since: this.#silentSince, error };
  }

  /** Begins anew, with other credentials. Calls that are under way still are. */
  reset(): void {
    this.#failingSince = null;
    this.#lastError = null;
  }

  #failed({ kind, code, reason }: Exclude<SendOutcome, { kind: 'accepted' }>, now: number): void {
    this.#failingSince ??= now;
    this.#lastError = { kind, code, reason, at: new Date(now) };
  }
}
