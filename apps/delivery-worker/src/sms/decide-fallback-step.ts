import { backoffMs, MINUTE_MS, type RetryPolicy, SECOND_MS } from '@postrider/domain';
import type { FallbackResult } from '@postrider/persistence';
import type { SmsOutcome } from '@postrider/vendors';

/** The pause between two tries of the same SMS doubles from the first to the last. */
const BACKOFF = { firstMs: 10 * SECOND_MS, maxMs: 60 * MINUTE_MS };

/** A provider soon knows what it did with an SMS, and some time later whether the SMS arrived. */
const ASK_ABOUT_UNKNOWN_MS = 30 * SECOND_MS;
const ASK_ABOUT_SENT_MS = MINUTE_MS;

/** An attempt that was just made. */
interface AttemptedFallback {
  /** The first is 1. */
  attempt: number;
  expiresAt: Date;
  /** True if the provider can be asked about the fate of an SMS. */
  canBeAsked: boolean;
  /** True if the provider reports the fate of an SMS by itself. */
  isReported: boolean;
  /** True if an SMS is sent again when nobody can say if the provider took it. */
  resendsUnknown: boolean;
}

/**
 * Decides what comes after one SMS was handed to a provider. Pure. Only an SMS that the provider surely did not take
 * waits for another try; one that it may have taken is `unknown` until the provider says more, or the application's
 * choice decides.
 */
export function decideFallbackStep(
  outcome: SmsOutcome,
  facts: AttemptedFallback,
  now: Date,
  policy: RetryPolicy,
): FallbackResult {
  const { attempt, expiresAt } = facts;
  const after = (ms: number): Date => new Date(now.getTime() + Math.ceil(ms));
  if (outcome.kind === 'accepted') {
    const wakeAt = facts.canBeAsked && !facts.isReported ? after(ASK_ABOUT_SENT_MS) : null;
    return { state: 'sent', providerMessageId: outcome.vendorMessageId, errorCode: null, reason: null, wakeAt };
  }
  const { kind, code: errorCode, reason } = outcome;
  const result = { providerMessageId: null, errorCode, reason };
  if (kind === 'recipient_invalid' || kind === 'request_invalid') return { ...result, state: 'failed', wakeAt: null };
  if (kind === 'ambiguous') {
    return { ...result, state: 'unknown', wakeAt: canBecomeKnown(facts) ? after(ASK_ABOUT_UNKNOWN_MS) : null };
  }
  const again = after(pauseMs(attempt, 'retryAfterMs' in outcome ? outcome.retryAfterMs : null, policy));
  return { ...result, state: 'waiting', wakeAt: again < expiresAt ? again : expiresAt };
}

/** True if it may still become known what happened to an unknown SMS. */
function canBecomeKnown({ canBeAsked, resendsUnknown }: AttemptedFallback): boolean {
  return canBeAsked || resendsUnknown;
}

/** Returns at least the pause or the time that the provider asked for, and up to half of it more at random. */
function pauseMs(attempt: number, retryAfterMs: number | null, { timeScale, random }: RetryPolicy): number {
  const floorMs = backoffMs(BACKOFF, attempt) * timeScale;
  return Math.max(floorMs, retryAfterMs ?? 0) + (random() * floorMs) / 2;
}
