import { MINUTE_MS } from '@postrider/domain';
import type { Installation, Registration } from '@postrider/persistence';

/** No request is on its way for longer: whatever comes later was made later, whatever the device's clock says. */
const OVERTAKEN_WITHIN_MS = MINUTE_MS;

/** What of an installation tells when it was registered. */
export type Kept = Pick<Installation, 'userId' | 'launchTime' | 'registration' | 'createdAt' | 'updatedAt'>;

type Sent = Pick<Registration, 'userId' | 'launchTime' | 'registration'>;

/**
 * Whether a registration was made before the one that is kept, and comes after it: it signs somebody in whom another has
 * followed by now. A device says when it signed somebody in (`registerTs`). A page that has not signed anybody in yet says no
 * time: what it registered at its start came before the user who was signed in since, and a guest came before their user.
 */
export function isOvertaken(sent: Sent, kept: Kept, at: Date): boolean {
  if (sent.userId === kept.userId || isOld(kept.updatedAt, at)) return false;
  const [mine, theirs] = [signedInAt(sent), signedInAt(kept)];
  if (mine !== null && theirs !== null) return mine < theirs;
  if (mine !== null || !isOneLaunch(sent, kept)) return false;
  return (isGuest(sent) && !isGuest(kept)) || (theirs !== null && theirs >= kept.launchTime.getTime());
}

/**
 * Whether two registrations that agree in all that tells a page start are of one: two guests are two browsers, and so are two
 * users, one of whom has not been a guest there.
 */
export function isOnePage(sent: Sent, kept: Kept, at: Date): boolean {
  if (isOld(kept.createdAt, at)) return false;
  return sent.userId === kept.userId || isGuest(sent) !== isGuest(kept);
}

function isOld(time: Date, at: Date): boolean {
  return at.getTime() - time.getTime() > OVERTAKEN_WITHIN_MS;
}

function isOneLaunch(sent: Sent, kept: Kept): boolean {
  return sent.launchTime?.getTime() === kept.launchTime.getTime();
}

function isGuest({ registration }: Pick<Sent, 'registration'>): boolean {
  return registration.isGuest === true;
}

function signedInAt({ registration: { registerTs } }: Pick<Sent, 'registration'>): number | null {
  if (typeof registerTs === 'number') return registerTs;
  const time = typeof registerTs === 'string' ? Date.parse(registerTs) : Number.NaN;
  return Number.isNaN(time) ? null : time;
}
