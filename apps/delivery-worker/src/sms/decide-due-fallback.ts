import { firstTimeZone, keepsQuietHours, quietUntil } from '@postrider/domain';
import type { DueFallback, FallbackVerdict, SleepingFallback } from '@postrider/persistence';
import { phoneNumberOf } from './phone-number';

/** What becomes of a fallback whose time has come. Pure; whether a device has confirmed is for the claim to look at. */
export function decideDueFallback(due: DueFallback, now: Date): FallbackVerdict {
  const { userId, expiresAt, phoneAttribute: attribute, defaultRegion } = due;
  if (due.isCancelled) {
    return { userId, state: 'cancelled', phone: null, reason: 'The message was cancelled before the SMS was sent' };
  }
  if (expiresAt <= now) {
    return { userId, state: 'expired', phone: null, reason: 'The message expired before the SMS was sent' };
  }
  const phone = phoneNumberOf({ attribute, userId, defaultRegion });
  if (phone === null) {
    const reason = 'Neither the attribute phone nor the user id is a phone number';
    return { userId, state: 'no_phone', phone: null, reason };
  }
  return { userId, state: 'sending', phone, reason: null };
}

/** Until when quiet hours keep a fallback's SMS back; nothing when they do not, or it ends without one. Pure. */
export function quietTimeOf(due: DueFallback, now: Date): SleepingFallback[] {
  const { userId, quietHours, lane, timeZone, defaultTimeZone, isCancelled, expiresAt } = due;
  if (isCancelled || expiresAt <= now || quietHours === null || !keepsQuietHours(quietHours, lane)) return [];
  const until = quietUntil(quietHours, firstTimeZone(timeZone, defaultTimeZone), now.getTime());
  return until === null ? [] : [{ userId, until: new Date(until) }];
}
