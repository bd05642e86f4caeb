/**
 * What came of one vendor call for one device. A vendor's refusal is a value, never an exception. The classes are the same
 * for every vendor, so that what happens next is decided in one place (`decideNextStep`).
 */
export type SendOutcome =
  /** The vendor took it. Never means that the device showed it. */
  | { kind: 'accepted'; vendorMessageId: string | null }
  /** This token is dead. `deadSince`: the vendor's own timestamp; a token registered after it is alive again. */
  | { kind: 'token_invalid'; code: string; reason: string; deadSince?: Date }
  /** Our payload or headers are wrong: the same request will never be taken. */
  | { kind: 'request_invalid'; code: string; reason: string }
  /** Too fast. `scope` says who must slow down: this device's token or the whole route. */
  | { kind: 'throttled'; code: string; reason: string; scope: 'route' | 'token'; retryAfterMs: number | null }
  /** Nothing was taken, and the same request may work later. */
  | { kind: 'retryable'; code: string; reason: string; retryAfterMs: number | null }
  /** The request was written and no answer came: it may or may not have been taken. */
  | { kind: 'ambiguous'; code: string; reason: string }
  /** The device's token and our credentials do not belong together: which of them is wrong, one answer cannot tell. */
  | { kind: 'mismatch'; code: string; reason: string }
  /** The message expired before the request was written: the vendor was not called. */
  | { kind: 'expired'; code: string; reason: string }
  /** Our credentials, project or topic are wrong: no device is at fault, the whole route must wait. */
  | { kind: 'config'; code: string; reason: string };

/** The name of an outcome's class. */
export type SendOutcomeKind = SendOutcome['kind'];
