import { MINUTE_MS } from '@postrider/domain';
import type { Installation, Registration } from '@postrider/persistence';

/**
 * No request takes longer to arrive. A registration that comes later was made later, whatever the device's clock says.
 */
const OVERTAKEN_WITHIN_MS = MINUTE_MS;

/** The fields of an installation that tell when it was registered. */
export type Kept = Pick<Installation, 'userId' | 'launchTime' | 'registration' | 'createdAt' | 'updatedAt'>;

type Sent = Pick<Registration, 'userId' | 'launchTime' | 'registration'>;

/**
 * True if a registration was made before the stored one, but arrived after it: it signs in a user whom another one has
 * replaced by now. A device reports when it signed a user in (`registerTs`). A page that has not signed in anybody yet
 * reports no time: its registration at the start came before the user who was signed in since, and a guest came before
 * their user.
 */
export function isOvertaken(sent: Sent, kept: Kept, at: Date): boolean {
  if (sent.userId === kept.userId || isOld(kept.updatedAt, at)) return false;
  const [mine, theirs] = [signedInAt(sent), signedInAt(kept)];
  if (mine !== null && theirs !== null) return mine < theirs;
  if (mine !== null || !isOneLaunch(sent, kept)) return false;
  return (isGuest(sent) && !isGuest(kept)) || (theirs !== null && theirs >= kept.launchTime.getTime());
}

/**
 * True if two registrations with the same facts of a page start come from one page. Two different guests are two
 * browsers, and so are two different users.
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
