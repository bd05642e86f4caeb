import type { Session } from './session';
import { registeredTopics } from '../protocol/topics';

/** A client that subscribes does so in this time. */
const SUBSCRIBES_WITHIN_MS = 2_000;

/**
 * A device that connects and does not say what it wants to hear, hears what its registration stands for (device-protocol,
 * Registration: `subscriptions`): it is counted for that. What it says itself, then or later, takes its place.
 */
export function subscribeByRegistration(session: Session, nowMs: number): void {
  const { identity, subscriptions, heardBy, openedSinceMs } = session;
  if (identity === null || subscriptions.size > 0 || heardBy !== 'nobody') return;
  if (nowMs - openedSinceMs < SUBSCRIBES_WITHIN_MS) return;
  session.heardBy = 'registration';
  for (const topic of registeredTopics(identity, identity.channels)) subscriptions.set(topic, 1);
  session.services.wantsInbox(session);
}
