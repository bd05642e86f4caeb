import { backoffMs } from './backoff';
import { MINUTE_MS, SECOND_MS } from './time';
import type { DeliveryVendor } from './vendor';

/** The largest window of the jitter. */
const MAX_WINDOW_MS = 60 * MINUTE_MS;

/** How long each vendor wants to be left alone before the same delivery is tried again, and when to stop trying. */
interface VendorBackoff {
  throttledMs: number;
  retryableMs: number;
  /** The time since the first attempt after which a retryable refusal is final. */
  giveUpAfterMs: number;
}

const BACKOFF: Record<DeliveryVendor, VendorBackoff> = {
  // "Wait at least 10 seconds"; 429 without Retry-After: 60 s; past 60 minutes: "miscategorized … or an outage" (FCM).
  fcm: { throttledMs: MINUTE_MS, retryableMs: 10 * SECOND_MS, giveUpAfterMs: 60 * MINUTE_MS },
  apns: { throttledMs: MINUTE_MS, retryableMs: 10 * SECOND_MS, giveUpAfterMs: Infinity },
  hms: { throttledMs: 10 * SECOND_MS, retryableMs: 10 * SECOND_MS, giveUpAfterMs: Infinity },
  webpush: { throttledMs: MINUTE_MS, retryableMs: 10 * SECOND_MS, giveUpAfterMs: Infinity },
  connection: { throttledMs: SECOND_MS, retryableMs: SECOND_MS, giveUpAfterMs: Infinity },
};

/** "After 15 minutes, you can retry … 5XX" (APNs): its own answers only, not a connection that was lost. */
const APNS_SERVER_ERROR = /^(InternalServerError|ServiceUnavailable|Shutdown|(HTTP_?)?5\d\d)$/;
const APNS_SERVER_ERROR_MS = 15 * MINUTE_MS;

/** A call without an answer is repeated soon, while the vendor still remembers its id. */
const UNANSWERED_MS = 2 * SECOND_MS;

/** The refusal that a retry follows. */
export interface Refusal {
  vendor: DeliveryVendor;
  kind: 'throttled' | 'retryable' | 'ambiguous';
  code: string;
  /** The attempt that was refused; the first is 1. */
  attempt: number;
  /** The vendor's own `Retry-After`, or null. */
  retryAfterMs: number | null;
}

/** The parameters of every retry delay. */
export interface RetryPolicy {
  /** Multiplies the floors below, never a vendor's `Retry-After`. */
  timeScale: number;
  /** From 0 up to, not including, 1. */
  random: () => number;
}

/** How long to wait before the next attempt. */
interface RetryDelay {
  /** The larger of the vendor's floor and its `Retry-After`. */
  leastMs: number;
  /** `leastMs` and full jitter over a window that doubles with each attempt. */
  delayMs: number;
}

/** The delay before a refused delivery is tried again. */
export function retryDelay(refusal: Refusal, policy: RetryPolicy): RetryDelay {
  const floorMs = floorOf(refusal) * policy.timeScale;
  const windowMs = backoffMs({ firstMs: floorMs, maxMs: MAX_WINDOW_MS * policy.timeScale }, refusal.attempt);
  const leastMs = Math.max(floorMs, refusal.retryAfterMs ?? 0);
  return { leastMs: Math.ceil(leastMs), delayMs: Math.ceil(leastMs + policy.random() * windowMs) };
}

/** The time since a delivery's first attempt after which `vendor` is not called again. */
export function giveUpAfterMs(vendor: DeliveryVendor): number {
  return BACKOFF[vendor].giveUpAfterMs;
}

function floorOf({ vendor, kind, code }: Refusal): number {
  if (kind === 'ambiguous') return UNANSWERED_MS;
  if (kind === 'throttled') return BACKOFF[vendor].throttledMs;
  return vendor === 'apns' && APNS_SERVER_ERROR.test(code) ? APNS_SERVER_ERROR_MS : BACKOFF[vendor].retryableMs;
}
