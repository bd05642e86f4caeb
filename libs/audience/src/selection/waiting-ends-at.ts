import { lastCallAt, NOW_OR_NEVER_MS, type Reach } from '@postrider/domain';

/**
 * Returns when deliveries that wait for a connection end: with the last call of the message; for `live`, which is meant
 * for this moment only, when "now" is over.
 */
export function waitingEndsAt(reach: Reach, acceptedAt: Date, expiresAt: Date): Date {
  const lastCall = lastCallAt(acceptedAt.getTime(), expiresAt.getTime());
  return new Date(reach === 'live' ? Math.min(lastCall, acceptedAt.getTime() + NOW_OR_NEVER_MS) : lastCall);
}
