import type { FallbackResponse } from '@postrider/contracts';
import type { FallbackRecord } from '@postrider/persistence';

const SHOWN_DIGITS = 3;

/** A fallback as a caller reads it: a phone number to recognise, not to call. */
export function showFallback(fallback: FallbackRecord): FallbackResponse {
  const time = (at: Date | null): string | null => at?.toISOString() ?? null;
  return {
    userId: fallback.userId,
    state: fallback.state,
    phone: fallback.phone === null ? null : maskPhone(fallback.phone),
    provider: fallback.provider,
    providerMessageId: fallback.providerMessageId,
    error: fallback.errorCode,
    reason: fallback.reason ?? reasonOf(fallback),
    attempt: fallback.attempt,
    resent: fallback.resent,
    dueAt: fallback.dueAt.toISOString(),
    attemptedAt: time(fallback.attemptedAt),
    sentAt: time(fallback.sentAt),
    endedAt: time(fallback.endedAt),
    updatedAt: fallback.updatedAt.toISOString(),
  };
}

/** `+14155552345` → `+********345`. */
export function maskPhone(phone: string): string {
  return phone.slice(0, -SHOWN_DIGITS).replace(/\d/g, '*') + phone.slice(-SHOWN_DIGITS);
}

function reasonOf({ state, dueAt }: FallbackRecord): string | null {
  if (state === 'waiting') return `Waits for a confirmation until ${dueAt.toISOString()}`;
  if (state === 'confirmed') return 'A device of the user confirmed the message';
  if (state === 'cancelled') return 'The message was cancelled before the SMS was sent';
  return null;
}
