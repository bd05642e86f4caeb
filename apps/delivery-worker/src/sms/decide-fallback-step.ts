import { backoffMs, MINUTE_MS, type RetryPolicy, SECOND_MS } from '@postrider/domain';
import type { FallbackResult } from '@postrider/persistence';
import type { SmsOutcome } from '@postrider/vendors';

/** The pause between two tries of the same SMS doubles from the first to the last. */
const BACKOFF = { firstMs: 10 * SECOND_MS, maxMs: 60 * MINUTE_MS };

/** A provider knows soon what it did, and a while after it took an SMS, whether that arrived. */
const ASK_ABOUT_UNKNOWN_MS = 30 * SECOND_MS;
const ASK_ABOUT_SENT_MS = MINUTE_MS;

/** An attempt that was just made. */
export interface AttemptedFallback {
  /** The first is 1. */
  attempt: number;
  expiresAt: Date;
  /** True if the provider can be asked what became of an SMS. */
  canBeAsked: boolean;
  /** True if it reports that by itself. */
  isReported: boolean;
  /** True if it is sent again where nobody can say what became of it. */
  resendsUnknown: boolean;
}

/**
 * What comes after one SMS was handed to a provider. Pure. Only an SMS that was surely not taken waits for another try;
 * what may have been taken is `unknown` until the provider says more, or the application's choice decides.
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
    return { ...result, state: 'unknown', wakeAt: goesOn(facts) ? after(ASK_ABOUT_UNKNOWN_MS) : null };
  }
  const again = after(pauseMs(attempt, 'retryAfterMs' in outcome ? outcome.retryAfterMs : null, policy));
  return { ...result, state: 'waiting', wakeAt: again < expiresAt ? again : expiresAt };
}

/** True if it may still become known what happened to an unknown SMS. */
function goesOn({ canBeAsked, resendsUnknown }: AttemptedFallback): boolean {
  return canBeAsked || resendsUnknown;
}

/** At least the pause or what the provider asked for, and half of it more by chance. */
function pauseMs(attempt: number, retryAfterMs: number | null, { timeScale, random }: RetryPolicy): number {
  const floorMs = backoffMs(BACKOFF, attempt) * timeScale;
  return Math.max(floorMs, retryAfterMs ?? 0) + (random() * floorMs) / 2;
}
