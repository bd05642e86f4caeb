import { type SendOutcome, storableText } from '@postrider/domain';
import type { RouteState } from '@postrider/persistence';

/** If calls bring nothing but trouble for longer than this, messages do not leave. */
const FAILING_AFTER_MS = 3_000;
/** A vendor answers within a second; the deadline of a call is some ten seconds later. */
const SILENT_AFTER_MS = 4_000;

/** The outcome of a call: of a push, or of an SMS, which may be to an invalid number. */
export type CallOutcome = SendOutcome | { kind: 'recipient_invalid'; code: string; reason: string };

/** The error of a call that delivered nothing. */
interface CallError {
  kind: CallOutcome['kind'];
  code: string;
  reason: string;
  at: Date;
}

/** Returns the latest of several errors, if there are any, in the form in which it is shown. */
function latestError<Error extends { reason: string; at: Date }>(errors: (Error | null)[]): Error | null {
  const [last] = errors.flatMap((error) => error ?? []).sort((one, other) => other.at.getTime() - one.at.getTime());
  return last === undefined ? null : { ...last, reason: storableText(last.reason, 500) };
}

/**
 * Returns what a route reports of its errors: the latest, and since when nothing leaves. @param heldFor why it was held
 * last
 */
export function errorsOf(
  calls: CallTrouble,
  heldFor: { kind: string; code: string; reason: string; at: Date } | null,
  now: number,
): Pick<RouteState, 'lastError' | 'failingSince'> {
  const failing = calls.failingAt(now);
  return {
    lastError: latestError([heldFor, failing?.error ?? calls.lastError]),
    failingSince: failing && new Date(failing.since),
  };
}

/** Calls that failed one after the other, with no proper answer between them. */
interface CallsFailing {
  /** Milliseconds since 1970. */
  since: number;
  error: CallError;
}

/**
 * Notices that nothing leaves over a route, whatever the reason and whether or not its breaker has opened: access
 * tokens cannot be had, connections fail, calls time out or get no answer at all.
 */
export class CallTrouble {
  #failingSince: number | null = null;
  #silentSince: number | null = null;
  #lastError: CallError | null = null;

  /** The error of the last call that failed. */
  get lastError(): CallError | null {
    return this.#lastError;
  }

  /** Counts a call that begins. */
  begun(now: number): void {
    this.#silentSince ??= now;
  }

  /** Counts a call that returned. @param inFlight the number of calls that are still under way */
  answered(outcome: CallOutcome, now: number, inFlight: number): void {
    const waitedSince = this.#silentSince ?? now;
    this.#silentSince = inFlight > 0 ? now : null;
    switch (outcome.kind) {
      case 'accepted':
      case 'token_invalid':
      case 'request_invalid':
      case 'recipient_invalid':
        this.#failingSince = null;
        return;
      case 'throttled':
        if (outcome.scope === 'route') this.#failed(outcome, now, waitedSince);
        return;
      default:
        this.#failed(outcome, now, waitedSince);
    }
  }

  /** Counts a call that ended without being made. */
  withdrawn(inFlight: number): void {
    if (inFlight === 0) this.#silentSince = null;
  }

  /** Returns since when nothing leaves, and why; null while all is well or the trouble has lasted a moment only. */
  failingAt(now: number): CallsFailing | null {
    if (this.#failingSince !== null && this.#lastError !== null && now - this.#failingSince >= FAILING_AFTER_MS) {
      return { since: this.#failingSince, error: this.#lastError };
    }
    if (this.#silentSince === null || now - this.#silentSince < SILENT_AFTER_MS) return null;
    const reason = `Nothing was answered for ${Math.floor((now - this.#silentSince) / 1_000)} s`;
    const error: CallError = { kind: 'ambiguous', code: 'NO_ANSWER', reason, at: new Date(now) };
    return { since: this.#silentSince, error };
  }

  /** Starts again, with other credentials. Calls that are under way stay under way. */
  reset(): void {
    this.#failingSince = null;
    this.#lastError = null;
  }

  #failed({ kind, code, reason }: Exclude<CallOutcome, { kind: 'accepted' }>, now: number, since: number): void {
    // A call that took long to fail was in trouble all the time: a route that counted as silent stays failing.
    this.#failingSince ??= since;
    this.#lastError = { kind, code, reason, at: new Date(now) };
  }
}
