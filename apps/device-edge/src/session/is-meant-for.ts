import type { OutgoingDelivery } from './outgoing-delivery';
import type { SessionIdentity } from './device-session';

/**
 * Whether a message is for whoever is connected now. What named users get is looked at by their names; of anything
 * else, what was accepted before the present owner took the device is not theirs. What is for now or never (`ttl` 0) is not for who comes later.
 *
 * @param openedAtMs when the connection was let in, by the clock on the wall
 */
export function isMeantFor(
  { message }: OutgoingDelivery,
  { userSinceMs }: SessionIdentity,
  openedAtMs: number,
): boolean {
  const { startsAtMs, expiresAtMs, isToNamedUsers } = message;
  return (isToNamedUsers || startsAtMs >= userSinceMs) && (expiresAtMs > startsAtMs || openedAtMs <= startsAtMs);
}
