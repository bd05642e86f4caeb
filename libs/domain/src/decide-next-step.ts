import { giveUpAfterMs, retryDelay, type RetryPolicy } from './retry-delay';
import type { SendOutcome, DeliveryVendor } from './vendor';

/** The input of the decision about a delivery that was just tried. Times in milliseconds since 1970. */
export interface AttemptedDelivery {
  vendor: DeliveryVendor;
  /** The attempt that was just made; the first is 1. */
  attempt: number;
  /** True if an earlier attempt was written to the vendor and never answered. */
  isUnanswered: boolean;
  firstAttemptAt: number;
  expiresAt: number;
}

/** The next step of a delivery. */
export type NextStep =
  | { kind: 'sent'; vendorMessageId: string | null }
  /** Try again in `delayMs`. `isUnanswered` is passed to that attempt. */
  | { kind: 'retry'; delayMs: number; isUnanswered: boolean }
  | { kind: 'failed'; code: string; reason: string }
  /** Failed, and the vendor calls the token dead: note it. It is switched off later, unless too many die at once. */
  | { kind: 'token_dead'; code: string; reason: string; deadSince?: Date }
  | { kind: 'expired'; code: string; reason: string }
  /** Nothing is wrong with this device: it waits with its whole route. */
  | { kind: 'hold'; code: string; reason: string };

/**
 * Decides what follows one vendor call. Pure. A retry is never planned after the message's expiry or, if the vendor
 * sets a limit, later than that limit after the first attempt. A call without an answer is repeated once.
 */
export function decideNextStep(
  delivery: AttemptedDelivery,
  outcome: SendOutcome,
  now: number,
  policy: RetryPolicy,
): NextStep {
  switch (outcome.kind) {
    case 'accepted':
      return { kind: 'sent', vendorMessageId: outcome.vendorMessageId };
    case 'token_invalid':
      return { ...outcome, kind: 'token_dead' };
    case 'request_invalid':
      return { kind: 'failed', code: outcome.code, reason: outcome.reason };
    case 'expired':
      return { kind: 'expired', code: outcome.code, reason: outcome.reason };
    case 'config':
      return { kind: 'hold', code: outcome.code, reason: outcome.reason };
    case 'ambiguous':
      return askOnceMore(delivery, { ...outcome, retryAfterMs: null }, now, policy);
    case 'mismatch':
      return retryOrEnd(delivery, { ...outcome, kind: 'retryable', retryAfterMs: null }, now, policy);
    case 'throttled':
    case 'retryable':
      return retryOrEnd(delivery, outcome, now, policy);
  }
}

type RetryableOutcome = {
  kind: 'throttled' | 'retryable' | 'ambiguous';
  code: string;
  reason: string;
  retryAfterMs: number | null;
};

function askOnceMore(
  delivery: AttemptedDelivery,
  outcome: RetryableOutcome,
  now: number,
  policy: RetryPolicy,
): NextStep {
  if (!delivery.isUnanswered) return retryOrEnd(delivery, outcome, now, policy);
  return { kind: 'failed', code: outcome.code, reason: `Asked twice, answered never: ${outcome.reason}` };
}

function retryOrEnd(
  delivery: AttemptedDelivery,
  { kind, code, reason, retryAfterMs }: RetryableOutcome,
  now: number,
  policy: RetryPolicy,
): NextStep {
  const { vendor, attempt, expiresAt, firstAttemptAt } = delivery;
  const { leastMs, delayMs } = retryDelay({ vendor, kind, code, attempt, retryAfterMs }, policy);
  if (now + leastMs - firstAttemptAt > giveUpAfterMs(vendor)) {
    return {
      kind: 'failed',
      code,
      reason: `Gave up after ${attempt} ${attempt === 1 ? 'attempt' : 'attempts'}: ${reason}`,
    };
  }
  const remainingMs = expiresAt - now;
  if (leastMs >= remainingMs) {
    return { kind: 'expired', code, reason: `No time left for another attempt: ${reason}` };
  }
  const isUnanswered = delivery.isUnanswered || kind === 'ambiguous';
  // The jitter is shortened to stay before the expiry; the vendor's least delay never is.
  const beforeExpiryMs = Math.floor((leastMs + remainingMs) / 2);
  return { kind: 'retry', delayMs: delayMs < remainingMs ? delayMs : beforeExpiryMs, isUnanswered };
}
